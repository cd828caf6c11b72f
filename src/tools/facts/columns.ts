import { isEnumerated } from '../../database/column.js'
import { isPrimaryKey } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { matches, rules, weighNoun } from './names.js'
import type { Rule } from './names.js'
import { listTableWords, splitWords, toNoun, toStem, withoutTable } from './words.js'

/** The rules of `names.yaml` that a column fits, each with what the name is worth. */
export type Roles = ReadonlyMap<string, number>

/** Whether a column holds a date and a time. */
export function isMoment({ kind }: DescribedColumn): boolean {
  return kind === 'datetime' || kind === 'timestamp'
}

/** Whether a column holds a yes or no. */
export function isFlag({ kind, type }: DescribedColumn): boolean {
  return (
    kind === 'bit' ||
    (kind === 'integer' && /^(?:tiny|small)int/i.test(type)) ||
    /^(?:(?:var)?char\(1\)|enum\('[yn01]'?,'[yn01]'\))/i.test(type)
  )
}

/** Whether a column can hold the id of a row. */
export function canBeId({ kind, length, type }: DescribedColumn): boolean {
  if (kind === 'text') return length <= 255
  return kind === 'integer' || /^uuid$/i.test(type) || (kind === 'binary' && length === 16)
}

const isLong = ({ kind, type }: DescribedColumn): boolean =>
  kind === 'integer' && /^(?:int|bigint)/i.test(type)
const isText = ({ kind, type }: DescribedColumn): boolean =>
  kind === 'text' && !/^(?:set|mediumtext|longtext)/i.test(type)

const types: Readonly<Record<string, (column: DescribedColumn) => boolean>> = {
  amount: (one) =>
    ['decimal', 'float'].includes(one.kind) || isLong(one) || (isText(one) && one.length <= 64),
  currency: (one) => isText(one) && one.length >= 3 && one.length <= 255,
  day: (one) => one.kind === 'date' || isMoment(one) || isLong(one),
  flag: isFlag,
  mark: (one) => isFlag(one) || one.kind === 'integer' || (one.kind !== 'text' && one.nullable),
  reference: (one) => isText(one) || isLong(one),
  status: (one) => one.kind === 'integer' || isEnumerated(one) || (isText(one) && one.length <= 512),
  text: isText,
  time: (one) => isMoment(one) || isLong(one),
}

/** What a column of a table can be: by its name, and by the table that it leads to. */
export function listRoles(table: DescribedTable, column: DescribedColumn, parent?: DescribedTable): Roles {
  const words = splitWords(column.name)
  const forms = [words, withoutTable(words, table.name)]
  const fitting = rules.filter(({ type }) => types[type]?.(column) === true)
  const roles = [
    ...fitting.map((rule) => [rule.role, weighName(forms, rule)] as const),
    ...['event', 'tenant'].map((kind) => [kind, weighKey(kind, table, column, parent)] as const),
  ]
  return new Map(roles.filter(([, points]) => points > 0))
}

/** What a name alone says, such as the title of a column of an export. */
export function listNamedRoles(name: string): Roles {
  const words = splitWords(name)
  const event = ['event', weighNoun('event', toNoun(toStem(name).stem.join('_')))] as const
  const named = rules.map((rule) => [rule.role, weighName([words], rule)] as const)
  return new Map([...named, event].filter(([, points]) => points > 0))
}

/** How surely a column is the key of a row of a kind, by its own name or that of the table that it leads to. */
function weighKey(
  kind: string,
  table: DescribedTable,
  column: DescribedColumn,
  parent?: DescribedTable,
): number {
  const { stem, isKey } = toStem(column.name)
  const named = (): number => (isKey && stem.length === 1 ? weighNoun(kind, stem.join()) : 0)
  if (isPrimaryKey(table, column.name) || !canBeId(column)) return 0
  const isOther = matches('otherKey', stem.join('_'))
  // The key of a bank account does not name the tenant, whatever it leads to.
  if (parent !== undefined && !(isOther && kind === 'tenant'))
    return Math.max(named(), weighNoun(kind, toNoun(parent.name)), kind === 'event' ? weighDate(parent) : 0)
  // A small integer that leads nowhere is a flag.
  return isOther || isFlag(column) ? 0 : named()
}

/** How surely the rows of a table are the dates of an event: of `course_dates`. */
function weighDate({ name }: DescribedTable): number {
  const words = listTableWords(name)
  return matches('eventDate', words.join('_')) ? weighNoun('event', words.at(-2) ?? '') : 0
}

/** What a name is worth for a rule: as it is, and a little less without the words of its table. */
function weighName(forms: readonly (readonly string[])[], { drop, not, levels }: Rule): number {
  const texts = forms.flatMap((form, at) =>
    [form, form.filter((word) => !drop.includes(word))].map((one) => ({ text: one.join('_'), at })),
  )
  if (texts.some(({ text }) => not.test(text))) return 0
  const weigh = (text: string): number => levels.find(([, pattern]) => pattern.test(text))?.[0] ?? 0
  return Math.max(...texts.map(({ text, at }) => weigh(text) - at * 0.25))
}

/** The columns that can have a role, the best one first. */
export function listByRole<T extends { readonly roles: Roles }>(
  columns: readonly T[],
  role: string,
): readonly T[] {
  const points = ({ roles }: T): number => roles.get(role) ?? 0
  return columns.filter((one) => points(one) > 0).toSorted((one, other) => points(other) - points(one))
}
