import { isAccessDenied, isTimeLimit } from '../../database/errors.js'
import type { Dialect } from '../../database/dialects.js'
import type { Row, Statement } from '../../database/statement.js'
import { renderKeyLookup } from '../../keys/key-lookup.js'
import type { ResolvedKeyTable } from '../../mapping/key-table.js'
import { planPage } from '../../collections/page.js'
import { chooseAccessPath, renderChoice } from '../../collections/parents.js'
import { planRecord, renderRecord } from '../../collections/record.js'
import { findLookedUpWorkspace, listProjectedColumns } from '../../collections/resolved-table.js'
import type { FoundColumn, ResolvedTable } from '../../collections/resolved-table.js'
import { pageSize } from '../../collections/list-query.js'
import type { ListQuery } from '../../collections/list-query.js'
import { countRowsMax, filterNames, rowsOfPageMax } from './measured-request.js'
import type { MeasuredRequest, PlanStep } from './measured-request.js'
import { measureTask } from './session-status.js'
import type { RunOnSession } from './session-status.js'
import type { Workload } from './workload.js'

/** Requests of a collection that may reach the time limit; the others are not sent then. */
const timeLimitsMax = 3

/** A request to measure, and how its statement is made, which can read how the service finds its rows. */
interface PlannedRequest extends Pick<MeasuredRequest, 'request' | 'isDeep' | 'filters'> {
  /** Named in the plan where the server names none. */
  readonly table: string
  readonly plan: (run: RunOnSession) => Promise<Plan> | Plan
}

interface Plan extends Pick<MeasuredRequest, 'fixed' | 'rowsMax' | 'path'> {
  readonly statement: Statement
  /** The same without its lookups. */
  readonly bare?: Statement | undefined
}

/**
 * Every kind of request of the largest workspace: each combination of filters, deep pages, parent rows, and a single record.
 * Of another one a list, and one by time: a page of it can read the rows of others.
 */
export function listRequests(workload: Workload): readonly PlannedRequest[] {
  const { size, collection } = workload
  const { table } = collection
  if (size !== 'largest')
    return ([[], ['updatedSince']] as const).map((filters) => {
      const list = planList(workload, filters, false)
      return { ...list, request: `${list.request} of a ${size} workspace` }
    })
  const combinations = listCombinations(table)
  const choice =
    findLookedUpWorkspace(table) === undefined ? undefined : renderChoice(table, workload.workspace)
  const item = planRecord(table, workload.workspace, workload.id)
  const bare = withoutLookups(table)
  return [
    ...combinations.map((filters) => planList(workload, filters, false)),
    // The position of a cursor replaces `updatedSince`.
    ...combinations
      .filter((filters) => !filters.includes('updatedSince'))
      .map((filters) => planList(workload, filters, true)),
    ...(choice === undefined
      ? []
      : [planOne('parent rows, every 5 minutes', table.name, choice, { rowsMax: Infinity })]),
    ...(item === undefined
      ? []
      : [
          planOne('one record', table.name, renderRecord(item), {
            bare: bare && renderRecord({ ...item, table: bare }),
          }),
        ]),
  ]
}

/** Looks for an API key that does not exist. */
export function planKey(keys: ResolvedKeyTable): PlannedRequest {
  const hash = keys.hash.kind === 'binary' ? Buffer.alloc(keys.hash.length) : '0'
  return planOne('an API key', keys.table, renderKeyLookup(keys, hash))
}

/** A statement that is no list; by default for one row, by an index. */
function planOne(
  request: string,
  table: string,
  statement: Statement,
  { bare, rowsMax = rowsOfPageMax }: Partial<Pick<Plan, 'bare' | 'rowsMax'>> = {},
): PlannedRequest {
  const plan = { statement, bare, fixed: undefined, rowsMax, path: undefined }
  return { request, isDeep: false, filters: [], table, plan: () => plan }
}

