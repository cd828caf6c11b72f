import type { MappingValue } from './candidate.js'
import { isSameName } from './description.js'
import type { DescribedTable } from './description.js'
import type { ListParents, ParentKey } from './parents.js'

/** How a row reaches the row of a table: itself, one of its parents, or a parent of a parent. */
export interface Way {
  /** None for the row itself; two at most, because a lookup goes no further. */
  readonly steps: readonly ParentKey[]
  /** The table at the end. */
  readonly table: DescribedTable
}

/** The row itself. */
export function toOwnWay(table: DescribedTable): Way {
  return { steps: [], table }
}

/** The ways to the parents, and to theirs. */
export function listWays(table: DescribedTable, listParents: ListParents): readonly Way[] {
  const first = listParents(table).filter(({ parent }) => parent !== table)
  const second = first.flatMap((one) =>
    listParents(one.parent)
      .filter(({ parent }) => parent !== table && parent !== one.parent)
      .map((two): Way => ({ steps: [one, two], table: two.parent })),
  )
  return [...first.map((one): Way => ({ steps: [one], table: one.parent })), ...second]
}

/** What is read at the end of a way: a `column` or `columns`, with its options. */
export type Reading = Readonly<Record<string, MappingValue>>

/** A mapped value that reads the end of a way: a name, an option, or a lookup. */
export function writeReading({ steps }: Way, reading: Reading): MappingValue {
  const [first, second] = steps
  if (first === undefined) return writeOwn(reading)
  if (second === undefined) return writeLookup(first, first.column.name, reading)
  return writeLookup(second, writeLookup(first, first.column.name, { column: second.column.name }), reading)
}

/** A column without options is its name. */
export function writeOwn(reading: Reading): MappingValue {
  const [column, ...options] = Object.values(reading)
  return typeof column === 'string' && options.length === 0 ? column : reading
}

function writeLookup({ parent, key }: ParentKey, on: MappingValue, reading: Reading): MappingValue {
  const isPrimary = parent.primary.length === 1 && isSameName(parent.primary[0], key)
  return { from: parent.name, on, ...(isPrimary ? {} : { key }), ...reading }
}

/** Such as `orders.email by order_id`. */
export function describeEnd({ steps, table }: Way, names: readonly string[]): string {
  const by = steps.map(({ column }) => ` by ${column.name}`).reverse()
  return `${table.name}.${names.join(' and ')}${by.join('')}`
}

/** Why a way is one. */
export function describeSteps({ steps }: Way): readonly string[] {
  return steps.map(({ column, parent, key, isDeclared }) =>
    isDeclared
      ? `${column.name} is a foreign key to ${parent.name}.${key}`
      : `${column.name} has the name and type of a key of ${parent.name}`,
  )
}
