import { combineSockets } from '../database/statement.js'
import type { ClientSocket, FoundRows, QueryContext, Row, RunQuery } from '../database/statement.js'
import { Problem } from '../errors.js'
import { readIdentifier } from '../values/identifier.js'
import { batchSizeMax, renderRecord, renderRecords } from './record.js'
import type { RecordPlan } from './record.js'

/** A request for one record. */
export interface ItemRequest {
  readonly workspaceId: string
  readonly id: string
  readonly plan: RecordPlan
  readonly socket?: ClientSocket | undefined
}

/** Reads the rows of one record; undefined where the workspace has none. @throws Problem */
export type ReadItem = (request: ItemRequest) => Promise<FoundRows | undefined>

interface ItemReaderInput {
  readonly runQuery: RunQuery
  /** With tracing: binds a statement that runs later to the trace of the current request. */
  readonly bindQuery: ((runQuery: RunQuery) => RunQuery) | undefined
  /** The most requests of a workspace that wait for a batch; any other one is read by a statement of its own. */
  readonly queueLimit: number
}

/** How long a batch waits for the statement before it, in milliseconds: that one may wait for a lock. */
const batchDelayMaxMs = 20

interface QueuedRequest extends ItemRequest {
  readonly runQuery: RunQuery
  readonly resolve: (rows: FoundRows | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads single records of one collection. A request of a workspace without a statement in flight is sent at once.
 * Requests that arrive meanwhile are queued, and the next statement of the workspace reads them together. A statement that
 * was sent is never shared, so no answer is older than its request.
 */
export function createItemReader({ runQuery, bindQuery, queueLimit }: ItemReaderInput): ReadItem {
  /** The queues of the workspaces that have a statement in flight. */
  const queues = new Map<string, QueuedRequest[]>()

  const startBatch = (workspaceId: string): void => {
    const batch = queues.get(workspaceId)?.splice(0, batchSizeMax) ?? []
    if (batch.length === 0) queues.delete(workspaceId)
    else void runFirst(workspaceId, () => readBatch(batch))
  }

  /** Runs a statement of a workspace, and the next batch after it. */
  const runFirst = async <Result>(workspaceId: string, read: () => Promise<Result>): Promise<Result> => {
    let isOver = false
    const end = (): void => {
      if (!isOver) startBatch(workspaceId)
      isOver = true
    }
    const timer = setTimeout(end, batchDelayMaxMs)
    try {
      return await read()
    } finally {
      clearTimeout(timer)
      end()
    }
  }

  return (request) => {
    const { workspaceId } = request
    const queue = queues.get(workspaceId)
    if (queue === undefined) {
      queues.set(workspaceId, [])
      return runFirst(workspaceId, () => readOne(request, runQuery))
    }
    if (queue.length >= queueLimit) return readOne(request, runQuery)
    return new Promise((resolve, reject) => {
      queue.push({ ...request, runQuery: bindQuery?.(runQuery) ?? runQuery, resolve, reject })
    })
  }
}

async function readOne(
  { plan, ...request }: ItemRequest,
  runQuery: RunQuery,
): Promise<FoundRows | undefined> {
  const [row, ...others] = await runQuery(renderRecord(plan), toContext(plan, request))
  return row && [row, ...others]
}

function toContext(
  { table }: RecordPlan,
  { socket, workspaceId }: Pick<ItemRequest, 'socket' | 'workspaceId'>,
): QueryContext {
  return { socket, workspaceId, table: table.name }
}

/** Never throws: every error rejects the requests of the batch. */
async function readBatch(batch: readonly QueuedRequest[]): Promise<void> {
  const [first] = batch
  if (first === undefined || batch.length === 1) {
    await Promise.all(batch.map(settle))
    return
  }
  try {
    const [, ...others] = batch
    const statement = renderRecords([first.plan, ...others.map(({ plan }) => plan)])
    const socket = combineSockets(batch.map((request) => request.socket))
    const rows = await first.runQuery(statement, toContext(first.plan, { ...first, socket }))
    const found = groupById(rows, first.plan)
    for (const { id, resolve } of batch) resolve(found.get(id))
  } catch (error) {
    if (error instanceof Problem) for (const { reject } of batch) reject(error)
    // The server may reject the id of one request, which must not fail the others.
    else await Promise.all(batch.map(settle))
  }
}

async function settle(request: QueuedRequest): Promise<void> {
  try {
    request.resolve(await readOne(request, request.runQuery))
  } catch (error) {
    request.reject(error)
  }
}

/** Rows by the id as it is shown, so that the comparison is exact whatever the collation of the column. */
function groupById(rows: readonly Row[], { table }: RecordPlan): ReadonlyMap<string, FoundRows> {
  const found = new Map<string, FoundRows>()
  for (const row of rows) {
    const id = readIdentifier(row['id'], table.id.identifier)
    const [first, ...others] = found.get(id) ?? [row]
    found.set(id, found.has(id) ? [first, ...others, row] : [row])
  }
  return found
}
