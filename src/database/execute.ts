import type { EventEmitter } from 'node:events'
import type { Connection, FieldPacket } from 'mysql2'
import { deadlineCode } from './errors.js'
import type { BoundValue, Row, RowReader, Statement } from './statement.js'

/**
 * The longest text that stays prepared, in characters. MySQL 9.7 keeps about 150 bytes for each character of a
 * statement with many parts: 40 MB for a workspace of 500 parent rows, in every session.
 */
const keptLengthMax = 32_768

/** Receives the result of a statement, or its error. */
type OnEnd<Result> = (error: Error | undefined, result?: Result) => void

/** A connection, and what becomes of its statement where it is lost. */
export interface Session {
  readonly connection: Connection
  /** By `performance.now`. */
  readonly openedAt: number
  /**
   * The statement whose rows are read one by one: the driver reports the loss of the connection to the connection alone. Not a
   * closure: one that a long-lived object holds keeps the objects of a request until the next major garbage collection.
   */
  command: EventEmitter | undefined
}

/**
 * Runs a statement: with values as a prepared statement, so that they are sent apart from the text under every SQL mode.
 * Without any it is sent as text, in one message, from which proxies also read the variables that it sets. A statement for
 * types is prepared too, because it names every mapped column.
 *
 * @param onEnd is called once, with the driver's error or that of the reader; `isConnectionLost` says whether the connection can
 *   be used again. After a deadline it cannot, because the answer can still arrive.
 */
export function execute<Result>(
  session: Session,
  statement: Statement<Result>,
  queryTimeoutMs: number,
  onEnd: OnEnd<Result>,
): void {
  const { sql, values, withTypes = false, createReader } = statement
  const deadline = startDeadline(queryTimeoutMs, onEnd)
  if (createReader !== undefined) {
    readRows(session, statement, createReader(), (error, result) => {
      if (deadline.end()) onEnd(error, result)
    })
    return
  }
  const onRows = (error: Error | null, found: unknown, fields: readonly FieldPacket[]): void => {
    if (!deadline.end()) return
    if (error !== null) onEnd(error)
    else onEnd(undefined, toRows(found as readonly Row[], fields, withTypes) as Result)
  }
  const { connection } = session
  if (values.length === 0 && !withTypes) connection.query(sql, onRows)
  else connection.execute(sql, values as BoundValue[], onRows)
}

/** Row by row, so that no more than a page is kept of a large result. */
function readRows<Result>(
  session: Session,
  { sql, values }: Statement<Result>,
  reader: RowReader<Result>,
  onEnd: OnEnd<Result>,
): void {
  const { connection } = session
  let definitions: readonly FieldPacket[] = []
  // An error of the reader waits until the driver has read the rest of the result: the connection can be used again then.
  let failure: Error | undefined
  const note = (error: unknown): void => {
    failure ??= error instanceof Error ? error : new Error(String(error))
  }
  const command = connection.execute(sql, values as BoundValue[])
  session.command = command
  const end = (): void => {
    if (session.command !== command) return
    session.command = undefined
    if (sql.length > keptLengthMax) connection.unprepare(sql)
    let result: Result | undefined
    try {
      if (failure === undefined) result = reader.end(definitions)
    } catch (error) {
      note(error)
    }
    onEnd(failure, result)
  }
  command
    .on('fields', (fields: readonly FieldPacket[]) => {
      definitions = fields
    })
    .on('result', (row: Row) => {
      try {
        if (failure === undefined) reader.read(row)
      } catch (error) {
        note(error)
      }
    })
    // Followed by `end`.
    .on('error', note)
    .on('end', end)
}

function toRows(rows: readonly Row[], fields: readonly FieldPacket[], withTypes: boolean): readonly Row[] {
  return withTypes ? rows.map((row) => ({ ...row, types: toTypesText(fields) })) : rows
}

/** The definitions of columns as text. */
export function toTypesText(fields: readonly FieldPacket[]): string {
  let text = ''
  for (const { columnType, columnLength, decimals, flags, characterSet } of fields)
    text += `${columnType ?? ''} ${columnLength ?? ''} ${decimals} ${String(flags)} ${characterSet ?? ''},`
  return text
}

/** The client's time limit is this much longer than the server's, which ends a statement more cleanly. */
const clientGraceMs = 1000

/** A running time limit of the client. */
export interface Deadline {
  /** Stops the timer. @returns whether the deadline has not passed yet. */
  readonly end: () => boolean
}

/**
 * Starts the time limit of a statement. The driver's own one begins after a statement was prepared, and a lock can delay
 * that without end.
 */
export function startDeadline(queryTimeoutMs: number, onPassed: (error: Error) => void): Deadline {
  let isPassed = false
  const timer = setTimeout(() => {
    isPassed = true
    const error = new Error('The database did not answer in time')
    onPassed(Object.assign(error, { code: deadlineCode }))
  }, queryTimeoutMs + clientGraceMs)
  return {
    end: () => {
      clearTimeout(timer)
      return !isPassed
    },
  }
}
