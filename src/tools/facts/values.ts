import { toText } from '../../database/schema.js'
import { showValue } from './shown.js'
import type { Shown } from './shown.js'

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

/** A cell as text. */
export function toCell(cell: unknown): string | undefined {
  if (cell === null || cell === undefined) return undefined
  return typeof cell === 'number' || typeof cell === 'bigint' ? String(cell) : toText(cell)
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
    .slice(0, all.length > 40 ? 0 : shown === 'label' ? 40 : 14)
  return { codes: kept, hidden: sumRows(all) - sumRows(kept) }
}

/** How many rows have no value, an empty one, a zero date, an e-mail address. */
export function countGaps(cells: Cells): readonly string[] {
  const texts = cells.filter((cell) => cell !== undefined)
  const gaps: readonly (readonly [what: string, rows: number])[] = [
    ['null', cells.length - texts.length],
    ["''", texts.filter((text) => text === '').length],
    ['zero date', texts.filter((text) => text.startsWith('0000-')).length],
    ['e-mail', texts.filter((text) => /.@.+\../.test(text)).length],
  ]
  return gaps
    .filter(([, rows]) => rows > 0)
    .map(([what, rows]) => (rows === cells.length ? what : `${what} ${rows}`))
}

/** Where the bytes of a UUID hold its version: at the usual place, or in front, as MySQL swaps them. */
export function describeUuids(cells: Cells): readonly string[] {
  const known = cells.filter((cell) => cell !== undefined)
  const isAt = (at: number): boolean =>
    known.filter((cell) => /[1-8]/.test(cell[at] ?? '') && /[89AB]/.test(cell[2] ?? '')).length >
    known.length * 0.95
  if (isAt(1)) return ['UUID, version in byte 7']
  return [isAt(0) ? 'UUID, version in byte 1: uuid-swapped' : '16 bytes without a UUID version']
}

/**
 * The range in two digits, which shows the unit and no amount, and how many are zero.
 *
 * @param currencies of the rows, for integers: how many are multiples of 100 in each.
 */
export function describeAmounts(cells: Cells, currencies: Cells | undefined): readonly string[] {
  const values = cells.flatMap((cell) => (cell === undefined ? [] : [Number(cell)]))
  const [low, high] = [Math.min(...values), Math.max(...values)].map((one) => Number(one.toPrecision(2)))
  const zeros = values.filter((one) => one === 0).length
  const range = [low === high ? String(low) : `${low}…${high}`, ...(zeros === 0 ? [] : [`0×${zeros}`])]
  if (currencies === undefined) return values.every(Number.isInteger) ? [...range, 'whole'] : range
  const shares = countTexts(cells.map((cell, i) => cell && (currencies[i] ?? 'all'))).map(
    ({ code, rows }) => {
      const isOf = (cell: string | undefined, i: number): boolean =>
        cell !== undefined && (currencies[i] ?? 'all') === code && Number(cell) % 100 === 0
      return `${code} ${Math.round((100 * cells.filter(isOf).length) / rows)}%`
    },
  )
  return [...range, `multiples of 100: ${shares.slice(0, 5).join(' ')}`]
}

/** The names in JSON objects that many of them have. The statement gives the names of each as a list behind `{`. */
export function describeJson(cells: Cells): readonly string[] {
  const objects = cells.flatMap((cell) => (cell?.startsWith('{') ? [cell.slice(1)] : []))
  const names = countTexts(objects.flatMap((list) => (list === '' ? [] : (JSON.parse(list) as string[]))))
  const usual = names.filter(
    ({ code, rows }) => /^[a-z_]\w{0,29}$/i.test(code) && rows >= Math.max(2, objects.length / 5),
  )
  return objects.length * 2 <= cells.filter((cell) => cell !== undefined).length
    ? []
    : [
        `JSON {${usual
          .slice(0, 12)
          .map(({ code }) => code)
          .join(',')}}`,
      ]
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
const keysMax = 40

const isSetting = (text: string): boolean => showValue('currency', text, 1) || showValue('zone', text, 1)

/** The form of the values behind each key, and settings of a currency or zone. Keys that are no names of the product are counted. */
export function describeKeyValues(keys: Cells, values: Cells): readonly string[] {
  const all = countTexts(keys)
  const known = all
    .filter(({ code }) => /^(?!.*\d{6})(?:[a-z_][\w.:/-]{1,59}|\d{1,5})$/i.test(code))
    .slice(0, keysMax)
  if (known.length < Math.min(all.length, keysMax) / 2) return []
  const ofKey = (code: string): Cells => values.filter((_, i) => keys[i] === code)
  const settings = known
    .filter(({ code }) => /currency|time_?zone/i.test(code))
    .flatMap(({ code }) => ofKey(code).map((text = '') => (isSetting(text) ? `${code}=${text}` : undefined)))
  const described = known.map(({ code }) => {
    const own = ofKey(code).map((text = '') => forms.find(([, matching]) => matching.test(text))?.[0])
    return `${code}:${renderCodes(countTexts(own).slice(0, 2))}`
  })
  const rest = all.length - known.length
  return [
    ...countTexts(settings)
      .slice(0, 12)
      .map((one) => `setting: ${renderCodes([one])}`),
    `values by key: ${described.join(' ')}${rest === 0 ? '' : ` and ${rest} other keys`}`,
  ]
}
