import type { Column, Index } from '../database/column.js'
import type { Filters } from './cursor.js'
import { findWorkspaceColumn, listVisibilityTests } from './resolved-table.js'
import type { ResolvedTable } from './resolved-table.js'
import { isIndexable } from './row-test.js'
import type { TimeRange } from './time-fields.js'
import { findEventColumn } from './event-filter.js'
import { findStatusColumn } from './status-field.js'
import { isLookedUp } from './found-column.js'

/**
 * The index whose entries stand in the list's own order once its conditions are met: columns that the list compares with one
 * value, then `updatedAt`, then `id`. A page reads no more entries than it shows, unless a lookup finds the workspace.
 *
 * @param range where a page has several, those of its rows that are read by the index.
 * @returns undefined where there is none, as under a view; the optimizer then chooses.
 */
export function chooseIndex(
  table: ResolvedTable,
  filters: Partial<Filters> = {},
  range: TimeRange = table.updatedAt,
): Index | undefined {
  const compared = range.unchanged === undefined ? [] : [table.updatedAt.column]
  const fixed = new Set([...listFixedColumns(table, filters), ...compared].map(toName))
  const workspace = findWorkspaceColumn(table)
  const needed = workspace !== undefined && fixed.has(toName(workspace)) ? [toName(workspace)] : []
  const order = [range.column, table.id.column].map(toName)
  const serving = table.indexes.flatMap((index) => {
    const depth = index.columns.findIndex((column) => !fixed.has(column))
    const isOwn = needed.every((name) => index.columns.slice(0, depth).includes(name))
    // Without the column that the lookup begins with, the row of each entry is read.
    const rank = depth + (workspace !== undefined && index.columns.includes(toName(workspace)) ? 0.5 : 0)
    return isOwn && order.every((name, at) => index.columns[depth + at] === name) ? [{ index, rank }] : []
  })
  return serving.sort((a, b) => b.rank - a.rank)[0]?.index
}

/** The columns of a chosen index that the list compares with one value. */
export function listCompared(index: Index | undefined, { column }: TimeRange): readonly string[] {
  return index === undefined ? [] : index.columns.slice(0, index.columns.indexOf(toName(column)))
}

/** The index by which records are found: it begins with the id, or with the workspace and then the id; undefined under a view. */
export function chooseIdIndex(table: ResolvedTable): Index | undefined {
  const compared = table.lookedUp === undefined ? findWorkspaceColumn(table) : undefined
  const [id, workspace] = [table.id.column, compared].map((column) => column && toName(column))
  return table.indexes.find(
    ({ columns: [first, second] }) => first === id || (first === workspace && second === id),
  )
}

function toName({ name }: Column): string {
  return name.toLowerCase()
}

/** The columns of the table itself that a list compares with one value, in the order in which an index may have them. */
export function listFixedColumns(table: ResolvedTable, filters: Partial<Filters> = {}): readonly Column[] {
  const tested = listVisibilityTests(table).filter(isIndexable)
  // The lookups of many rows can lead to one workspace.
  const workspace = table.lookedUp === undefined ? findWorkspaceColumn(table) : undefined
  const columns = [workspace ?? [], tested.map(({ column }) => column)].flat()
  return [...columns, ...listFilterColumns(table, filters)]
}

/** Those of them that only a filter compares: the event, and a status that one stored value stands for. */
export function listFilterColumns(
  table: ResolvedTable,
  { eventId, status }: Partial<Filters>,
): readonly Column[] {
  const filtered = [
    eventId === undefined ? undefined : findEventColumn(table),
    status === undefined ? undefined : findStatusColumn(table.status, status),
  ]
  return filtered.flatMap((found) => (found === undefined || isLookedUp(found) ? [] : [found.column]))
}
