import type { BoundValue, QueryContext, Row, RunQuery } from '../database/statement.js'
import type { ResolvedTable, StatusColumn } from '../resources/resolved-table.js'
import { readIdentifier } from '../values/identifier.js'
import type { Filters } from './cursor.js'
import { bindEvent, bindWorkspace } from './list-plan.js'
import type { References } from './list-plan.js'
import { renderCodes, renderParents } from './references-sql.js'
import type { LookupColumn } from './references-sql.js'

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
export function needsReferences({ workspace, status }: ResolvedTable, filters: Filters): boolean {
  if ('lookup' in workspace && workspace.lookup !== undefined) return true
  return filters.status !== undefined && 'lookup' in status && status.lookup !== undefined
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
  const { workspace } = table
  if ('constant' in workspace || workspace.lookup === undefined) return undefined
  const stored = bindWorkspace(table, workspaceId)
  if (stored === undefined) return { values: [], rows: [] }
  const event = hasEventAsParent(table) && filters.eventId !== undefined ? filters.eventId : undefined
  const parent = event === undefined ? undefined : bindEvent(table.eventId, event)
  if (event !== undefined && parent === undefined) return { values: [], rows: [] }
  const rows = await runQuery(
    renderParents({
      workspace: { ...workspace, lookup: workspace.lookup },
      workspaceId: stored,
      parent,
      limit: parentsMax + 1,
    }),
    context,
  )
  return { values: rows.length > parentsMax ? 'many' : rows.map(({ parent }) => toBound(parent)), rows }
}

/** Whether the event of a record is what its workspace is looked up by: a filter by event leaves one parent. */
function hasEventAsParent({ workspace, eventId }: ResolvedTable): boolean {
  if ('constant' in workspace || workspace.lookup === undefined || workspace.lookup.on.lookup !== undefined)
    return false
  const isOwn = eventId !== undefined && 'column' in eventId && eventId.lookup === undefined
  return isOwn && eventId.column.name === workspace.lookup.on.column.name
}

/** Two lookups deep, the table of statuses does not say which rows have a status. */
async function readStatusKeys({
  table: { status },
  filters,
  runQuery,
  context,
}: ReferencesInput): Promise<ReadValues | undefined> {
  const word = filters.status
  if (word === undefined || 'cases' in status || status.lookup === undefined) return undefined
  if (status.lookup.on.lookup !== undefined) return undefined
  const rows = await runQuery(renderCodes({ ...status, lookup: status.lookup }, codesMax + 1), context)
  if (rows.length > codesMax) return { values: 'many', rows }
  const found = rows.filter(({ code }) => toWord(status as LookupColumn<StatusColumn>, code) === word)
  return { values: found.map(({ key }) => toBound(key)), rows }
}

function toWord({ identifier, values, otherwise }: StatusColumn, code: unknown): string | undefined {
  if (code === null || code === undefined) return undefined
  const stored = readIdentifier(code, identifier)
  return values === undefined ? stored : (values.get(stored) ?? otherwise)
}

/** A cell as a value that is bound again. */
function toBound(cell: unknown): BoundValue {
  return Buffer.isBuffer(cell) ? cell : String(cell)
}
