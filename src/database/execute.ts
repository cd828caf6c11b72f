import type { FieldPacket, PoolConnection } from 'mysql2'
import type { BoundValue, Row, RowReader, Statement } from './statement.js'

/**
 * The longest text that stays prepared, in characters. MySQL 9.7 keeps about 150 bytes for each character of a
 * statement with many parts: 40 MB for a workspace of 500 parent rows, in every session.
 */
const keptLengthMax = 32_768

/**
 * Runs a statement: with values as a prepared statement, so that they are sent apart from the text under every SQL mode.
 * Without any it is sent as text, in one message, from which proxies also read the variables that it sets. A statement for
 * types is prepared too, because it follows each empty answer, and names every mapped column.
 *
 * @param reader makes the result; without it, the result has an object for each row.
 * @throws the driver's error, or that of the reader; `isConnectionLost` says whether the connection can be used again.
 *   After a deadline it cannot, because the answer can still arrive.
 */
export function execute<Result>(
  connection: PoolConnection,
  { sql, values, withTypes = false }: Statement<Result>,
  queryTimeoutMs: number,
  reader?: RowReader<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const deadline = startDeadline(queryTimeoutMs, reject)
    // An error of the reader waits until the driver has read the rest of the result: the connection can be used again then.
    let failure: Error | undefined
    const note = (error: unknown): void => {
      failure ??= error instanceof Error ? error : new Error(String(error))
    }
    const onEnd = (error: Error | null, found: unknown, fields: readonly FieldPacket[]): void => {
      if (sql.length > keptLengthMax) connection.unprepare(sql)
      if (!deadline.end()) return
      if (error !== null) note(error)
      try {
        const rows = found as readonly Row[]
        if (failure === undefined)
          resolve(reader === undefined ? (toRows(rows, fields, withTypes) as Result) : reader.end(fields))
      } catch (thrown) {
        note(thrown)
      }
      if (failure !== undefined) reject(failure)
    }
    if (reader === undefined && values.length === 0 && !withTypes) {
      connection.query(sql, onEnd)
      return
    }
    if (reader === undefined) {
      connection.execute(sql, values as BoundValue[], onEnd)
      return
    }
    let definitions: readonly FieldPacket[] = []
    // Row by row, so that no more than a page is kept of a large result.
    connection
      .execute(sql, values as BoundValue[])
      .on('fields', (fields: readonly FieldPacket[]) => {
        definitions = fields
      })
      .on('result', (row: Row) => {
        try {
          if (failure === undefined) reader.read(row)
        } catch (thrown) {
          note(thrown)
        }
      })
      .on('error', (error: Error) => {
        onEnd(error, [], [])
      })
      .on('end', () => {
        onEnd(null, [], definitions)
      })
  })
}

function toRows(rows: readonly Row[], fields: readonly FieldPacket[], withTypes: boolean): readonly Row[] {
  return withTypes ? rows.map((row) => ({ ...row, types: toTypesText(fields) })) : rows
}

/** The definitions of columns as text. */
export function toTypesText(fields: readonly FieldPacket[]): string {
  return fields
    .map(({ columnType, columnLength, decimals, flags, characterSet }) =>
      [columnType, columnLength, decimals, flags, characterSet].join(' '),
    )
    .join()
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
    onPassed(Object.assign(error, { code: 'PROTOCOL_DEADLINE' }))
  }, queryTimeoutMs + clientGraceMs)
  return {
    end: () => {
      clearTimeout(timer)
      return !isPassed
    },
  }
}
