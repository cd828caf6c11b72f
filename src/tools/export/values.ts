import type { FieldContent } from '../../collections/field.js'
import { listNamedRoles } from '../facts/columns.js'
import type { Roles } from '../facts/columns.js'
import { weighNoun } from '../facts/names.js'
import { toNoun } from '../facts/words.js'
import type { ExportTable } from './table.js'

/*
 * What texts can mean. Two values are equal where they have a key in common: a letter for how the text is read, and what is read.
 * So `1.234,50 €` has one in common with 1234.50, and `01/02/2026` with each of two days.
 */

/** A column of an export, or two that are read as one name. */
export interface Column {
  readonly title: string
  /** What the title says. */
  readonly roles: Roles
  readonly texts: readonly string[]
  /** Of each text. */
  readonly keys: readonly ReadonlySet<string>[]
  /** What most texts are. */
  readonly kind: 'time' | 'amount' | 'mail' | 'other'
}

const roleNames = new Map([
  ['name', 'fullName'],
  ['eventId', 'event'],
])

function isFitting(content: FieldContent, kind: Column['kind']): boolean {
  return content === 'time' || content === 'amount' ? kind === content : kind !== 'time'
}

/** What the title of a column is worth for a field; nothing where its texts are of another kind. */
export function weighTitle(field: string, content: FieldContent, { title, roles, kind }: Column): number {
  if (!isFitting(content, kind)) return 0
  if (field === 'email' && kind === 'mail') return 7
  const ofPeople = field === 'name' ? 2.5 * weighNoun('person', toNoun(title)) : 0
  return Math.max(roles.get(roleNames.get(field) ?? field) ?? 0, ofPeople)
}

/** The columns that are not empty, and each two near each other that can be a name. */
export function readColumns({ titles, lines }: ExportTable): readonly Column[] {
  const read = (title: string, roles: Roles, texts: readonly string[]): Column => {
    const filled = texts.filter((text) => text !== '')
    const isMost = (is: (text: string) => boolean): boolean => filled.filter(is).length > filled.length / 2
    const isTime = isMost((text) => readTimes(text).length > 0)
    const isAmount = isMost((text) => readAmounts(text).length > 0)
    const kind = isTime ? 'time' : isAmount ? 'amount' : isMost((text) => /.@./.test(text)) ? 'mail' : 'other'
    return { title, roles, texts, kind, keys: texts.map((text) => new Set(readKeys(text))) }
  }
  const toTexts = (at: number): readonly string[] => lines.map((line) => line[at] ?? '')
  const all = titles.map((title, at) => read(title, listNamedRoles(title), toTexts(at)))
  const find = (role: string): Column | undefined => all.find(({ roles }) => roles.has(role))
  const [first, last] = [find('firstName'), find('lastName')]
  const isName = first !== undefined && last !== undefined && first !== last
  const joined = isName ? first.texts.map((text, line) => `${text} ${last.texts[line] ?? ''}`.trim()) : []
  const title = `${first?.title ?? ''} + ${last?.title ?? ''}`
  return [...all, read(title, new Map([['fullName', 10]]), joined)].filter(({ texts }) => texts.some(Boolean))
}

/** Words without accents, case, punctuation, and leading zeros, which Excel drops. */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/(?<!\p{N})0+(?=\p{N})/gu, '')
}

/** The words, in any order too, and the number at the end, which can have a prefix. */
function toWordKeys(text: string): readonly string[] {
  const folded = fold(text)
  const [, end] = (text.length <= 24 ? /(?:^| )\p{L}{0,4}(\d+)$/u.exec(folded) : null) ?? []
  const numbers = end === undefined ? [] : [`n${end}`, `t${folded.replace(/^\S+ /, '')}`]
  return folded === '' ? [] : [`t${folded}`, `w${folded.split(' ').sort().join(' ')}`, ...numbers]
}

const toAmountKey = (amount: number): string => `a${(Math.round(amount * 100) / 100).toFixed(2)}`

