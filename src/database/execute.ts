import type { Connection, FieldPacket, QueryError } from 'mysql2'
import { deadlineCode, ResultError } from './errors.js'
import { requireRows } from './result.js'
import type { BoundValue, ColumnDefinitions, Statement } from './statement.js'

/**
 * Runs a statement: with values as a prepared statement, so that they are sent apart from the text under every SQL mode.
 * Without any it is sent as text, in one message, from which proxies also read the variables that it sets.
 *
 * @param onEnd is called once, with the driver's error, a ResultError, or an error of `toResult`; `isConnectionLost` says whether
 *   the connection can be used again. After a deadline it cannot, because the answer can still arrive.
 */
export function execute<Result>(
  connection: Connection,
  statement: Statement<Result>,
  queryTimeoutMs: number,
  onEnd: (error: Error | undefined, result?: Result) => void,
): void {
  const { sql, values } = statement
  const endDeadline = startDeadline(queryTimeoutMs, onEnd)
  const onRows = (error: QueryError | null, found: unknown, columns?: FieldPacket[]): void => {
    if (!endDeadline()) return
    const result = error === null ? make(found, columns, statement) : toResultError(error)
    if (result instanceof Error) onEnd(result)
    else onEnd(undefined, result)
  }
  if (values.length === 0) connection.query(sql, onRows)
  else connection.execute(sql, values as BoundValue[], onRows)
}

/** An error that no server has sent, and that is not the end of the connection, is of bytes that are not rows. */
function toResultError(error: QueryError): Error {
  const isOfBytes = (error as Partial<QueryError>).errno === undefined && !error.fatal
  return isOfBytes ? new ResultError('answer', `a result cannot be read: ${error.message}`) : error
}

/** The result of an answer, or why there is none: the driver would not catch an error. */
function make<Result>(
  found: unknown,
  columns: ColumnDefinitions | undefined,
  statement: Statement<Result>,
): Result | Error {
  const { toResult, input } = statement
  try {
    const rows = requireRows(found, columns, statement)
    return toResult === undefined ? (rows as Result) : toResult(rows, input as never)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The client's time limit is this much longer than the server's, which ends a statement more cleanly. */
const clientGraceMs = 1000

/**
 * Starts the time limit of a statement. The driver's own one begins after a statement was prepared, and a lock can delay
 * that without end. The driver also calls back twice where the connection is lost while it prepares a statement.
 *
 * @returns ends it, and says whether this is the first end: it has not passed either.
 */
export function startDeadline(queryTimeoutMs: number, onPassed: (error: Error) => void): () => boolean {
  let hasEnded = false
  const timer = setTimeout(() => {
    hasEnded = true
    const error = new Error('The database did not answer in time')
    onPassed(Object.assign(error, { code: deadlineCode }))
  }, queryTimeoutMs + clientGraceMs)
  return () => {
    if (hasEnded) return false
    hasEnded = true
    clearTimeout(timer)
    return true
  }
}
