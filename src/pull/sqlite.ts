import { closeSync, constants, openSync } from 'node:fs'
import { toFileError } from './copy.js'
import { privateMode } from './files.js'

/** What SQLite stores. */
export type SqliteValue = string | number | null

type SqliteRow = Readonly<Record<string, unknown>>

/** The part of a database of `node:sqlite` that a copy uses. */
export interface SqliteDatabase {
  readonly exec: (sql: string) => void
  readonly prepare: (sql: string) => {
    readonly run: (...values: readonly SqliteValue[]) => unknown
    readonly get: (...values: readonly SqliteValue[]) => SqliteRow | undefined
    readonly iterate: (...values: readonly SqliteValue[]) => Iterable<SqliteRow>
  }
  readonly close: () => void
}

/** Opens a database with the SQLite of Node. @throws ConfigError if this Node has none */
export function openSqlite(file: string): SqliteDatabase {
  const module = loadSqlite()
  if (module === undefined)
    throw toFileError(
      '--to',
      `an SQLite database, and Node ${process.version}, which does not have SQLite`,
      'Node 22.13 or later, or a file that ends in .ndjson',
    )
  // SQLite would create a database that others can read. Its own journals get the mode of the database.
  const { O_RDONLY, O_CREAT, O_NOFOLLOW } = constants
  closeSync(openSync(file, O_RDONLY | O_CREAT | O_NOFOLLOW, privateMode))
  const database = new module.DatabaseSync(file)
  // A program that reads the copy can hold a lock for a short time.
  database.exec('PRAGMA busy_timeout = 10000; PRAGMA synchronous = FULL')
  return database
}

function loadSqlite() {
  // Node warns when the module is loaded. Its part that is used here has been the same since 22.13.
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  const module: unknown = process.getBuiltinModule('node:sqlite')
  process.emitWarning = emitWarning
  return module as { readonly DatabaseSync: new (file: string) => SqliteDatabase } | undefined
}

/** Does all of the work, or none of it. */
export function transact(database: SqliteDatabase, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    try {
      database.exec('ROLLBACK')
    } catch {
      // SQLite has rolled back by itself, after a full disk for example: the first error says why.
    }
    throw error
  }
}
