import { closeSync, constants, openSync } from 'node:fs'
import type { CollectionName } from '../client/index.js'
import { recordFields } from '../client/records.js'
import { toFileError } from './copy.js'
import type { AnyRecord } from './copy.js'
import { privateMode } from './text-file.js'

/** What SQLite stores. */
type SqliteValue = string | number | null

type SqliteRow = Readonly<Record<string, unknown>>

/** The part of a prepared statement of `node:sqlite` that a copy uses. */
interface SqliteStatement {
  readonly run: (...values: readonly SqliteValue[]) => unknown
  readonly get: (...values: readonly SqliteValue[]) => SqliteRow | undefined
  readonly iterate: (...values: readonly SqliteValue[]) => Iterable<SqliteRow>
}

/** The part of a database of `node:sqlite` that a copy uses. */
export interface SqliteDatabase {
  readonly exec: (sql: string) => void
  readonly prepare: (sql: string) => SqliteStatement
  readonly close: () => void
}

interface SqliteModule {
  readonly DatabaseSync: new (file: string) => SqliteDatabase
}

/** A field of a record as a column of its table. */
export interface Column {
  readonly name: string
  readonly definition: string
  readonly read: (record: AnyRecord) => SqliteValue
}

/** Opens a database with the SQLite of Node. @throws ConfigError if this Node has none */
export function openSqlite(file: string): SqliteDatabase {
  const { DatabaseSync } = requireSqlite()
  // SQLite would create a database that others can read. Its own journals get the mode of the database.
  const { O_RDONLY, O_CREAT, O_NOFOLLOW } = constants
  closeSync(openSync(file, O_RDONLY | O_CREAT | O_NOFOLLOW, privateMode))
  const database = new DatabaseSync(file)
  // A program that reads the copy can hold a lock for a short time.
  database.exec('PRAGMA busy_timeout = 10000')
  database.exec('PRAGMA synchronous = FULL')
  return database
}

/** Amounts are TEXT too: as numbers they would not be exact. */
const columnTypes = { string: 'TEXT', boolean: 'INTEGER' } as const

/**
 * The columns of a collection, in the order of the contract. All but `id` can be NULL: a service of an earlier release
 * does not have every field, and a copy of an earlier release had no column for it.
 */
export function listColumns(collection: CollectionName): readonly Column[] {
  return Object.entries(recordFields[collection]).map(([name, { type }]) => ({
    name,
    definition: name === 'id' ? 'TEXT NOT NULL PRIMARY KEY' : columnTypes[type],
    read: (record) => toSqliteValue((record as unknown as Readonly<Record<string, unknown>>)[name]),
  }))
}

/**
 * Creates a table with these columns, or adds those that a table of an earlier release does not have. They are NULL until
 * the record changes, or until a full sync.
 */
export function createTable(database: SqliteDatabase, table: string, columns: readonly Column[]): void {
  const definitions = columns.map(({ name, definition }) => `"${name}" ${definition}`)
  database.exec(`CREATE TABLE IF NOT EXISTS ${table} (${definitions.join(', ')}) STRICT`)
  for (const { name, definition } of columns)
    if (!hasColumn(database, table, name))
      database.exec(`ALTER TABLE ${table} ADD COLUMN "${name}" ${definition}`)
}

/** Whether a table has a column. */
export function hasColumn(database: SqliteDatabase, table: string, column: string): boolean {
  return (
    database.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined
  )
}

/** A missing field becomes NULL. */
function toSqliteValue(value: unknown): SqliteValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function requireSqlite(): SqliteModule {
  // Node warns when the module is loaded. Its part that is used here has been the same since 22.13.
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  const found: unknown = process.getBuiltinModule('node:sqlite')
  process.emitWarning = emitWarning
  if (found !== undefined) return found as SqliteModule
  throw toFileError(
    '--to',
    `an SQLite database, and Node ${process.version}, which does not have SQLite`,
    'Node 22.13 or later, or a file that ends in .ndjson',
  )
}
