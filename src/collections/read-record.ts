import { overloaded } from '../database/errors.js'
import type { Caller, ColumnDefinitions, Row, RunStatement, Statement } from '../database/statement.js'
import { orUndefined, Problem } from '../errors.js'
import { readIdentifier } from '../values/identifier.js'
import type { BoundCollection } from './collection.js'
import { joinedMax, renderRecord, renderRecords } from './record.js'
import type { RecordPlan } from './record.js'
import { toRecords } from './records.js'
import type { Records } from './records.js'

/** A request for one record. */
export interface RecordRequest {
  readonly collection: BoundCollection
  readonly workspaceId: string
  /** The id as the caller sent it. */
  readonly id: string
  readonly plan: RecordPlan
  readonly caller?: Caller | undefined
}

/** Reads one record; none where the workspace has no row of it. @throws Problem */
export type ReadRecord = (request: RecordRequest) => Promise<Records>

interface Waiting {
  readonly request: RecordRequest
  readonly resolve: (records: Records | Promise<Records>) => void
  readonly reject: (error: unknown) => void
}

/** A request is kept back for so long at most, in milliseconds: the statement in progress may wait for a lock. */
const joinMs = 20

/** The requests that wait for the statement in progress of their workspace. */
interface Line {
  readonly waiting: Waiting[]
  timer?: NodeJS.Timeout
}

/**
 * Reads single records. Those of one workspace that are asked for while a statement is in progress are read together by the
 * next one, which begins after each of them was asked for. A lone request waits for nothing.
 *
 * @param waitingMax the most requests of a workspace that wait.
 */
export function createReadRecord(runQuery: RunStatement, waitingMax: number): ReadRecord {
  const lines = new Map<string, Line>()

  /** Reads what waits for a statement that has ended, or takes too long. */
  const goOn = (workspaceId: string, line: Line): void => {
    if (lines.get(workspaceId) !== line) return
    clearTimeout(line.timer)
    const next = line.waiting.splice(0, joinedMax)
    if (next.length === 0) lines.delete(workspaceId)
    else void begin(workspaceId, line.waiting, answer(runQuery, next))
  }

  const begin = <Result>(
    workspaceId: string,
    waiting: Waiting[],
    reading: Promise<Result>,
  ): Promise<Result> => {
    const line: Line = { waiting }
    lines.set(workspaceId, line)
    if (waiting.length > 0) setTimer(workspaceId, line)
    const end = (): void => {
      goOn(workspaceId, line)
    }
    reading.then(end, end)
    return reading
  }

  const setTimer = (workspaceId: string, line: Line): void => {
    line.timer = setTimeout(() => {
      goOn(workspaceId, line)
    }, joinMs)
  }

  return (request) => {
    const { workspaceId } = request
    const line = lines.get(workspaceId)
    if (line === undefined) return begin(workspaceId, [], readOne(runQuery, request))
    if (line.waiting.length >= waitingMax) return Promise.reject(overloaded())
    if (line.waiting.length === 0) setTimer(workspaceId, line)
    return new Promise((resolve, reject) => {
      line.waiting.push({ request, resolve, reject })
    })
  }
}

function readOne(
  runQuery: RunStatement,
  { collection, plan, workspaceId, caller }: RecordRequest,
): Promise<Records> {
  const statement = renderRecord(plan)
  const { showsTypes } = statement
  const toResult: Statement<Records>['toResult'] = (rows, columns) =>
    toRecords(rows, { collection, limit: 1, columns, showsTypes })
  return runQuery({ ...statement, toResult }, { caller, workspaceId, table: plan.table.name })
}

/** Answers requests that have waited; never throws. */
async function answer(runQuery: RunStatement, all: readonly Waiting[]): Promise<void> {
  // The schema can have changed between two requests.
  const isAlone = ({ request }: Waiting): boolean => request.collection !== all[0]?.request.collection
  const [first, ...others] = all.filter((one) => !isAlone(one))
  const settle = ({ request, resolve }: Waiting): void => {
    resolve(readOne(runQuery, request))
  }
  all.filter(isAlone).forEach(settle)
  if (first === undefined) return
  if (others.length === 0) {
    settle(first)
    return
  }
  const joined = [first, ...others]
  try {
    const { collection, plan, workspaceId } = first.request
    const statement = renderRecords([plan, ...others.map(({ request }) => request.plan)])
    const context = { caller: gather(joined), workspaceId, table: plan.table.name }
    const toResult: Statement<Joined>['toResult'] = (rows, columns) => ({
      byId: groupById(rows, collection),
      columns,
    })
    const { showsTypes } = statement
    const { byId, columns } = await runQuery({ ...statement, toResult }, context)
    for (const { request, resolve } of joined)
      resolve(toRecords(byId.get(request.id) ?? [], { collection, limit: 1, columns, showsTypes }))
  } catch (error) {
    if (error instanceof Problem) for (const { reject } of joined) reject(error)
    // An id can be what the server rejects.
    else joined.forEach(settle)
  }
}

/** The rows of several requests, by their ids, and the columns of their statement. */
interface Joined {
  readonly byId: ReadonlyMap<string, readonly Row[]>
  readonly columns: ColumnDefinitions
}

/** Rows by their ids as they are shown; a collation can find others than those that were asked for. */
function groupById(rows: readonly Row[], { table }: BoundCollection): ReadonlyMap<string, readonly Row[]> {
  const byId = new Map<string, Row[]>()
  for (const row of rows) {
    const id = orUndefined(() => readIdentifier(row['id'], table.id.identifier))
    if (id === undefined) continue
    const same = byId.get(id)
    if (same === undefined) byId.set(id, [row])
    else same.push(row)
  }
  return byId
}

/** The callers of several requests as one, which has ended when all of them have. */
function gather(all: readonly Waiting[]): Caller | undefined {
  const callers = all.flatMap(({ request: { caller } }) => caller ?? [])
  if (callers.length === 0) return undefined
  return {
    hasEnded: () => callers.every((one) => one.hasEnded()),
    onEnd: (task) => {
      let left = callers.length
      for (const one of callers)
        one.onEnd(() => {
          left -= 1
          if (left === 0) task()
        })
    },
  }
}
