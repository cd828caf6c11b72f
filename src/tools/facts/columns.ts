import { isEnumerated } from '../../database/column.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { names } from './names.js'
import type { Rule } from './names.js'
import { splitWords, withoutTable } from './words.js'

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
  any: () => true,
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

/** What a column of a table can be. */
export function listRoles(table: DescribedTable, column: DescribedColumn): Roles {
  const words = splitWords(column.name)
  const forms = [words, withoutTable(words, table.name)]
  return new Map(
    [...names.rules].flatMap(([name, rule]) => {
      const points = types[rule.type]?.(column) === true ? weighName(forms, rule) : 0
      return points > 0 ? [[name, points] as const] : []
    }),
  )
}

/** What a name is worth for a rule: as it is, and a little less without the words of its table. */
function weighName(forms: readonly (readonly string[])[], { drop, not, levels }: Rule): number {
  const points = forms.flatMap((form, at) =>
    [form, form.filter((word) => !drop.has(word))].map((one) => {
      const text = one.join('_')
      if (text === '') return 0
      if (not?.test(text) === true) return -100
      return (levels.find(([, pattern]) => pattern.test(text))?.[0] ?? 0) - at * 0.25
    }),
  )
  return points.includes(-100) ? 0 : Math.max(...points)
}

/** The columns that can play a role, the best one first. */
export function listByRole<T extends { readonly roles: Roles }>(
  columns: readonly T[],
  role: string,
): readonly T[] {
  const points = ({ roles }: T): number => roles.get(role) ?? 0
  return columns.filter((one) => points(one) > 0).toSorted((one, other) => points(other) - points(one))
}
