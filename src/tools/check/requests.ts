import type { RunQuery, Statement } from '../../database/statement.js'
import { renderKeyLookup } from '../../keys/key-lookup.js'
import type { ResolvedKeyTable } from '../../mapping/key-table.js'
import type { IndexedShape } from '../../collections/choose-index.js'
import { planPage } from '../../collections/page.js'
import { chooseAccessPath } from '../../collections/parents.js'
import { planRecord, renderRecord } from '../../collections/record.js'
import { listProjectedColumns } from '../../collections/resolved-table.js'
import type { FoundColumn, ResolvedTable } from '../../collections/resolved-table.js'
import { pageSize } from '../../collections/list-query.js'
import { measureTask } from './session-status.js'
import type { Measured } from './session-status.js'
import type { Workload } from './workload.js'

/** Requests that may reach the time limit; the others are not sent then. */
const timeLimitsMax = 3

/** A request to measure. */
interface PlannedRequest {
  /** Such as `list by eventId`. */
  readonly request: string
  /** What a list compares with one value; undefined for one record and for a key. */
  readonly shape?: IndexedShape
  /** Its statement as the service makes it, which can read how it finds its rows. */
  readonly plan: (run: RunQuery) => Promise<Plan> | Plan
}

interface Plan {
  readonly statement: Statement
  /** The same without its lookups; undefined where it has none. */
  readonly bare?: Statement | undefined
}

/** A request as the service runs it, and what it cost; undefined where requests before it took too long. */
export interface MeasuredRequest extends Pick<PlannedRequest, 'request' | 'shape'> {
  readonly measured: Measured | undefined
  readonly bare: Measured | undefined
}

/** The requests of the largest workspace: list, by time, by event, by status, behind a cursor, and one record. */
export function listRequests(workload: Workload): readonly PlannedRequest[] {
  const { collection, workspace, id, since, position, eventId, status } = workload
  const { table } = collection
  const list = { updatedSince: undefined, eventId: undefined, status: undefined }
  const item = planRecord(table, workspace, id)
  const bare = withoutLookups(table)
  const one = item && {
    statement: renderRecord(item),
    bare: bare && renderRecord({ ...item, table: bare }),
  }
  return [
    planList(workload, 'list', list),
    planList(workload, 'list by updatedSince', { ...list, updatedSince: since }),
    ...(table.eventId === undefined ? [] : [planList(workload, 'list by eventId', { ...list, eventId })]),
    planList(workload, 'list by status', { ...list, status }),
    planList(workload, 'list behind a cursor', list, { filters: list, startedAt: since, position }),
    ...(one === undefined ? [] : [{ request: 'one record', plan: () => one }]),
  ]
}

/** Looks for an API key that does not exist. */
export function planKey(keys: ResolvedKeyTable): PlannedRequest {
  const hash = keys.hash.kind === 'binary' ? Buffer.alloc(keys.hash.length) : '0'
  return { request: 'an API key', plan: () => ({ statement: renderKeyLookup(keys, hash) }) }
}

type Query = Parameters<typeof planPage>[2]

/** A list, as the service asks for it. */
function planList(
  { workspace, collection: { table } }: Workload,
  request: string,
  filters: Query['filters'],
  crawl?: Query['crawl'],
): PlannedRequest {
  const query = { limit: pageSize.default, filters, crawl }
  const plan = async (run: RunQuery): Promise<Plan> => {
    const input = { table, workspaceId: workspace, filters, runQuery: run, context: {} }
    const chosen = await chooseAccessPath(input)
    const own = withoutLookups(table)
    const bare = own && planPage(own, workspace, query, chosen).statement
    return { statement: planPage(table, workspace, query, chosen).statement, bare }
  }
  return { request, shape: planPage(table, workspace, query).fixed, plan }
}

/** The table with neither fields nor conditions from other tables; undefined where it has none of these. */
function withoutLookups(table: ResolvedTable): ResolvedTable | undefined {
  const isOwn = ({ lookup }: FoundColumn): boolean => lookup === undefined
  const { where, archived } = table
  const projection = table.projection.filter((one) => listProjectedColumns([one]).every(isOwn))
  if (projection.length === table.projection.length && [...where, ...archived].every(isOwn)) return undefined
  return { ...table, projection, where: where.filter(isOwn), archived: archived.filter(isOwn) }
}

/** Runs requests one after the other on one session. */
export async function measureRequests(
  requests: readonly PlannedRequest[],
  run: RunQuery,
): Promise<readonly MeasuredRequest[]> {
  const results: MeasuredRequest[] = []
  let timeLimits = 0
  for (const { plan, ...about } of requests) {
    const isSent = timeLimits < timeLimitsMax
    const { bare } = await plan(run)
    const measured = isSent ? await measureTask(run, async () => run((await plan(run)).statement)) : undefined
    if (measured !== undefined && 'failure' in measured && measured.isTimeLimit) timeLimits += 1
    const alone = isSent && bare !== undefined ? await measureTask(run, () => run(bare)) : undefined
    results.push({ ...about, measured, bare: alone })
  }
  return results
}
