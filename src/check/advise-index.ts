import type { Column } from '../database/column.js'
import type { PlannedIndex } from '../database/planned-index.js'
import { listFixedColumns } from '../query/choose-index.js'
import { isIndexable, listVisibilityTests } from '../query/tests.js'
import type { IndexedShape } from '../query/choose-index.js'
import type { ResolvedTable } from '../resources/resolved-table.js'

/** The index in which all rows of a list stand together, in order. */
export function adviseListIndex(table: ResolvedTable, shape: IndexedShape): PlannedIndex {
  const isArchived = ({ name }: Column): boolean =>
    table.archived.some(({ column, lookup }) => lookup === undefined && column.name === name)
  const words = [...(shape.event ? ['event'] : []), ...(shape.status === true ? ['status'] : [])]
  const fixed = listFixedColumns(table, shape).filter((column) => !isArchived(column))
  return createOrderedAdvice(table, ['ix_vitrine', ...words, 'sync'], fixed)
}

/**
 * The index that leaves out rows that are archived, or that no list shows; undefined where the mapping has no test that
 * can be a part of an index.
 */
export function adviseVisibleIndex(table: ResolvedTable): PlannedIndex | undefined {
  if (!listVisibilityTests(table).some(isIndexable)) return undefined
  return createOrderedAdvice(
    table,
    ['ix_vitrine', 'visible', 'sync'],
    listFixedColumns(table, { event: false }),
  )
}

function createOrderedAdvice(
  { name, updatedAt, id }: ResolvedTable,
  words: readonly string[],
  fixed: readonly Column[],
): PlannedIndex {
  const columns = [...fixed, updatedAt.column, id.column]
  return {
    name: words.join('_'),
    table: name,
    columns: [...new Map(columns.map((one) => [one.name, one])).values()],
  }
}

/** The index that finds the events of an invoice; undefined where no link table is mapped. */
export function adviseLinkIndex({ eventId }: ResolvedTable): PlannedIndex | undefined {
  if (eventId === undefined || !('event' in eventId)) return undefined
  return {
    name: 'ix_vitrine_link',
    table: eventId.table,
    columns: [eventId.invoice.column, eventId.event.column],
  }
}

/** The index that finds a record by its id. */
export function adviseIdIndex({ name, id }: ResolvedTable): PlannedIndex {
  return { name: 'ix_vitrine_id', table: name, columns: [id.column] }
}
