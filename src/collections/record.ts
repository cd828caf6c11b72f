import { ResultError } from '../database/errors.js'
import type { Caller, Row, RunStatement } from '../database/statement.js'
import { orUndefined } from '../errors.js'
import { Problem } from '../problems.js'
import { readIdentifier } from '../values/identifiers.js'
import type { BoundCollection } from './collection.js'
import { noRecords, toRecords } from './records.js'
import type { RecordsInput, Records } from './records.js'
import { renderRecords, withResult } from './statements.js'

/** A request for one record. */
export interface RecordRequest {
  readonly collection: BoundCollection
  readonly workspaceId: string
  /** The id as the caller sent it. */
  readonly id: string
  readonly caller: Caller
  /** See `Section.read`. */
  readonly isCompared?: boolean
}

/** Reads one record; none where the workspace has no row of it. @throws Problem */
export type ReadRecord = (request: RecordRequest) => Promise<Records>

/** A request that waits for the statement in progress of its workspace. */
interface Waiting {
  readonly request: RecordRequest
  readonly resolve: (records: Records | Promise<Records>) => void
  readonly reject: (error: unknown) => void
}

/** The requests that wait for the statement in progress of their workspace. */
interface Line {
  readonly workspaceId: string
  readonly waiting: Waiting[]
  timer: NodeJS.Timeout | undefined
}

/** A request is kept back for so long at most, in milliseconds: the statement in progress may wait for a lock. */
const joinMs = 20
/** The most records that one statement reads. */
const joinedMax = 64

/**
 * Reads single records. Those of one workspace that are asked for while a statement is in progress are read together by the
 * next one, which begins after each of them was asked for. A lone request waits for nothing.
 *
 * @param waitingMax the most requests of a workspace that wait here; any other one waits for a slot of its own.
 */
export function createReadRecord(runQuery: RunStatement, waitingMax: number): ReadRecord {
  const lines = new Map<string, Line>()

  const begin = async (workspaceId: string, waiting: Waiting[], reading: Promise<unknown>): Promise<void> => {
    const line: Line = { workspaceId, waiting, timer: undefined }
    if (waiting.length > 0) line.timer = setTimeout(goOn, joinMs, line)
    lines.set(workspaceId, line)
    await reading.catch(() => undefined)
    goOn(line)
  }

  const goOn = (line: Line): void => {
    const { workspaceId, waiting, timer } = line
    clearTimeout(timer)
    // A statement that took too long has left the line to a later one.
    if (lines.get(workspaceId) !== line) return
    const next = waiting.splice(0, joinedMax)
    if (next.length === 0) lines.delete(workspaceId)
    else void begin(workspaceId, waiting, answer(runQuery, next))
  }

  return (request) => {
    const { workspaceId } = request
    const line = lines.get(workspaceId)
    if (line === undefined) {
      const reading = readOne(runQuery, request)
      void begin(workspaceId, [], reading)
      return reading
    }
    if (line.waiting.length >= waitingMax) return readOne(runQuery, request)
    return new Promise((resolve, reject) => {
      line.waiting.push({ request, resolve, reject })
      line.timer ??= setTimeout(goOn, joinMs, line)
    })
  }
}

/** Answers requests that have waited; never throws. */
async function answer(runQuery: RunStatement, all: readonly Waiting[]): Promise<void> {
  const requests = all.map(({ request }) => request)
  const readEach = (): void => {
    for (const { request, resolve } of all) resolve(readOne(runQuery, request))
  }
  // The schema can have changed between two requests.
  if (all.length === 1 || new Set(requests.map(({ collection }) => collection)).size > 1) {
    readEach()
    return
  }
  try {
    const found = await readAll(runQuery, requests)
    for (const [at, { resolve }] of all.entries()) resolve(found[at] ?? noRecords)
  } catch (error) {
    if (error instanceof Problem) for (const { reject } of all) reject(error)
    // An id can be what the server rejects.
    else readEach()
  }
}

async function readOne(runQuery: RunStatement, request: RecordRequest): Promise<Records> {
  const [records = noRecords] = await readAll(runQuery, [request])
  return records
}

/** Reads the records of requests of one collection and workspace with one statement. */
function readAll(runQuery: RunStatement, all: readonly RecordRequest[]): Promise<readonly Records[]> {
  const [first] = all
  if (first === undefined) return Promise.resolve([])
  const { collection, workspaceId } = first
  const { table } = collection
  const ids = all.map(({ id }) => id)
  const statement = renderRecords(table, workspaceId, ids)
  const isCompared = all.some((request) => request.isCompared === true)
  const shown = withResult(statement, toEach, { ids, collection, limit: 1, workspaceId, isCompared })
  // Several have ended when all of them have.
  const caller =
    all.length === 1 ? first.caller : { hasEnded: () => all.every((request) => request.caller.hasEnded()) }
  return runQuery(shown, { caller, workspaceId, table: table.name })
}

type EachInput = RecordsInput & { readonly ids: readonly string[] }

function toEach(rows: readonly Row[], input: EachInput): readonly Records[] {
  const { ids, collection } = input
  const byId = groupById(rows, collection)
  const [id = ''] = ids
  // A statement of several can find others, by their collation.
  if (ids.length === 1 && byId.size > 0 && !byId.has(id))
    throw new ResultError('foreign', `a row of ${collection.table.name} has another id than was asked for`)
  return ids.map((asked) => toRecords(byId.get(asked) ?? (ids.length === 1 ? rows : []), input))
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
