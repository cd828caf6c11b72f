import { parseJson } from '../../client/forms.js'
import { toText } from '../../database/schema.js'
import { showValue } from './shown.js'
import type { Shown } from './shown.js'
import { toSnake } from './words.js'

/** The cells of a column, row by row. */
export type Cells = readonly (string | undefined)[]

/** A text of a column, with the rows that have it. */
export interface Code {
  readonly code: string
  readonly rows: number
}

/** The codes of a column that may be shown, the most frequent first, and how many rows have another value. */
export interface Codes {
  readonly codes: readonly Code[]
  readonly hidden: number
}

/** A cell as text; a BIT(1) as a number. */
export function toCell(cell: unknown): string | undefined {
  if (cell === null || cell === undefined) return undefined
  if (Buffer.isBuffer(cell) && cell.length === 1) return String(cell[0])
  return typeof cell === 'number' || typeof cell === 'bigint' ? String(cell) : toText(cell)
}

/** The form of a text: each run of letters is `a`, of digits `9`. */
export function toForm(text: string): string {
  return text.replace(/[\p{L}\p{M}]+/gu, 'a').replace(/\p{N}+/gu, '9')
}

/** How many rows have each text, the most frequent first. */
export function countTexts(texts: Cells): readonly Code[] {
  const counts = new Map<string, number>()
  for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].map(([code, rows]) => ({ code, rows })).sort((one, other) => other.rows - one.rows)
}

/** Such as `paid×3 draft×1`. */
export function renderCodes(codes: readonly Code[]): string {
  return codes.map(({ code, rows }) => `${code}×${rows}`).join(' ')
}

const sumRows = (codes: readonly Code[]): number => codes.reduce((sum, { rows }) => sum + rows, 0)

/** The codes of a column; one with many values holds none. @param known the labels of an ENUM, a part of the schema */
export function readCodes(shown: Shown | undefined, cells: Cells, known: readonly string[]): Codes {
  if (shown === undefined || !/code|currency|label|zone/.test(shown)) return { codes: [], hidden: 0 }
  const all = countTexts(cells).filter(({ code }) => code !== '')
  const kept = all
    .filter(({ code, rows }) => known.includes(code) || showValue(shown, code, rows))
    .slice(0, all.length > 40 ? 0 : shown === 'label' ? 20 : 14)
  return { codes: kept, hidden: sumRows(all) - sumRows(kept) }
}

/** How many rows have an empty text, a zero date, an e-mail address; and how many addresses differ, where some are repeated. */
export function countOdd(cells: Cells): readonly string[] {
  const texts = cells.filter((cell) => cell !== undefined)
  const mails = texts.filter((text) => /.@.+\../.test(text))
  const different = new Set(mails).size
  const odd: readonly (readonly [what: string, rows: number, more?: string])[] = [
    ["''", texts.filter((text) => text === '').length],
    ['zero date', texts.filter((text) => text.startsWith('0000-')).length],
    ['e-mail', mails.length, different < mails.length ? ` (${different})` : ''],
  ]
  return odd
    .filter(([, rows]) => rows > 0)
    .map(([what, rows, more = '']) => `${what}${rows === texts.length ? '' : ` ${rows}`}${more}`)
}

/** Where the bytes of a UUID hold its version: at the usual place, or in front, as MySQL swaps them. */
export function describeUuids(cells: Cells): readonly string[] {
  const known = cells.filter((cell) => cell !== undefined)
  const isUsual = (form: RegExp): boolean =>
    known.filter((cell) => form.test(cell)).length > known.length * 0.95
  if (isUsual(/^.[1-8][89AB]/)) return ['UUID, version in byte 7']
  return [
    isUsual(/^[1-8].[89AB]/) ? 'UUID, version in byte 1: uuid-swapped' : '16 bytes without a UUID version',
  ]
}

/**
 * The range in two digits, which shows the unit and no amount, and how many are zero.
 *
 * @param currencies of the rows, for integers: how many are multiples of 100 in each.
 */
export function describeAmounts(cells: Cells, currencies: Cells | undefined): readonly string[] {
  const values = cells.flatMap((cell) => (cell === undefined ? [] : [Number(cell)]))
  const [low = 0, high] = [Math.min(...values), Math.max(...values)].map((one) => Number(one.toPrecision(2)))
  const zeros = values.filter((one) => one === 0).length
  const range = [low === high ? String(low) : `${low}…${high}`, ...(zeros === 0 ? [] : [`0×${zeros}`])]
  if (currencies === undefined) return values.every(Number.isInteger) ? [...range, 'whole'] : range
  const isCode = (code = ''): boolean => showValue('currency', code, 1)
  const groups = cells.map((cell, i) => cell && (isCode(currencies[i]) ? currencies[i] : 'all'))
  const hundreds = countTexts(groups.filter((_, i) => Number(cells[i]) % 100 === 0))
  const shares = countTexts(groups).map(({ code, rows }) => {
    const found = hundreds.find((one) => one.code === code)?.rows ?? 0
    return `${code} ${Math.round((100 * found) / rows)}%`
  })
  return [...range, `multiples of 100: ${shares.slice(0, 5).join(' ')}`]
}

