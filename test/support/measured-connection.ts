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
export type MeasuredConnection = Awaited<ReturnType<typeof openMeasuredConnection>>

/** Opens one, with the session that Vitrine's own have. */
export async function openMeasuredConnection(url: string) {
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
  const execute = async ({ sql, values }: Statement): Promise<RowDataPacket[]> => {
    const [rows] = await connection.execute<RowDataPacket[]>(sql, values as (string | Buffer | null)[])
    return rows
  }
  return {
    query,
    /** Runs a prepared statement without counting. */
    runQuery: execute as RunQuery,
    /** Runs a function with a `RunQuery`, and sums up what all its statements read; the rows are those of the last one. */
    measure: async (run: (runQuery: RunQuery) => Promise<unknown>): Promise<RowsRead> => {
      let total: RowsRead = { entries: 0, keys: 0, scanned: 0, statements: 0, rows: [] }
      await run(async (statement) => {
        // Prepared before: a table that is opened anew makes MySQL read its dictionary, which the counters include.
        await connection.prepare(statement.sql)
        const { rows, counts } = await countReads(connection, () => execute(statement))
        const sum = (...names: readonly string[]): number =>
          names.reduce((all, name) => all + (counts.get(`Handler_read_${name}`) ?? 0), 0)
        total = {
          entries: total.entries + sum('next', 'prev', 'first', 'last'),
          keys: total.keys + sum('key'),
          scanned: total.scanned + sum('rnd', 'rnd_next'),
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

type Counts = ReadonlyMap<string, number>

/**
 * Counts what a task reads, by the name of the counter. By differences, and without what reading the counters adds to them:
 * FLUSH STATUS sets them to zero in every session of MySQL, also in those of other tests.
 */
export async function countReads<Rows>(
  connection: mysql.Connection,
  run: () => Promise<Rows>,
): Promise<{ readonly rows: Rows; readonly counts: Counts }> {
  const read = async (): Promise<Counts> => {
    const [status] = await connection.query<RowDataPacket[]>("SHOW SESSION STATUS LIKE 'Handler_read%'")
    return new Map(status.map((row) => [String(row['Variable_name']), Number(row['Value'])]))
  }
  const subtract = (counts: Counts, others: Counts): Counts =>
    new Map([...counts].map(([name, count]) => [name, count - (others.get(name) ?? 0)]))
  let [before, own]: readonly [Counts, Counts] = [await read(), new Map()]
  // The first readings can open the server's own tables.
  for (let isSettled = false; !isSettled;) {
    const next = await read()
    const added = subtract(next, before)
    isSettled = [...added].every(([name, count]) => own.get(name) === count)
    ;[before, own] = [next, added]
  }
  const rows = await run()
  return { rows, counts: subtract(subtract(await read(), before), own) }
}
