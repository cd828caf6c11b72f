import type { Column, Table } from '../../database/column.js'
import type { PlannedIndex } from '../planned-index.js'
import { listFilterColumns, listFixedColumns } from '../../collections/choose-index.js'
import { isIndexable, listVisibilityTests } from '../../collections/row-test.js'
import type { IndexedShape } from '../../collections/choose-index.js'
import type { Lookup, ResolvedTable } from '../../collections/resolved-table.js'

/** The index in which all rows of a list stand together, in order. */
export function adviseListIndex(table: ResolvedTable, shape: IndexedShape): PlannedIndex {
  const isArchived = ({ name }: Column): boolean =>
    table.archived.some(({ column, lookup }) => lookup === undefined && column.name === name)
  const words = [...(shape.event ? ['event'] : []), ...(shape.status === true ? ['status'] : [])]
  // A filter by a column that also archives rows needs that column.
  const fixed = [
    ...listFixedColumns(table, { event: false }).filter((column) => !isArchived(column)),
    ...listFilterColumns(table, shape),
  ]
  return createOrderedAdvice(table, ['ix_vitrine', ...words, 'sync'], fixed)
}

/**
 * The index that leaves out rows that are archived, or that no list shows; undefined where the mapping has no test that
 * can be a part of the index of lists.
 */
export function adviseVisibleIndex(table: ResolvedTable): PlannedIndex | undefined {
  if (!listVisibilityTests(table).some(isIndexable)) return undefined
  const fixed = listFixedColumns(table, { event: false })
  return createOrderedAdvice(table, ['ix_vitrine', 'visible', 'sync'], fixed)
}

function createOrderedAdvice(
  { name, updatedAt, id }: ResolvedTable,
  words: readonly string[],
  fixed: readonly Column[],
): PlannedIndex {
  return createAdvice(name, words, [...fixed, updatedAt.column, id.column])
}

/** The index that finds the events of an invoice; undefined where no link table is mapped. */
export function adviseLinkIndex({ eventId }: ResolvedTable): PlannedIndex | undefined {
  if (eventId === undefined || !('event' in eventId)) return undefined
  return createAdvice(eventId.table, ['ix_vitrine_link'], [eventId.invoice.column, eventId.event.column])
}

/** The index that finds a record by its id. */
export function adviseIdIndex({ name, id }: ResolvedTable): PlannedIndex {
  return createAdvice(name, ['ix_vitrine_id'], [id.column])
}

/** The index by which a lookup reads only rows that pass its tests; undefined where that of its key is the best. */
export function adviseLookupIndex({ table, key, index, choice }: Lookup): PlannedIndex | undefined {
  const tested = (choice?.tests ?? []).filter(isIndexable).map(({ column }) => column)
  const columns = [key, ...tested.filter(({ type }) => !/text|blob|json/i.test(type))]
  const words = ['ix_vitrine', ...columns.map(({ name }) => name)]
  return columns.length === 1 && index !== '' ? undefined : createAdvice(table, words, columns)
}

/** The server allows a name of 64 characters. */
function createAdvice(table: string, words: readonly string[], columns: readonly Column[]): PlannedIndex {
  const unique = new Map(columns.map((one) => [one.name, one]))
  return { name: words.join('_').slice(0, 64), table, columns: [...unique.values()] }
}

/** Whether a table has an index that begins with these columns. */
export function hasIndex(table: Pick<Table, 'indexes'> | undefined, { columns }: PlannedIndex): boolean {
  const names = columns.map(({ name }) => name.toLowerCase())
  return table?.indexes.some((index) => names.every((name, at) => index.columns[at] === name)) === true
}
