import { isConnectionLost, isTimeLimit } from '../../database/errors.js'
import type { RunQuery } from '../../database/statement.js'
import { renderKeyLookup } from '../../keys/key-lookup.js'
import type { ResolvedKeyTable } from '../../mapping/resolve-mapping.js'
import type { BoundCollection } from '../../collections/collection.js'
import type { CrawlState, Filters } from '../../collections/cursor.js'
import { pageSize } from '../../collections/list-query.js'
import { choosePath } from '../../collections/parents.js'
import { renderPage, renderRecords } from '../../collections/statements.js'
import { listLookups } from '../../collections/lookup.js'
import { entriesMax, listRecordColumns } from '../../collections/resolved-table.js'
import { countTexts } from '../facts/values.js'
import type { Sample } from './sample.js'

/** What the statements of a request cost the server: rows and index entries, of tables and of temporary tables. */
export interface Cost {
  /** Infinity where the request fails. */
  readonly readRows: number
  /** As the server counts them: a sort that keeps only the rows of a page counts only these. */
  readonly sortedRows: number
  readonly milliseconds: number
  /** Why it fails, behind its name. */
  readonly failure?: string
  /** Whether it reads or sorts so many rows that it is slow in every workspace that grows. */
  readonly isCostly: boolean
  /** More rows are too many. */
  readonly rowsMax: number
}

/** A request, and what it cost. */
export interface MeasuredRequest {
  /** Undefined for the lookup of a key. */
  readonly collection?: BoundCollection
  /** Such as `list by eventId`. */
  readonly request: string
  /** Of a list. */
  readonly filters?: Filters
  readonly cost: Cost
}

/**
 * The most rows that a request may read, of each table that its records are read from. Where a lookup finds the workspace, entries
 * are counted and visited, and each is compared by another row.
 */
const rowsMax = { own: 10 * (pageSize.default + 1), byLookup: 4 * entriesMax } as const

/** What requests of the largest workspace cost: list, by time, by event, by status, behind a cursor, and one record. */
export async function measureRequests(sample: Sample, run: RunQuery): Promise<readonly MeasuredRequest[]> {
  const { collection } = sample
  const { table } = collection
  const tables = 1 + listLookups(listRecordColumns(table)).length
  // A page of a view reads all rows of the workspace: for each, one of each lookup, and some of the tables behind the view.
  const ofView = Math.min(sample.workspaces[0]?.rows ?? 0, entriesMax) * (tables + 3)
  const byLookup = table.isView ? ofView : rowsMax.byLookup * tables
  const limit = Math.max(rowsMax.own * tables, table.lookedUp === undefined ? 0 : byLookup)
  const measured: MeasuredRequest[] = []
  for (const { send, ...about } of listRequests(sample, run))
    measured.push({ collection, ...about, cost: await measure(run, limit, send) })
  return measured
}

/** What it costs to look for an API key that does not exist. */
export async function measureKey(keys: ResolvedKeyTable, run: RunQuery): Promise<MeasuredRequest> {
  const hash = keys.hash.kind === 'binary' ? Buffer.alloc(keys.hash.length) : '0'
  const cost = await measure(run, rowsMax.own, () => run(renderKeyLookup(keys, { digest: '', hash })))
  return { request: 'an API key', cost }
}

/** The requests as the service sends them, with values of the rows of the largest workspace; none where it has no record. */
function listRequests({ collection: { table }, shown, workspaces }: Sample, run: RunQuery) {
  const { lookedUp } = table
  const own = shown.filter((one) => one.workspace === workspaces[0]?.code)
  const last = own.at(-1)
  if (last === undefined) return []
  const { workspace: workspaceId, row, record } = last
  const id = String(record['id'])
  const since = { seconds: Math.floor(Date.parse(String(record['updatedAt'])) / 1000), micros: 0 }
  const [{ code: eventId } = { code: '1' }] = countTexts(own.map(({ event }) => event))
  const [{ code: status } = { code: '' }] = countTexts(own.map((one) => String(one.record['status'])))
  const none = { updatedSince: undefined, eventId: undefined, status: undefined }
  const behind = { filters: none, startedAt: since, position: { updatedAt: String(row['updatedAt']), id } }
  const list = (request: string, filters: Filters, crawl?: CrawlState) => {
    const query = { limit: pageSize.default, filters, crawl }
    const send = async () => {
      const input = { table, workspaceId, query, runQuery: run, context: {} }
      const path = lookedUp && (await choosePath({ ...input, lookedUp }))
      return run(renderPage({ table, workspaceId, query, path }))
    }
    return { request, filters, send }
  }
  return [
    list('list', none),
    list('list by updatedSince', { ...none, updatedSince: since }),
    ...(table.eventId === undefined ? [] : [list('list by eventId', { ...none, eventId })]),
    list('list by status', { ...none, status }),
    list('list behind a cursor', none, behind),
    { request: 'one record', send: () => run(renderRecords(table, workspaceId, [id])) },
  ]
}

async function measure(run: RunQuery, limit: number, send: () => Promise<unknown>): Promise<Cost> {
  // For the first reading, the server may have to open its own tables.
  const [, first, before] = [await readStatus(run), await readStatus(run), await readStatus(run)]
  const startedAt = performance.now()
  try {
    await send()
  } catch (error) {
    if (isConnectionLost(error)) throw error
    const failure = isTimeLimit(error)
      ? 'does not end within DATABASE_QUERY_TIMEOUT_MS'
      : `fails: ${error instanceof Error ? error.message : String(error)}`
    return { readRows: Infinity, sortedRows: 0, milliseconds: 0, failure, isCostly: true, rowsMax: limit }
  }
  const milliseconds = performance.now() - startedAt
  const after = await readStatus(run)
  // Reading the status counts too.
  const [readRows = 0, sortedRows = 0] = after.map((count, at) =>
    Math.max(0, count - 2 * (before[at] ?? 0) + (first[at] ?? 0)),
  )
  const isCostly = Math.max(readRows, sortedRows) > limit
  return { readRows, sortedRows, milliseconds, isCostly, rowsMax: limit }
}

/** Counts since the session began. */
const statusSql = "show session status where variable_name like 'Handler%' or variable_name = 'Sort_rows'"

/** Rows read and rows sorted. */
async function readStatus(run: RunQuery): Promise<readonly number[]> {
  const rows = await run({ sql: statusSql, values: [] })
  const count = (name: RegExp): number =>
    rows.reduce((sum, row) => sum + (name.test(String(row['Variable_name'])) ? Number(row['Value']) : 0), 0)
  // Of MariaDB: index entries that a pushed condition was checked for, and those that met it, which are read.
  const rejected = count(/icp_attempts$/) - count(/icp_match$/)
  return [count(/^Handler_read_/) + rejected, count(/^Sort_rows$/)]
}
