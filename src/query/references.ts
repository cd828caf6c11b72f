import type { BoundValue, QueryContext, Row, RunQuery } from '../database/statement.js'
import { findLookedUpWorkspace, isLookedUp } from '../resources/resolved-table.js'
import type { LookupColumn, ResolvedTable, StatusColumn } from '../resources/resolved-table.js'
import { toPublicStatus } from '../resources/status-field.js'
import { readIdentifier } from '../values/identifier.js'
import type { Filters } from './cursor.js'
import { bindEvent, bindWorkspace } from './list-plan.js'
import type { References } from './list-plan.js'
import { renderParents, renderStatusKeys } from './references-sql.js'

/** The most parent rows whose records a page reads by the order of an index. */
export const parentsMax = 500

/** The greatest table of statuses that is read for a filter; a greater one is read for each row of the list. */
const codesMax = 300

interface ReferencesInput {
  readonly table: ResolvedTable
  readonly workspaceId: string
  readonly filters: Filters
  readonly runQuery: RunQuery
  readonly context: QueryContext
}

/** Whether a list needs to know anything of other tables first. */
export function needsReferences(table: ResolvedTable, filters: Filters): boolean {
  return (
    findLookedUpWorkspace(table) !== undefined ||
    (filters.status !== undefined && findLookedUpStatus(table) !== undefined)
  )
}

/** Reads what a list needs to know of other tables: at most one statement for each lookup. */
export async function readReferences(input: ReferencesInput): Promise<{
  readonly references: References
  /** The rows of each statement. */
  readonly rows: readonly (readonly Row[])[]
}> {
  const [parents, statusKeys] = [await readParents(input), await readStatusKeys(input)]
  return {
    references: {
      ...(parents && { parents: parents.values }),
      ...(statusKeys && { statusKeys: statusKeys.values }),
    },
    rows: [parents, statusKeys].flatMap((read) => (read === undefined ? [] : [read.rows])),
  }
}

interface ReadValues {
  readonly values: readonly BoundValue[] | 'many'
  readonly rows: readonly Row[]
}

async function readParents({
  table,
  workspaceId,
  filters,
  runQuery,
  context,
}: ReferencesInput): Promise<ReadValues | undefined> {
  if (findLookedUpWorkspace(table) === undefined) return undefined
  const stored = bindWorkspace(table, workspaceId)
  if (stored === undefined) return { values: [], rows: [] }
  const isOnly = filters.eventId !== undefined && hasEventAsParent(table)
  const parent = isOnly ? bindEvent(table.eventId, filters.eventId) : undefined
  if (isOnly && parent === undefined) return { values: [], rows: [] }
  const rows = await runQuery(
    renderParents({ table, workspaceId: stored, parent, limit: parentsMax + 1 }),
    context,
  )
  return { values: rows.length > parentsMax ? 'many' : rows.map((row) => toBound(row['parent'])), rows }
}

/** Whether the event of a record is what its workspace is looked up by: a filter by event leaves one parent. */
function hasEventAsParent(table: ResolvedTable): boolean {
  const { eventId } = table
  const on = findLookedUpWorkspace(table)?.lookup.on
  if (on === undefined || isLookedUp(on) || eventId === undefined || !('column' in eventId)) return false
  return !isLookedUp(eventId) && eventId.column.name === on.column.name
}

/** Two lookups deep, the table of statuses does not say which rows have a status. */
async function readStatusKeys({
  table,
  filters: { status: word },
  runQuery,
  context,
}: ReferencesInput): Promise<ReadValues | undefined> {
  const status = findLookedUpStatus(table)
  if (word === undefined || status === undefined || isLookedUp(status.lookup.on)) return undefined
  const rows = await runQuery(renderStatusKeys({ table, status, limit: codesMax + 1 }), context)
  if (rows.length > codesMax) return { values: 'many', rows }
  const found = rows.filter(
    ({ code }) =>
      code !== null &&
      code !== undefined &&
      toPublicStatus(readIdentifier(code, status.identifier), status) === word,
  )
  return { values: found.map(({ key }) => toBound(key)), rows }
}

function findLookedUpStatus({ status }: ResolvedTable): LookupColumn<StatusColumn> | undefined {
  return 'cases' in status || !isLookedUp(status) ? undefined : status
}

/** A cell as a value that is bound again. */
function toBound(cell: unknown): BoundValue {
  return Buffer.isBuffer(cell) ? cell : String(cell)
}
