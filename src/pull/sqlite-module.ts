import { closeSync, constants, openSync } from 'node:fs'
import { ConfigError } from '../errors.js'
import { privateMode } from './durable-file.js'

/** A prepared statement, as far as it is used here. */
export interface SqliteStatement {
  readonly run: (...values: readonly SqliteValue[]) => { readonly changes: number | bigint }
  readonly get: (...values: readonly SqliteValue[]) => Readonly<Record<string, unknown>> | undefined
  readonly all: (...values: readonly SqliteValue[]) => readonly Readonly<Record<string, unknown>>[]
}

/** An open database, as far as it is used here. */
export interface SqliteDatabase {
  readonly exec: (sql: string) => void
  readonly prepare: (sql: string) => SqliteStatement
  readonly close: () => void
}

/** What SQLite stores. */
export type SqliteValue = string | number | null

interface SqliteModule {
  readonly DatabaseSync: new (file: string) => SqliteDatabase
}

/** Opens a database with the SQLite that Node brings along. @throws ConfigError where this Node has none */
export function openSqlite(file: string): SqliteDatabase {
  const { DatabaseSync } = findModule()
  // SQLite would let everybody read a database that it creates. It gives the mode of a database to its journals.
  const { O_RDONLY, O_CREAT, O_NOFOLLOW } = constants
  closeSync(openSync(file, O_RDONLY | O_CREAT | O_NOFOLLOW, privateMode))
  const database = new DatabaseSync(file)
  // Whoever reads the copy holds a page up for a moment, and no longer.
  database.exec('PRAGMA busy_timeout = 10000')
  database.exec('PRAGMA synchronous = FULL')
  return database
}

function findModule(): SqliteModule {
  const found: unknown = process.getBuiltinModule('node:sqlite')
  if (found !== undefined) return found as SqliteModule
  throw new ConfigError([
    {
      path: '--to',
      found: `an SQLite database, and Node ${process.version}, which cannot write one`,
      allowed: 'Node 22.13 or later, or a file that ends in .ndjson',
    },
  ])
}
