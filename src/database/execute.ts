import { createRequire } from 'node:module'
import type { FieldPacket, PoolConnection, Query } from 'mysql2'
import { Cells } from './cells.js'
import type { ResultColumn } from './cells.js'
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
 * @param onBegun receives what ends the statement with an error before the server answers.
 * @throws the driver's error, or that of the reader; `isConnectionLost` says whether the connection can be used again.
 *   After a deadline it cannot, because the answer can still arrive.
 */
export function execute<Result>(
  connection: PoolConnection,
  { sql, values, withTypes = false }: Statement<Result>,
  queryTimeoutMs: number,
  reader?: RowReader<Result>,
  onBegun?: (fail: (error: unknown) => void) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    onBegun?.(reject)
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
          resolve(reader === undefined ? (toRows(rows, fields, withTypes) as Result) : reader.end())
      } catch (thrown) {
        note(thrown)
      }
      if (failure !== undefined) reject(failure)
    }
    if (reader === undefined && values.length === 0 && !withTypes) {
      connection.query(sql, onEnd)
      return
    }
    const command = connection.execute(sql, values as BoundValue[], onEnd)
    if (reader === undefined) return
    readRowsBy(command, (cells) => {
      try {
        if (failure === undefined) reader.read(cells)
      } catch (thrown) {
        note(thrown)
      }
    })
  })
}

function toRows(rows: readonly Row[], fields: readonly FieldPacket[], withTypes: boolean): readonly Row[] {
  return withTypes ? rows.map((row) => ({ ...row, types: toTypesText(fields) })) : rows
}

function toTypesText(fields: readonly FieldPacket[]): string {
  return fields
    .map(({ columnType, columnLength, decimals, flags, characterSet }) =>
      [columnType, columnLength, decimals, flags, characterSet].join(' '),
    )
    .join()
}

/*
 * The one place that knows the inside of the driver: it makes the parser of a result's rows with a method of the command,
 * which is replaced here, so that rows become JSON without an object for each. `requireDriver` holds the version to it.
 */

/** The driver's packet of one row. */
interface RowPacket {
  readonly buffer: Buffer
  readonly offset: number
}

/** Reads the rows of one result. */
interface RowParser {
  readonly next: (packet: RowPacket) => void
}

interface ExecuteCommand {
  buildParserFromFields: (fields: readonly ResultColumn[]) => new () => RowParser
}

function readRowsBy(command: Query, read: (cells: Cells) => void): void {
  const execution = command as unknown as ExecuteCommand
  execution.buildParserFromFields = (fields) => {
    const cells = new Cells(fields)
    const parser: RowParser = {
      next: ({ buffer, offset }) => {
        cells.scan(buffer, offset)
        read(cells)
      },
    }
    return giveParser.bind(undefined, parser) as unknown as new () => RowParser
  }
}

/**
 * The driver calls `new` on what it gets as the parser. Every function and class that is called so has a map of its own,
 * which lives in the old space, and from there would keep the whole request until the next full collection. All bound
 * functions share the map of this one.
 */
function giveParser(parser: RowParser): RowParser {
  return parser
}

/** The version of the driver whose inside `readRowsBy` knows. */
export const driverVersion = '3.24.5'

/** @throws Error where another version of the driver is installed. */
export function requireDriver(
  { version } = createRequire(import.meta.url)('mysql2/package.json') as { readonly version: string },
): void {
  if (version === driverVersion) return
  throw new Error(
    `mysql2 ${version} is installed, and Vitrine reads rows by the inside of mysql2 ${driverVersion}; to fix it: install the packages of package-lock.json with npm ci`,
  )
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
