import type { Connection, RowDataPacket } from 'mysql2/promise'
import { quoteName, withConnection } from './load.js'
import { toPortable } from './sql-script.js'

/** The rows of a database at one moment. */
export interface Snapshot {
  /** Brings them back: only what differs is written. @throws Error where the tables are not those of that moment */
  readonly restore: () => Promise<void>
}

/** A table, and what its rows are compared and copied by. */
interface Table {
  readonly name: string
  /** Without those that the server computes. */
  readonly columns: readonly Column[]
  /** The columns of its primary key; empty where it has none. */
  readonly key: readonly string[]
  /** The next number; undefined where no column counts. */
  readonly autoIncrement: string | undefined
}

interface Column {
  readonly name: string
  readonly type: string
}

/**
 * Copies every table into a database of its own.
 *
 * @param adminUrl the product's database.
 * @param store a name for the database of the copies, which does not exist yet.
 */
export async function takeSnapshot(adminUrl: string, store: string): Promise<Snapshot> {
  return withSession(adminUrl, async (connection) => {
    const tables = await readTables(connection, databaseOf(adminUrl))
    await connection.query(`CREATE DATABASE ${quoteName(store)} CHARACTER SET utf8mb4`)
    for (const table of tables) await connection.query(renderCopy(table, store))
    return toSnapshot(adminUrl, tables, store)
  })
}

/** A database that holds the same tables and rows already as the snapshot of the product's. */
export async function toSnapshotOf(adminUrl: string, store: string): Promise<Snapshot> {
  const tables = await withSession(adminUrl, (connection) => readTables(connection, store))
  return toSnapshot(adminUrl, tables, store)
}

function toSnapshot(adminUrl: string, tables: readonly Table[], store: string): Snapshot {
  const databases = { live: databaseOf(adminUrl), store }
  return { restore: () => withSession(adminUrl, (connection) => restore(connection, tables, databases)) }
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1))
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

async function readTables(connection: Connection, database: string): Promise<readonly Table[]> {
  const counters = await readCounters(connection, database)
  const columns = await select(
    connection,
    `SELECT table_name AS t, column_name AS c, data_type AS type FROM information_schema.columns
      WHERE table_schema = ? AND extra NOT REGEXP '(VIRTUAL|STORED) GENERATED' ORDER BY table_name, ordinal_position`,
    database,
  )
  const keys = await select(
    connection,
    `SELECT table_name AS t, column_name AS c, sub_part AS part FROM information_schema.statistics
      WHERE table_schema = ? AND index_name = 'PRIMARY' ORDER BY table_name, seq_in_index`,
    database,
  )
  return [...counters].map(([name, autoIncrement]) => {
    const own = columns
      .filter(({ t }) => t === name)
      .map(({ c, type }) => ({ name: String(c), type: String(type).toLowerCase() }))
    const key = keys.filter(({ t }) => t === name)
    // A key over the beginning of a text, or over what the server computes, finds no row of the copy.
    const isUsable = key.every(({ c, part }) => part === null && own.some((column) => column.name === c))
    return { name, columns: own, key: isUsable ? key.map(({ c }) => String(c)) : [], autoIncrement }
  })
}

/** Every table, with its next number. */
async function readCounters(
  connection: Connection,
  database: string,
): Promise<ReadonlyMap<string, string | undefined>> {
  const rows = await select(
    connection,
    `SELECT table_name AS t, CAST(auto_increment AS CHAR) AS n FROM information_schema.tables
      WHERE table_schema = ? AND table_type = 'BASE TABLE' ORDER BY table_name`,
    database,
  )
  return new Map(rows.map(({ t, n }) => [String(t), typeof n === 'string' ? n : undefined]))
}

async function restore(
  connection: Connection,
  tables: readonly Table[],
  { live, store }: { readonly live: string; readonly store: string },
): Promise<void> {
  try {
    const changed = await findChanged(connection, tables, store)
    const triggers = changed.length === 0 ? [] : await dropTriggers(connection, changed)
    try {
      await restoreRows(connection, changed, store)
    } finally {
      for (const statement of triggers) await connection.query(statement)
    }
    await restoreCounters(connection, tables, live)
  } catch (cause) {
    const { message, code } = cause as Error & { readonly code?: string }
    throw new Error(
      `reset brings rows back, not tables: ${message} (${String(code)}). After a change of the schema, create the product again.`,
      { cause },
    )
  }
}

async function findChanged(
  connection: Connection,
  tables: readonly Table[],
  store: string,
): Promise<readonly Table[]> {
  if (tables.length === 0) return []
  const tests = tables.map((table, at) => `SELECT ${at} AS at FROM DUAL WHERE ${renderChanged(table, store)}`)
  const rows = await select(connection, tests.join('\nUNION ALL '))
  return rows.flatMap(({ at }) => tables[Number(at)] ?? [])
}

