import mysql from 'mysql2/promise'
import { loadMapping, renderGrants } from './built.js'
import type { Janitor } from './janitor.js'
import { toCode } from './error-text.js'
import { quoteName, withConnection } from './load.js'
import { columnValues, isColumnValue } from './text-source.js'
import type { ColumnValue } from './text-source.js'
import { mintKey } from './mint-key.js'
import type { KeyInput } from './mint-key.js'
import { createPassword, runStatements, withAccount } from './server.js'
import type { Server } from './server.js'
import { readScript } from './sql-script.js'

/** A product's database on a throwaway server. It is gone after `stop()` of the server, or when this process ends. */
export interface TestDatabase {
  /** The address for the administrator, who may change anything in it. */
  readonly adminUrl: string
  /** The address for a user who may read the mapped columns and nothing else: a `DATABASE_URL` for Vitrine. */
  readonly readUrl: string
  /** The absolute name of the mapping file: a `MAPPING_FILE` for Vitrine. */
  readonly mappingFile: string
  /**
   * Runs one statement as the administrator, with `?` for each value, on a connection of its own, whose session is in UTC.
   *
   * @returns the rows; dates and times are text, a DATETIME as it is stored. Empty for a statement that reads nothing.
   * @throws Error of the server. TypeError for a Date: a statement does not say in which zone it is stored.
   */
  readonly query: (
    sql: string,
    values?: readonly Exclude<ColumnValue, Date>[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /**
   * Stores a new API key in the key table of the mapping.
   *
   * @returns the key itself, for the header `Authorization: Bearer`.
   * @throws Error for a scope or a workspace that the mapping cannot have, and for a column that needs a value, which `columns` can give.
   */
  readonly mintKey: (input: KeyInput) => Promise<string>
  /**
   * Restores the first rows and every key of `mintKey`, while Vitrine runs. A change of a table's definition stays.
   *
   * @throws Error after three seconds, if a transaction of another session holds a table.
   */
  readonly reset: () => Promise<void>
}

/** An empty database, and the names of what belongs to it. */
export interface NewDatabase {
  readonly adminUrl: string
  readonly user: string
  readonly password: string
}

/** Makes an empty database; the janitor drops everything that belongs to it. */
export async function createDatabase(server: Server, janitor: Janitor, name: string): Promise<NewDatabase> {
  const suffix = crypto.randomUUID().slice(0, 8)
  // With the process that made it, so that its origin can be found.
  const database = `vitrine_${name}_${process.pid}_${suffix}`
  const user = `vitrine_${suffix}`
  janitor.add({
    do: 'sql',
    url: server.adminUrl,
    database,
    statements: [`DROP DATABASE IF EXISTS ${database}`, `DROP USER IF EXISTS '${user}'@'%'`],
  })
  await runStatements(server.adminUrl, [`CREATE DATABASE ${database} CHARACTER SET utf8mb4`])
  return { adminUrl: withAccount(server.adminUrl, { database }), user, password: createPassword() }
}

/** What tests do with a database that has its tables, its rows and its user. */
export function toTestDatabase(
  { adminUrl, user, password }: NewDatabase,
  mappingFile: string,
  fill: () => Promise<void>,
): TestDatabase {
  const minted: string[] = []
  return {
    adminUrl,
    readUrl: withAccount(adminUrl, { user, password }),
    mappingFile,
    query: (sql, values = []) =>
      withConnection(adminUrl, async (connection) => {
        requireValues(values)
        const [rows] = await connection.query(sql, [...values])
        return Array.isArray(rows) ? (rows as readonly Readonly<Record<string, unknown>>[]) : []
      }),
    mintKey: async (input) => {
      const { key, insert } = await mintKey(adminUrl, await loadMapping(mappingFile), input)
      minted.push(insert)
      return key
    },
    reset: async () => {
      await withConnection(adminUrl, emptyTables)
      await fill()
      await runStatements(adminUrl, minted)
    },
  }
}

/** @throws TypeError for values that mysql2 would write as several, or as nothing */
function requireValues(values: unknown): void {
  if (!Array.isArray(values)) throw new TypeError('query: values must be a list, one for each ?')
  if (values.some((value) => value instanceof Date))
    throw new TypeError('query takes no Date: write the text that the column stores')
  const at = values.findIndex((value) => !isColumnValue(value))
  if (at >= 0) throw new TypeError(`query: value ${at + 1} must be ${columnValues}`)
}

/** Deletes all rows, whatever refers to them, so that no trigger runs and AUTO_INCREMENT counts from 1 again. */
async function emptyTables(connection: mysql.Connection): Promise<void> {
  const [tables] = await connection.query<mysql.RowDataPacket[]>(
    "SELECT table_name AS name, table_type AS type FROM information_schema.tables WHERE table_schema = database() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')",
  )
  await connection.query('SET foreign_key_checks = 0, lock_wait_timeout = 3, innodb_lock_wait_timeout = 3')
  for (const { name, type } of tables) {
    const table = quoteName(String(name))
    // MariaDB truncates no table with versions.
    const ways = type === 'BASE TABLE' ? ['TRUNCATE'] : ['DELETE FROM', 'DELETE HISTORY FROM']
    for (const way of ways)
      await connection.query(`${way} ${table}`).catch((error: unknown) => {
        if (toCode(error) !== 'ER_LOCK_WAIT_TIMEOUT') throw error
        const held = `another session has an open transaction on the table ${String(name)}`
        throw new Error(`reset: ${held}; end it with COMMIT or ROLLBACK, in finally`, { cause: error })
      })
  }
}

/** The user that `vitrine grants` describes, with a password. */
export async function createReader(
  adminUrl: string,
  reader: { user: string; password: string; mappingFile: string },
): Promise<void> {
  const account = `${mysql.escape(reader.user)}@'%'`
  const grants = await renderGrants(adminUrl, reader.mappingFile, reader.user)
  await runStatements(adminUrl, [
    ...readScript(grants).map(({ sql }) => sql),
    `ALTER USER ${account} IDENTIFIED BY ${mysql.escape(reader.password)}`,
  ])
}