/** A list, as the service asks for it while it knows the access path. */
function planList(workload: Workload, filters: MeasuredRequest['filters'], isDeep: boolean): PlannedRequest {
  const { workspace } = workload
  const { table } = workload.collection
  const query = toQuery(filters, isDeep, workload)
  const plan = async (run: RunOnSession): Promise<Plan> => {
    const input = { table, workspaceId: workspace, filters: query.filters, runQuery: run, context: {} }
    const chosen = await chooseAccessPath(input)
    const page = planPage(table, workspace, query, chosen)
    const own = withoutLookups(table)
    const bare = own && planPage(own, workspace, query, chosen).statement
    return { ...page, bare, rowsMax: countRowsMax(page.path) }
  }
  const request = filters.length === 0 ? 'list' : `list by ${filters.join(', ')}`
  return { request, isDeep, filters, table: table.name, plan }
}

/** The table with neither fields nor conditions from other tables; undefined where it has none of these. */
function withoutLookups(table: ResolvedTable): ResolvedTable | undefined {
  const isOwn = ({ lookup }: FoundColumn): boolean => lookup === undefined
  const { where, archived } = table
  const projection = table.projection.filter((one) => listProjectedColumns([one]).every(isOwn))
  if (projection.length === table.projection.length && [...where, ...archived].every(isOwn)) return undefined
  return {
    ...table,
    projection,
    where: where.filter(isOwn),
    archived: archived.filter(isOwn),
  }
}

/** Runs requests one after the other, with the plan of each. */
export async function measureRequests(
  requests: readonly PlannedRequest[],
  { run, dialect }: { readonly run: RunOnSession; readonly dialect: Dialect },
): Promise<readonly MeasuredRequest[]> {
  // MariaDB has no name for its table of steps, and MySQL can be configured to print a tree.
  const explain = dialect === 'mariadb' ? 'explain' : 'explain format=traditional'
  const results: MeasuredRequest[] = []
  let timeLimits = 0
  for (const { plan, table, ...about } of requests) {
    const { statement, bare, ...planned } = await plan(run)
    const { sql, values } = statement
    const steps = await explainSteps(run, { sql: `${explain} ${sql}`, values }, table)
    const isSent = timeLimits < timeLimitsMax
    const measured = isSent ? await measureTask(run, async () => run((await plan(run)).statement)) : undefined
    if (measured !== undefined && 'failure' in measured && measured.isTimeLimit) timeLimits += 1
    const alone = isSent && bare !== undefined ? await measureTask(run, () => run(bare)) : undefined
    results.push({ ...about, ...planned, steps, measured, bare: alone })
  }
  return results
}

/** Where records have no event, the filter by event reads nothing. */
function listCombinations({ eventId }: ResolvedTable): readonly MeasuredRequest['filters'][] {
  const names = filterNames.filter((name) => name !== 'eventId' || eventId !== undefined)
  return Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_name, at) => (bits & (1 << at)) !== 0),
  )
}

function toQuery(
  names: MeasuredRequest['filters'],
  isDeep: boolean,
  { filters, since, position }: Workload,
): ListQuery {
  const wanted = {
    updatedSince: names.includes('updatedSince') ? since : undefined,
    eventId: names.includes('eventId') ? filters.eventId : undefined,
    status: names.includes('status') ? filters.status : undefined,
  }
  return {
    limit: pageSize.default,
    filters: wanted,
    crawl: isDeep ? { filters: wanted, startedAt: since, position } : undefined,
  }
}

/** MariaDB reads the rows of some views while it makes the plan, which can take too long as well. */
async function explainSteps(
  run: RunOnSession,
  statement: Statement,
  table: string,
): Promise<MeasuredRequest['steps']> {
  try {
    return (await run(statement)).map((row) => toStep(row, table))
  } catch (error) {
    if (isAccessDenied(error) || isTimeLimit(error)) return null
    throw error
  }
}

/** A lookup by a unique key that finds no row ends while the server makes the plan, which then names no table. */
function toStep(row: Row, table: string): PlanStep {
  const text = (name: string): string => {
    const cell = row[name]
    return typeof cell === 'string' ? cell : ''
  }
  return {
    table: text('table') || table,
    access: text('type') || 'const',
    index: text('key') || null,
    sorts: /filesort|temporary/i.test(text('Extra')),
  }
}
