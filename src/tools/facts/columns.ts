import { findColumn } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { names } from './names.js'
import type { Rule } from './names.js'
import { splitWords, withoutTable } from './words.js'

/** A column that a rule found, with what its name is worth. */
export interface Found {
  readonly column: DescribedColumn
  readonly points: number
}

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
  any: () => true,
  amount: (one) =>
    ['decimal', 'float'].includes(one.kind) ||
    isLong(one) ||
    (/^(?:var)?char/i.test(one.type) && one.length <= 64),
  currency: ({ kind, length }) => kind === 'text' && length >= 3 && length <= 255,
  day: (one) => one.kind === 'date' || isMoment(one) || isLong(one),
  flag: isFlag,
  mark: (one) => isFlag(one) || one.kind === 'integer' || (one.kind !== 'text' && one.nullable),
  reference: (one) => isText(one) || (isLong(one) && one.extra !== 'auto_increment'),
  status: (one) => one.kind === 'integer' || (isText(one) && (one.length <= 512 || /^text/i.test(one.type))),
  text: isText,
  time: (one) => isMoment(one) || isLong(one),
}

const known = new WeakMap<DescribedTable, Map<string, readonly Found[]>>()

/** The columns of a table that a rule of `names.yaml` accepts, the best one first. */
export function findColumns(table: DescribedTable, name: string): readonly Found[] {
  const own = known.get(table) ?? new Map<string, readonly Found[]>()
  known.set(table, own)
  const rule = names.rules.get(name)
  if (rule === undefined) throw new Error(`names.yaml has no rule ${name}`)
  const hasType = types[rule.type]
  const found =
    own.get(name) ??
    table.columns
      .map((column) => ({ column, points: hasType?.(column) ? weighName(table, column, rule) : 0 }))
      .filter(({ points }) => points > 0)
      .sort((one, other) => other.points - one.points)
  own.set(name, found)
  return found
}

/** Whether a table has the name of a person in two columns. */
export function hasLastName(table: DescribedTable): boolean {
  return (findColumns(table, 'lastName')[0]?.points ?? 0) > 7.5
}

/** Whether a table has a column for a rule. */
export function hasColumn(table: DescribedTable, name: string): boolean {
  return findColumns(table, name).length > 0
}

/** What the name of a column is worth for a rule: as it is, and a little less without the words of its table. */
function weighName(table: DescribedTable, { name }: DescribedColumn, { drop, not, levels }: Rule): number {
  const words = splitWords(name)
  const points = [words, withoutTable(words, table.name)].flatMap((form, at) =>
    [form, form.filter((word) => !drop.has(word))].map((one) => {
      const text = one.join('_')
      if (text === '') return 0
      if (not?.test(text) === true) return -100
      return (levels.find(([, pattern]) => pattern.test(text))?.[0] ?? 0) - at * 0.25
    }),
  )
  return points.includes(-100) ? 0 : Math.max(...points)
}

/** The key of a table with a key of one column. */
export function findKey(table: DescribedTable): DescribedColumn | undefined {
  return table.primary.length === 1 ? findColumn(table, table.primary[0] ?? '') : undefined
}
