import { isSameName } from '../database/description.js'
import type { DescribedTable } from '../database/description.js'
import type { MappingValue, Section } from './candidate.js'
import type { ListParents, ParentKey } from './parents.js'

/** How a row reaches the row of a table: itself, one of its parents, or a parent of a parent. */
export interface Way {
  /** None for the row itself; two at most, because a lookup goes no further. */
  readonly steps: readonly ParentKey[]
  /** The table at the end. */
  readonly table: DescribedTable
}

/** The row itself, then the ways to its parents, and to theirs. */
export function listWays(table: DescribedTable, listParents: ListParents): readonly [Way, ...Way[]] {
  const first = listParents(table).filter(({ parent }) => parent !== table)
  const second = first.flatMap((one) =>
    listParents(one.parent)
      .filter(({ parent }) => parent !== table && parent !== one.parent)
      .map((two): Way => ({ steps: [one, two], table: two.parent })),
  )
  const direct = first.map((one): Way => ({ steps: [one], table: one.parent }))
  return [{ steps: [], table }, ...direct, ...second]
}

/** A mapped value that reads the end of a way: a name, an option, or a lookup. @param reading a `column` with its options. */
export function writeReading({ steps }: Way, reading: Section): MappingValue {
  const [first, second] = steps
  if (first === undefined) return writeOwn(reading)
  if (second === undefined) return writeLookup(first, first.column.name, reading)
  return writeLookup(second, writeLookup(first, first.column.name, { column: second.column.name }), reading)
}

/** A column without options is its name. */
export function writeOwn(reading: Section): MappingValue {
  const [column, ...options] = Object.values(reading)
  return typeof column === 'string' && options.length === 0 ? column : reading
}

function writeLookup({ parent, key }: ParentKey, on: MappingValue, reading: Section): MappingValue {
  const isPrimary = parent.primary.length === 1 && isSameName(parent.primary[0], key)
  return { from: parent.name, on, ...(isPrimary ? {} : { key }), ...reading }
}

/** Such as `orders.email by order_id`. */
export function describeEnd({ steps, table }: Way, names: readonly string[]): string {
  const by = steps.map(({ column }) => ` by ${column.name}`).reverse()
  return `${table.name}.${names.join(' and ')}${by.join('')}`
}

/** Why a step is one. */
export function describeStep({ column, parent, key, isDeclared }: ParentKey): string {
  return isDeclared
    ? `${column.name} is a foreign key to ${parent.name}.${key}`
    : `${column.name} has the name and type of a key of ${parent.name}`
}