/** The names in JSON objects that many of them have. The statement gives the names of each as a list behind `{`. */
export function describeJson(cells: Cells): readonly string[] {
  const lists = cells.flatMap((cell) => (cell?.startsWith('{') ? [cell.slice(1) || '[]'] : []))
  const names = countTexts(lists.flatMap((list) => (parseJson(list) ?? []) as readonly string[]))
    .filter(({ code, rows }) => /^[a-z_]\w{0,29}$/i.test(code) && rows >= Math.max(2, lists.length / 5))
    .map(({ code }) => code)
  return lists.length === 0 ? [] : [`JSON {${names.slice(0, 12).join(',')}}`]
}

/** The form of a value behind a key: the first that matches. */
const forms: readonly (readonly [form: string, matches: RegExp])[] = [
  ['empty', /^$/],
  ['e-mail', /.@.+\../],
  ['date', /^\d{4}-\d\d-\d\d/],
  ['9 digits or more', /^\d{9,}$/],
  ['number', /^-?\d+([.]\d+)?$/],
  ['JSON', /^[{[]/],
  ['text', /^/],
]
/** Such as `default_currency`, `MAIN_LANGUAGE` and `12`; no word that could be a name. */
const settingName = /^(?!.*\d{6})(?:[a-z_][\w.:/-]{1,59}|[A-Z]+_[A-Z_]{1,50}|\d{1,5})$/

/** What a setting is of, by its key. */
const units = [
  ['currency', /currency/],
  ['zone', /time_?zone/],
] as const

/** A key of a key-value table: the values of a setting of a currency or zone, the forms of other values. */
export interface KeyValues {
  readonly key: string
  readonly unit: (typeof units)[number][0] | undefined
  readonly codes: readonly Code[]
}

/** Whether a value is a zone, whatever its key is called. */
const isNamedZone = (text = ''): boolean => text.includes('/') && showValue('zone', text, 1)

/** What is behind each key. Keys that are not names of the product are left out. */
export function readKeyValues(keys: Cells, values: Cells): readonly KeyValues[] {
  const all = countTexts(keys)
  const known = all.filter(({ code }) => settingName.test(code))
  if (known.length < all.length / 2) return []
  const found = known.map(({ code: key }): KeyValues => {
    const own = values.filter((_, i) => keys[i] === key)
    const named = units.find(([, matching]) => matching.test(toSnake(key)))?.[0]
    const unit = named ?? (own.every(isNamedZone) ? 'zone' : undefined)
    const settings = own.filter((text = '') => unit && showValue(unit, text, 1))
    if (settings.length > 0) return { key, unit, codes: countTexts(settings).slice(0, 6) }
    const texts = own.map((text = '') => forms.find(([, matching]) => matching.test(text))?.[0])
    return { key, unit: undefined, codes: countTexts(texts).slice(0, 2) }
  })
  // Products have hundreds of settings: those that decide a mapping come first.
  return found.toSorted((one, other) => (one.unit ? 0 : 1) - (other.unit ? 0 : 1)).slice(0, 40)
}

/** Milliseconds since 1970, to the second, of a day or of a public or database time as its clock shows it; NaN for another text. */
export function toMs(text = ''): number {
  return Date.parse(text.length === 10 ? text : `${text.slice(0, 19).replace(' ', 'T')}Z`)
}

/** How old the newest time is, such as `-12h`. */
export function describeNewest(cells: Cells, now: string): readonly string[] {
  const ms = toMs(now) - Math.max(...cells.map(toMs).filter((one) => !Number.isNaN(one)))
  const hours = Math.round(Math.abs(ms) / 3_600_000)
  const age = hours < 48 ? `${hours}h` : `${Math.round(hours / 24)}d`
  return Number.isFinite(ms) ? [`${ms < 0 ? '+' : '-'}${age}`] : []
}

/** How many times lie after the creation of their rows. */
export function compareTimes(cells: Cells, created: Cells): readonly string[] {
  return [`>created ${cells.filter((cell, i) => (cell ?? '') > (created[i] ?? '9')).length}`]
}

/** The unit of integers that are times since 1970. */
export function findEpoch(cells: Cells): 's' | 'ms' | 'us' | undefined {
  const numbers = cells.map(Number).filter((number) => number > 0)
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  const [since, until] = [Date.UTC(2000, 0), Date.UTC(2100, 0)]
  const fits = (ms: number): boolean => low * ms > since && high * ms < until
  return fits(1000) ? 's' : fits(1) ? 'ms' : fits(0.001) ? 'us' : undefined
}

/** The offset of a zone, in minutes, that explains a distance of two clocks; undefined for other distances, and without one. */
export function toOffset(minutes: number, tolerance = 0.1): number | undefined {
  const quarter = Math.round(minutes / 15) * 15
  return Math.abs(quarter) <= 840 && Math.abs(minutes - quarter) <= tolerance ? quarter : undefined
}

/** The usual distance of a DATETIME from a TIMESTAMP of the same row, in quarters of an hour. */
export function describeOffset(cells: Cells, stamps: Cells, stamp: string): readonly string[] {
  const quarters = cells.map((cell, i) => {
    return toOffset((toMs(cell) - toMs(stamps[i])) / 60_000)?.toString()
  })
  const [first] = countTexts(quarters)
  const pairs = cells.filter((cell, i) => cell !== undefined && stamps[i] !== undefined).length
  if (first === undefined || first.rows < Math.max(3, pairs / 2)) return []
  return [`${first.code.startsWith('-') ? '' : '+'}${first.code}m from ${stamp} in ${first.rows} of ${pairs}`]
}
