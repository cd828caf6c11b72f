import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import type { RunQuery, Statement } from '../../src/database/statement.js'

/*
 * How many rows the storage engine hands over, by the server's own Handler_read counters; they do not depend on how fast
 * the machine is.
 */

/** Rows that the engine read for one statement or for several. */
export interface RowsRead {
  /** Entries of indexes that were stepped through. */
  readonly entries: number
  /** Rows that were found by a key, and beginnings of a range. */
  readonly keys: number
  /** Rows of a table without an index, such as one that the server keeps a page in. */
  readonly scanned: number
  /** How many statements were sent. */
  readonly statements: number
  readonly rows: readonly RowDataPacket[]
}

/** A connection of the administrator that counts what its statements read. */
export interface MeasuredConnection {
  readonly query: (sql: string) => Promise<readonly RowDataPacket[]>
  /** Runs a prepared statement without counting. */
  readonly runQuery: RunQuery
  /** Runs a function with a `RunQuery`, and sums up what all its statements read; the rows are those of the last one. */
  readonly measure: (run: (runQuery: RunQuery) => Promise<unknown>) => Promise<RowsRead>
  readonly end: () => Promise<void>
}

/** Opens one, with the session that Vitrine's own have. */
export async function openMeasuredConnection(url: string): Promise<MeasuredConnection> {
  const connection = await mysql.createConnection({
    uri: url,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  })
  await connection.query(
    "SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,ALLOW_INVALID_DATES'",
  )
  const query = async (sql: string): Promise<readonly RowDataPacket[]> => {
    const [rows] = await connection.query<RowDataPacket[]>(sql)
    return rows
  }
  const readCounters = async (): Promise<Pick<RowsRead, 'entries' | 'keys' | 'scanned'>> => {
    const status = await query("SHOW SESSION STATUS LIKE 'Handler_read%'")
    const counts = new Map(status.map((row) => [String(row['Variable_name']), Number(row['Value'])]))
    const sum = (...names: readonly string[]): number =>
      names.reduce((total, name) => total + (counts.get(`Handler_read_${name}`) ?? 0), 0)
    return {
      entries: sum('next', 'prev', 'first', 'last'),
      keys: sum('key'),
      scanned: sum('rnd', 'rnd_next'),
    }
  }
  const execute = async ({ sql, values }: Statement): Promise<RowDataPacket[]> => {
    const [rows] = await connection.execute<RowDataPacket[]>(sql, values as (string | Buffer | null)[])
    return rows
  }
  return {
    query,
    runQuery: execute,
    measure: async (run) => {
      let total: RowsRead = { entries: 0, keys: 0, scanned: 0, statements: 0, rows: [] }
      await run(async (statement) => {
        // Prepared before: a table that is opened anew makes MySQL read its dictionary, which the counters include.
        await connection.prepare(statement.sql)
        await connection.query('FLUSH STATUS')
        const rows = await execute(statement)
        const read = await readCounters()
        total = {
          entries: total.entries + read.entries,
          keys: total.keys + read.keys,
          scanned: total.scanned + read.scanned,
          statements: total.statements + 1,
          rows,
        }
        return rows
      })
      return total
    },
    end: () => connection.end(),
  }
}