/** The keys of a value of a record, or of a cell. Times are compared by their distance too. */
export function toKeys(content: FieldContent, value: string | boolean | null = null): readonly string[] {
  if (value === null || value === '') return []
  if (typeof value === 'boolean') return [`f${value}`]
  switch (content) {
    case 'text':
    case 'personal':
      return toWordKeys(value)
    case 'word':
      return [`t${fold(value)}`]
    case 'amount':
      return [toAmountKey(Number(value))]
    case 'time':
      return [`d${value.slice(0, 10)}`]
    default:
      return content satisfies never
  }
}

/** The keys of a text of an export, in every way in which it can be read. */
function readKeys(text: string): readonly string[] {
  const days = readTimes(text).map(({ ms }) => `d${new Date(ms).toISOString().slice(0, 10)}`)
  const isTrue = days.length > 0 || trueForm.test(text)
  const flags = isTrue ? ['ftrue'] : falseForm.test(text) ? ['ffalse'] : []
  return [...toWordKeys(text), ...readAmounts(text).map(toAmountKey), ...days, ...flags]
}

const trueForm = /^(?:yes|y|true|1|ja|j|oui|s[ií]|sim|x|✓|wahr|checked in|present|attended)$/i
const falseForm = /^(?:no|n|false|0|nein|non|n[aã]o|falsch|not checked in|absent|)$/i

const amountForm = /^([-(]?)[^\d.,()-]{0,4}(-?)(\d[\d.,]*|[.,]\d+)\)?(-?)[^\d.,()-]{0,4}$/
const pointForm = /^(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d*)(?:\.\d+)?$/

/** The numbers that a text can be, such as `1.234,50 €`, `(12.00)` and `SAR 7`: `1.234` is two. */
export function readAmounts(text: string): readonly number[] {
  const plain = text.replace(/[\s'’]/g, '').replace('−', '-')
  const [, before = '', behind = '', digits = '', last = ''] = amountForm.exec(plain) ?? []
  const turned = digits.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'))
  const forms = [digits, turned].filter((one) => one !== '' && pointForm.test(one))
  const sign = `${before}${behind}${last}` === '' ? 1 : -1
  return [...new Set(forms.map((one) => sign * Number(one.replaceAll(',', ''))))]
}

/** What a clock shows, as if it were in UTC; an instant where the text has its zone. */
interface ClockTime {
  readonly ms: number
  readonly hasHour: boolean
  readonly isLocal: boolean
}

const timeForm = /^(.*?)(?:[T,\s]+(\d{1,2}:\d{2}.*))?$/s
const dayForm = /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})$/
const namedForm =
  /^(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (?:\d{1,2},? )?\d{4}$/i

/** The times that a text can be, with the day before the month and behind it; months are in English. */
export function readTimes(text: string): readonly ClockTime[] {
  const [, day = '', clock = ''] = timeForm.exec(text) ?? []
  const zone = /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i.test(clock) ? '' : ' UTC'
  const all = [...listDays(day)].map((date) => Date.parse(`${date} ${clock}${zone}`))
  return all.flatMap((ms) => (Number.isNaN(ms) ? [] : [{ ms, hasHour: clock !== '', isLocal: zone !== '' }]))
}

function listDays(text: string): ReadonlySet<string> {
  const [, one = '', two = '', three = ''] = dayForm.exec(text) ?? []
  const year = three.length === 2 ? `20${three}` : three
  const orders = [
    [one, two, three],
    [year, two, one],
    [year, one, two],
  ].filter(([first = '']) => first.length === 4)
  // There is no 30 February.
  const isDay = ([y, m, d]: readonly string[]): boolean =>
    new Date(Date.UTC(Number(y), Number(m) - 1, Number(d))).getUTCDate() === Number(d)
  return new Set(namedForm.test(text) ? [text] : orders.filter(isDay).map((parts) => parts.join('/')))
}
