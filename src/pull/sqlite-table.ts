import { closeSync, constants, openSync } from 'node:fs'
import type { CollectionName, Invoice, Registration } from '../client/index.js'
import { toFileError } from './copy.js'
import type { AnyRecord } from './copy.js'
import { privateMode } from './text-file.js'

/** What SQLite stores. */
type SqliteValue = string | number | null

/** The part of a prepared statement of `node:sqlite` that a copy uses. */
interface SqliteStatement {
  readonly run: (...values: readonly SqliteValue[]) => unknown
  readonly get: (...values: readonly SqliteValue[]) => Readonly<Record<string, unknown>> | undefined
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

/** Amounts are TEXT too: as numbers they would not be exact. */
const registrationTypes = {
  id: 'TEXT NOT NULL PRIMARY KEY',
  eventId: 'TEXT NOT NULL',
  status: 'TEXT NOT NULL',
  name: 'TEXT NOT NULL',
  email: 'TEXT NOT NULL',
  checkedIn: 'INTEGER NOT NULL',
  checkedInAt: 'TEXT',
  createdAt: 'TEXT NOT NULL',
  updatedAt: 'TEXT NOT NULL',
} as const satisfies Record<keyof Registration, string>

const invoiceTypes = {
  id: 'TEXT NOT NULL PRIMARY KEY',
  number: 'TEXT NOT NULL',
  status: 'TEXT NOT NULL',
  total: 'TEXT NOT NULL',
  currency: 'TEXT NOT NULL',
  issueDate: 'TEXT NOT NULL',
  dueDate: 'TEXT',
  createdAt: 'TEXT NOT NULL',
  updatedAt: 'TEXT NOT NULL',
} as const satisfies Record<keyof Invoice, string>

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

/** The columns of a collection, in the order of the contract. */
export function listColumns(collection: CollectionName): readonly Column[] {
  const types = collection === 'registrations' ? registrationTypes : invoiceTypes
  return Object.entries(types).map(([name, definition]) => ({
    name,
    definition,
    read: (record) => toSqliteValue((record as unknown as Readonly<Record<string, unknown>>)[name]),
  }))
}

/** The statement that creates a table with these columns, unless it exists. */
export function renderTable(table: string, columns: readonly Column[]): string {
  const definitions = columns.map(({ name, definition }) => `"${name}" ${definition}`)
  return `CREATE TABLE IF NOT EXISTS ${table} (${definitions.join(', ')}) STRICT`
}

/** A missing field becomes NULL; SQLite rejects it in a column that cannot be NULL. */
function toSqliteValue(value: unknown): SqliteValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function requireSqlite(): SqliteModule {
  const found: unknown = process.getBuiltinModule('node:sqlite')
  if (found !== undefined) return found as SqliteModule
  throw toFileError(
    '--to',
    `an SQLite database, and Node ${process.version}, which does not have SQLite`,
    'Node 22.13 or later, or a file that ends in .ndjson',
  )
}
