import type { QueryContext, Row, RunQuery } from '../database/statement.js'
import { findLookedUpWorkspace, findOwnColumn, isLookedUp } from '../resources/resolved-table.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import { bindWorkspace } from './bound-values.js'
import type { Filters } from './cursor.js'
import type { ReadingWay } from './list-plan.js'
import { readParent, renderParents } from './parents-sql.js'

/** The most parent rows by which a page is read; a workspace with more is read by its rows. */
export const parentsMax = 128

interface WayInput {
  readonly table: ResolvedTable
  readonly workspaceId: string
  readonly filters: Filters
  readonly runQuery: RunQuery
  readonly context: QueryContext
}

/** Chooses the cheaper way. It reads the parent rows where a page is read by them; `rows` is what it read. */
export async function chooseWay(
  input: WayInput,
): Promise<{ readonly way: ReadingWay; readonly rows: readonly Row[] | undefined }> {
  const { table, workspaceId, filters, runQuery, context } = input
  const workspace = bindWorkspace(table, workspaceId)
  if (findLookedUpWorkspace(table) === undefined || workspace === undefined || hasOneParent(table, filters))
    return { way: 'direct', rows: undefined }
  if (!table.isReadByParents) return { way: 'rows', rows: undefined }
  const rows = await runQuery(renderParents(table, workspace, parentsMax + 1), context)
  return { way: rows.length > parentsMax ? 'rows' : rows.map(readParent), rows }
}

/** Whether the filter by event leaves one parent row: the event of a record is what its workspace is looked up by. */
function hasOneParent(table: ResolvedTable, { eventId: wanted }: Filters): boolean {
  const { eventId } = table
  const workspace = findLookedUpWorkspace(table)
  if (wanted === undefined || eventId === undefined || workspace === undefined) return false
  if (!('column' in eventId) || isLookedUp(eventId)) return false
  return eventId.column.name === findOwnColumn(workspace).name
}
