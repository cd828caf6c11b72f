import { isConnectionLost, isTimeLimit } from '../../database/errors.js'
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
import type { Workload } from './workload.js'

/** A request to measure. */
interface PlannedRequest {
  /** Such as `list by eventId`. */
  readonly request: string
  /** What a list compares with one value; undefined for one record and for a key. */
  readonly shape?: IndexedShape
  /** Runs it as the service does, or without its lookups; undefined where it has none of these. */
  readonly task: (run: RunQuery, isBare: boolean) => Promise<unknown> | undefined
}

/** A request as the service runs it, and what it cost; undefined where requests before it took too long. */
export interface MeasuredRequest extends Pick<PlannedRequest, 'request' | 'shape'> {
  readonly measured: Measured | undefined
  /** The same without its lookups; undefined where it has none. */
  readonly bare: Measured | undefined
}

/** The requests of the largest workspace: list, by time, by event, by status, behind a cursor, and one record. */
export function listRequests(workload: Workload): readonly PlannedRequest[] {
  const { collection, workspace, id, since, position, eventId, status } = workload
  const { table } = collection
  const list = { updatedSince: undefined, eventId: undefined, status: undefined }
  const item = planRecord(table, workspace, id)
  const bare = withoutLookups(table)
  const record: PlannedRequest = {
    request: 'one record',
    task: (run, isBare) => {
      const own = isBare ? bare : table
      return item && own && run(renderRecord({ ...item, table: own }))
    },
  }
  return [
    planList(workload, 'list', list),
    planList(workload, 'list by updatedSince', { ...list, updatedSince: since }),
    ...(table.eventId === undefined ? [] : [planList(workload, 'list by eventId', { ...list, eventId })]),
    planList(workload, 'list by status', { ...list, status }),
    planList(workload, 'list behind a cursor', list, { filters: list, startedAt: since, position }),
    ...(item === undefined ? [] : [record]),
  ]
}

/** Looks for an API key that does not exist. */
export function planKey(keys: ResolvedKeyTable): PlannedRequest {
  const hash = keys.hash.kind === 'binary' ? Buffer.alloc(keys.hash.length) : '0'
  const task: PlannedRequest['task'] = (run, isBare) =>
    isBare ? undefined : run(renderKeyLookup(keys, hash))
  return { request: 'an API key', task }
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
  const bare = withoutLookups(table)
  const read = async (own: ResolvedTable, run: RunQuery): Promise<unknown> => {
    const input = { table, workspaceId: workspace, filters, runQuery: run, context: {} }
    return run(planPage(own, workspace, query, await chooseAccessPath(input)).statement)
  }
  return {
    request,
    shape: planPage(table, workspace, query).fixed,
    task: (run, isBare) => (isBare ? bare && read(bare, run) : read(table, run)),
  }
}

/** The table with neither fields nor conditions from other tables; undefined where it has none of these. */
function withoutLookups(table: ResolvedTable): ResolvedTable | undefined {
  const isOwn = ({ lookup }: FoundColumn): boolean => lookup === undefined
  const { where, archived } = table
  const projection = table.projection.filter((one) => listProjectedColumns([one]).every(isOwn))
  if (projection.length === table.projection.length && [...where, ...archived].every(isOwn)) return undefined
  return { ...table, projection, where: where.filter(isOwn), archived: archived.filter(isOwn) }
}

/** Requests that may reach the time limit; the others are not sent then. */
const timeLimitsMax = 3

/** Runs requests one after the other on one session. @throws the driver's error when the session is lost. */
export async function measureRequests(
  requests: readonly PlannedRequest[],
  run: RunQuery,
): Promise<readonly MeasuredRequest[]> {
  const results: MeasuredRequest[] = []
  let timeLimits = 0
  // For the first readings, the server may have to open its own tables.
  for (let reading = 0; reading < 3; reading += 1) await readStatus(run)
  for (const { task, ...about } of requests) {
    const isSent = timeLimits < timeLimitsMax
    const measured = isSent ? await measure(run, task, false) : undefined
    if (measured !== undefined && 'failure' in measured && measured.isTimeLimit) timeLimits += 1
    results.push({ ...about, measured, bare: isSent ? await measure(run, task, true) : undefined })
  }
  return results
}

/** What the statements of a request cost the server: rows and index entries, of tables and of temporary tables. */
interface Cost {
  readonly readRows: number
  /** As the server counts them: a sort that keeps only the rows of a page counts only these. */
  readonly sortedRows: number
  readonly milliseconds: number
}

/** The cost of a request, or why it did not end. */
export type Measured = { readonly cost: Cost } | { readonly failure: string; readonly isTimeLimit: boolean }

async function measure(
  run: RunQuery,
  task: PlannedRequest['task'],
  isBare: boolean,
): Promise<Measured | undefined> {
  const [first, before] = [await readStatus(run), await readStatus(run)]
  const startedAt = performance.now()
  try {
    const running = task(run, isBare)
    if (running === undefined) return undefined
    await running
    const milliseconds = performance.now() - startedAt
    const after = await readStatus(run)
    // Reading the status counts too.
    const [readRows = 0, sortedRows = 0] = after.map((count, at) =>
      Math.max(0, count - 2 * (before[at] ?? 0) + (first[at] ?? 0)),
    )
    return { cost: { readRows, sortedRows, milliseconds } }
  } catch (error) {
    if (isConnectionLost(error)) throw error
    return {
      failure: error instanceof Error ? error.message : String(error),
      isTimeLimit: isTimeLimit(error),
    }
  }
}

const readCounters = ['first', 'key', 'last', 'next', 'prev', 'rnd', 'rnd_next'].map(
  (name) => `Handler_read_${name}`,
)

/** Of MariaDB: index entries that a pushed condition was checked for, and those that met it, which are read. */
const pushed = { checked: 'Handler_icp_attempts', met: 'Handler_icp_match' } as const

/** Counts since the session began. */
const statusStatement: Statement = {
  sql: `show session status where variable_name in (${[...readCounters, pushed.checked, pushed.met, 'Sort_rows'].map((name) => `'${name}'`).join(', ')})`,
  values: [],
}

/** Rows read and rows sorted. */
async function readStatus(run: RunQuery): Promise<readonly number[]> {
  const rows = await run(statusStatement)
  const counts = new Map(rows.map((row) => [String(row['Variable_name']), Number(row['Value'])]))
  const count = (name: string): number => counts.get(name) ?? 0
  const rejected = count(pushed.checked) - count(pushed.met)
  return [readCounters.reduce((sum, name) => sum + count(name), rejected), count('Sort_rows')]
}
