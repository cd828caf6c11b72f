import { combineCallers, isDisconnected } from '../database/statement.js'
import type { Caller, Row, RunQuery } from '../database/statement.js'
import { databaseUnavailable } from '../database/errors.js'
import { Problem } from '../errors.js'
import { readIdentifier } from '../values/identifier.js'
import { batchSizeMax, renderBatch, renderItem } from './item-sql.js'
import type { ItemPlan } from './item-sql.js'

/** A request for one record. */
export interface ItemRequest {
  readonly workspaceId: string
  readonly id: string
  readonly plan: ItemPlan
  readonly caller?: Caller | undefined
}

/** Reads the row of one record; undefined where the workspace has none. @throws Problem */
export type ReadItem = (request: ItemRequest) => Promise<Row | undefined>

interface BatchingInput {
  readonly runQuery: RunQuery
  /** With tracing: binds a statement that runs later to the trace of the current request. */
  readonly bindQuery: ((runQuery: RunQuery) => RunQuery) | undefined
  /** The most requests that can be queued for a batch. */
  readonly queueLimit: number
  /** Makes the error of a request that the queue has no room for, and of one whose caller disconnected. */
  readonly createOverloaded: () => Error
}

/** How long a batch waits for the statement before it, in milliseconds: that one may wait for a lock. */
const batchDelayMaxMs = 20

interface QueuedRequest extends ItemRequest {
  readonly runQuery: RunQuery
  readonly resolve: (row: Row | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads single records of one collection. Requests that arrive while a statement runs are queued, and those of one
 * workspace are read by the next statement together. A request that finds no statement running is sent at once. A
 * statement that was sent is never shared, so no answer is older than its request.
 */
export function createItemReader(input: BatchingInput): ReadItem {
  const { runQuery, bindQuery, queueLimit } = input
  // No request may wait, not even for a batch.
  if (queueLimit === 0) return (request) => readOne(request, runQuery)
  const queue = createBatchQueue(input)
  /** The statement that the next batch waits for. */
  let running: object | undefined
  let timer: NodeJS.Timeout | undefined

  const run = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    const own = {}
    running = own
    if (queue.size() > 0) startTimer()
    try {
      return await read()
    } finally {
      startNext(own)
    }
  }

  const startNext = (ended: object | undefined): void => {
    if (running !== ended) return
    running = undefined
    clearTimeout(timer)
    timer = undefined
    const batch = queue.takeBatch()
    if (batch.length > 0) void run(() => readBatch(batch))
  }

  // Only where a request is queued, so that a single request needs no timer.
  const startTimer = (): void => {
    timer ??= setTimeout(startNext, batchDelayMaxMs, running)
  }

  return async (request) => {
    if (running === undefined) return run(() => readOne(request, runQuery))
    return new Promise((resolve, reject) => {
      queue.add({ ...request, runQuery: bindQuery?.(runQuery) ?? runQuery, resolve, reject })
      startTimer()
    })
  }
}

async function readOne(
  { workspaceId, plan, caller }: ItemRequest,
  runQuery: RunQuery,
): Promise<Row | undefined> {
  const rows = await runQuery(renderItem(plan), { caller, workspaceId, table: plan.table.name })
  if (rows.length > 1) throw createRepeated()
  return rows[0]
}

/** Never throws: every error rejects the requests of the batch. */
async function readBatch(batch: readonly QueuedRequest[]): Promise<void> {
  const [first] = batch
  if (first === undefined) return
  if (batch.length === 1) {
    await settle(first)
    return
  }
  try {
    const rows = await first.runQuery(renderBatch(batch.map(({ plan }) => plan)), {
      caller: combineCallers(batch.map(({ caller }) => caller)),
      workspaceId: first.workspaceId,
      table: first.plan.table.name,
    })
    const found = indexRows(rows, first.plan)
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
function indexRows(rows: readonly Row[], { table }: ItemPlan): ReadonlyMap<string, Row> {
  const found = new Map(rows.map((row) => [readIdentifier(row['id'], table.id.identifier), row]))
  if (found.size < rows.length) throw createRepeated()
  return found
}

/** The error of a record that comes more than once. */
export function createRepeated(): Problem {
  return databaseUnavailable(
    new Error('A record is returned twice: its id, or the key of a lookup, is not unique'),
  )
}

/** The queued requests by workspace, each in the order of arrival. */
interface BatchQueue {
  /** @throws the error of `createOverloaded` when there is no room. */
  readonly add: (request: QueuedRequest) => void
  /** The oldest requests of the next workspace; empty when none is queued. */
  readonly takeBatch: () => readonly QueuedRequest[]
  readonly size: () => number
}

/**
 * Workspaces take turns. When the queue is full, requests of disconnected callers are rejected first; then the newest
 * request of the workspace with the most, if the workspace of the new one still has fewer.
 */
function createBatchQueue({ queueLimit, createOverloaded }: BatchingInput): BatchQueue {
  const groups = new Map<string, QueuedRequest[]>()
  let size = 0

  /** Replaces the requests of a workspace, which comes last then. */
  const replace = (workspaceId: string, requests: QueuedRequest[]): void => {
    size += requests.length - (groups.get(workspaceId)?.length ?? 0)
    groups.delete(workspaceId)
    if (requests.length > 0) groups.set(workspaceId, requests)
  }

  const rejectDisconnected = (requests: readonly QueuedRequest[]): QueuedRequest[] =>
    requests.filter(({ caller, reject }) => {
      if (!isDisconnected(caller)) return true
      reject(createOverloaded())
      return false
    })

  const makeRoom = (workspaceId: string): void => {
    for (const [id, requests] of [...groups]) replace(id, rejectDisconnected(requests))
    if (size < queueLimit) return
    const largest = [...groups.values()].reduce((most, one) => (one.length > most.length ? one : most), [])
    if (largest.length <= (groups.get(workspaceId)?.length ?? 0) + 1) throw createOverloaded()
    largest.pop()?.reject(createOverloaded())
    size -= 1
  }

  return {
    add: (request) => {
      if (size >= queueLimit) makeRoom(request.workspaceId)
      const requests = groups.get(request.workspaceId)
      if (requests === undefined) groups.set(request.workspaceId, [request])
      else requests.push(request)
      size += 1
    },
    takeBatch: () => {
      for (const [workspaceId, requests] of [...groups]) {
        replace(workspaceId, requests.slice(batchSizeMax))
        const batch = rejectDisconnected(requests.slice(0, batchSizeMax))
        if (batch.length > 0) return batch
      }
      return []
    },
    size: () => size,
  }
}
