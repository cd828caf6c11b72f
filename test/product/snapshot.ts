import type { Connection, RowDataPacket } from 'mysql2/promise'
import { quoteName, withConnection } from './load.js'
import { toPortable } from './sql-script.js'

/** The rows of a database at one moment. */
export interface Snapshot {
  /** Brings them back. @throws Error where the tables are not those of that moment */
  readonly restore: () => Promise<void>
}

/** A table, without the columns that the server computes. */
interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** The next number; undefined where no column counts. */
  readonly autoIncrement: string | undefined
}

/**
 * Copies every table into a database of its own.
 *
 * @param adminUrl the product's database.
 * @param store a name for the database of the copies, which does not exist yet.
 */
export async function takeSnapshot(adminUrl: string, store: string): Promise<Snapshot> {
  const tables = await withSession(adminUrl, async (connection) => {
    const found = await readTables(connection)
    await connection.query(`CREATE DATABASE ${quoteName(store)} CHARACTER SET utf8mb4`)
    for (const { name, columns } of found)
      await connection.query(
        `CREATE TABLE ${quoteName(store)}.${quoteName(name)} SELECT ${list(columns)} FROM ${quoteName(name)}`,
      )
    return found
  })
  return { restore: () => withSession(adminUrl, (connection) => restore(connection, tables, store)) }
}

/** Neither foreign keys nor rules of this session stand between a row and its return. */
async function withSession<Result>(
  url: string,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  return withConnection(url, async (connection) => {
    // MySQL keeps what information_schema says of a table for a day; MariaDB reads this as a comment.
    await connection.query(
      "SET SESSION sql_mode = 'NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO', foreign_key_checks = 0 /*!80000 , information_schema_stats_expiry = 0 */ /*M! , check_constraint_checks = 0 */",
    )
    return use(connection)
  })
}

async function readTables(connection: Connection): Promise<readonly Table[]> {
  const rows = await select(
    connection,
    `SELECT t.table_name AS name, CAST(MAX(auto_increment) AS CHAR) AS next, JSON_ARRAYAGG(column_name) AS parts
       FROM information_schema.tables t JOIN information_schema.columns c USING (table_schema, table_name)
      WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND extra NOT REGEXP '(VIRTUAL|STORED) GENERATED'
      GROUP BY t.table_name`,
  )
  return rows.map(({ name, next, parts }) => ({
    name: String(name),
    columns: (typeof parts === 'string' ? JSON.parse(parts) : parts) as readonly string[],
    autoIncrement: typeof next === 'string' ? next : undefined,
  }))
}

async function restore(connection: Connection, tables: readonly Table[], store: string): Promise<void> {
  try {
    const triggers = await dropTriggers(connection)
    try {
      for (const { name, columns, autoIncrement } of tables) {
        const [table, copy] = [quoteName(name), `${quoteName(store)}.${quoteName(name)}`]
        await connection.query(`DELETE FROM ${table}`)
        await connection.query(`INSERT INTO ${table} (${list(columns)}) SELECT ${list(columns)} FROM ${copy}`)
        if (autoIncrement !== undefined)
          await connection.query(`ALTER TABLE ${table} AUTO_INCREMENT = ${autoIncrement}`)
      }
    } finally {
      for (const statement of triggers) await connection.query(statement)
    }
  } catch (cause) {
    const { message, code } = cause as Error & { readonly code?: string }
    throw new Error(
      `reset brings rows back, not tables: ${message} (${String(code)}). After a change of the schema, create the product again.`,
      { cause },
    )
  }
}

/** Drops the triggers, which would write of their own. Returns the statements that make them again. */
async function dropTriggers(connection: Connection): Promise<readonly string[]> {
  const found = await select(
    connection,
    `SELECT trigger_name AS name FROM information_schema.triggers WHERE trigger_schema = DATABASE()
      ORDER BY event_object_table, event_manipulation, action_timing, action_order`,
  )
  const names = found.map(({ name }) => quoteName(String(name)))
  const statements: string[] = []
  for (const name of names) {
    const [shown] = await select(connection, `SHOW CREATE TRIGGER ${name}`)
    statements.push(
      `SET SESSION sql_mode = '${String(shown?.['sql_mode'])}', character_set_client = ${String(shown?.['character_set_client'])}, collation_connection = ${String(shown?.['collation_connection'])}`,
      toPortable(String(shown?.['SQL Original Statement'])) ?? '',
    )
  }
  for (const name of names) await connection.query(`DROP TRIGGER ${name}`)
  return statements
}

const list = (columns: readonly string[]): string => columns.map(quoteName).join(', ')

async function select(
  connection: Connection,
  sql: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const [rows] = await connection.query<RowDataPacket[]>(sql)
  return rows
}