async function restoreRows(connection: Connection, changed: readonly Table[], store: string): Promise<void> {
  await connection.query('START TRANSACTION')
  for (const table of changed)
    for (const statement of renderRestore(table, store)) await connection.query(statement)
  await connection.query('COMMIT')
}

/** Drops the triggers of tables, which would write of their own. Returns the statements that make them again. */
async function dropTriggers(connection: Connection, changed: readonly Table[]): Promise<readonly string[]> {
  const found = await select(
    connection,
    `SELECT trigger_name AS name, event_object_table AS t FROM information_schema.triggers
      WHERE trigger_schema = DATABASE() ORDER BY event_object_table, event_manipulation, action_timing, action_order`,
  )
  const names = found
    .filter(({ t }) => changed.some(({ name }) => name === t))
    .map(({ name }) => quoteName(String(name)))
  const statements: string[] = []
  for (const name of names) {
    const [shown] = await select(connection, `SHOW CREATE TRIGGER ${name}`)
    const mode = String(shown?.['sql_mode'])
    statements.push(
      `SET SESSION sql_mode = '${mode}', character_set_client = ${String(shown?.['character_set_client'])}, collation_connection = ${String(shown?.['collation_connection'])}`,
      toPortable(String(shown?.['SQL Original Statement'])) ?? '',
    )
  }
  for (const name of names) await connection.query(`DROP TRIGGER ${name}`)
  return statements
}

async function restoreCounters(
  connection: Connection,
  tables: readonly Table[],
  live: string,
): Promise<void> {
  const counters = await readCounters(connection, live)
  for (const { name, autoIncrement } of tables) {
    if (autoIncrement === undefined || counters.get(name) === autoIncrement) continue
    await connection.query(`ALTER TABLE ${quoteName(name)} AUTO_INCREMENT = ${autoIncrement}`)
  }
}

function renderCopy({ name, columns, key }: Table, store: string): string {
  const primary = key.length === 0 ? '' : `(PRIMARY KEY (${key.map(quoteName).join(', ')})) `
  const list = columns.map((column) => quoteName(column.name)).join(', ')
  return `CREATE TABLE ${quoteName(store)}.${quoteName(name)} ${primary}SELECT ${list} FROM ${quoteName(name)}`
}

/** Whether a table has other rows than its copy; without a primary key, whether either has any. */
function renderChanged(table: Table, store: string): string {
  const { live, copy } = toPlaces(table, store)
  const { key } = table
  if (key.length === 0) return `EXISTS (SELECT 1 FROM ${live}) OR EXISTS (SELECT 1 FROM ${copy})`
  return `EXISTS (SELECT 1 FROM ${live} LEFT JOIN ${copy} ON ${renderSameKey(table)} WHERE NOT (${renderSame(table)}))
    OR EXISTS (SELECT 1 FROM ${copy} LEFT JOIN ${live} ON ${renderSameKey(table)} WHERE l.${quoteName(key[0] ?? '')} IS NULL)`
}

function renderRestore(table: Table, store: string): readonly [remove: string, add: string] {
  const { live, copy } = toPlaces(table, store)
  const list = table.columns.map(({ name }) => quoteName(name))
  const insert = `INSERT INTO ${quoteName(table.name)} (${list.join(', ')}) SELECT ${list.map((name) => `s.${name}`).join(', ')} FROM ${copy}`
  if (table.key.length === 0) return [`DELETE FROM ${quoteName(table.name)}`, insert]
  return [
    `DELETE l FROM ${live} LEFT JOIN ${copy} ON ${renderSameKey(table)} WHERE NOT (${renderSame(table)})`,
    `${insert} LEFT JOIN ${live} ON ${renderSameKey(table)} WHERE l.${quoteName(table.key[0] ?? '')} IS NULL`,
  ]
}

function toPlaces({ name }: Table, store: string): { readonly live: string; readonly copy: string } {
  return { live: `${quoteName(name)} AS l`, copy: `${quoteName(store)}.${quoteName(name)} AS s` }
}

function renderSameKey({ key }: Table): string {
  return key.map((name) => `l.${quoteName(name)} = s.${quoteName(name)}`).join(' AND ')
}

/** Not true for a row without a copy, whose key cannot be NULL. */
function renderSame({ columns }: Table): string {
  return columns.map((column) => `${toExact(column, 'l')} <=> ${toExact(column, 's')}`).join(' AND ')
}

const bytesOf = /^(?:char|varchar|tinytext|text|mediumtext|longtext|enum|set)$/

/** Byte for byte: collations treat different texts as equal, and JSON different numbers. */
function toExact({ name, type }: Column, side: 'l' | 's'): string {
  const place = `${side}.${quoteName(name)}`
  if (bytesOf.test(type)) return `CAST(${place} AS BINARY)`
  return type === 'json' ? `CAST(CAST(${place} AS CHAR) AS BINARY)` : place
}

async function select(
  connection: Connection,
  sql: string,
  ...values: readonly string[]
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const [rows] = await connection.query<RowDataPacket[]>(sql, [...values])
  return rows
}
