import type { Column, Index } from '../database/column.js'
import { findEventColumn, findWorkspaceColumn } from './resolved-table.js'
import type { ResolvedTable, TimeRange } from './resolved-table.js'
import { isIndexable, listVisibilityTests } from './row-test.js'

/** What a list compares with one value: the event, and a status that one stored value stands for. */
export interface IndexedShape {
  readonly event: boolean
  readonly status?: boolean | undefined
}

/**
 * The index whose entries stand in the list's own order once its conditions are met, so that a page reads no
 * more entries than it shows: columns that the list compares with one value, then `updatedAt`, then `id`.
 *
 * @param range where a page has several, those of its rows that are read by the index.
 * @returns undefined where there is none, as under a view; the optimizer then chooses.
 */
export function chooseIndex(
  table: ResolvedTable,
  shape: IndexedShape,
  range: TimeRange = table.updatedAt,
): Index | undefined {
  const compared = [
    ...listFixedColumns(table, shape),
    ...(range.unchanged === undefined ? [] : [table.updatedAt.column]),
  ]
  const fixed = new Set(compared.map(({ name }) => name.toLowerCase()))
  const workspace = findWorkspaceColumn(table)?.name.toLowerCase()
  const order = [range.column, table.id.column].map(({ name }) => name.toLowerCase())
  const serving = table.indexes.flatMap((index) => {
    const depth = index.columns.findIndex((column) => !fixed.has(column))
    const before = index.columns.slice(0, depth)
    const serves =
      (workspace === undefined || before.includes(workspace)) &&
      order.every((name, at) => index.columns[depth + at] === name)
    return serves ? [{ index, depth }] : []
  })
  return serving.reduce<(typeof serving)[number] | undefined>(
    (best, next) => (best !== undefined && best.depth >= next.depth ? best : next),
    undefined,
  )?.index
}

/** The columns of the table itself that a list compares with one value, in the order in which an index may have them. */
export function listFixedColumns(table: ResolvedTable, shape: IndexedShape): readonly Column[] {
  const workspace = findWorkspaceColumn(table)
  return [
    ...(workspace === undefined ? [] : [workspace]),
    ...listVisibilityTests(table)
      .filter(isIndexable)
      .map(({ column }) => column),
    ...listFilterColumns(table, shape),
  ]
}

/** Those of them that only a filter compares. */
export function listFilterColumns(table: ResolvedTable, { event, status }: IndexedShape): readonly Column[] {
  const filtered = [event ? findEventColumn(table) : undefined, status === true ? table.status : undefined]
  return filtered.flatMap((one) =>
    one !== undefined && 'column' in one && one.lookup === undefined ? [one.column] : [],
  )
}
