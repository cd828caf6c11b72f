import { closeSync, constants, openSync } from 'node:fs'
import type { CollectionName, MirrorChange } from '../client/index.js'
import { booleanFields, fieldNames } from '../client/records.js'
import type { StoredRecord } from '../client/scrub.js'
import { privateMode, renderTarget, requireTarget, toFileError } from './copy.js'
import type { AnyRecord, Copy, CopySync, Lock, Target } from './copy.js'

type Change = MirrorChange<AnyRecord>

const stateTable = `CREATE TABLE IF NOT EXISTS vitrine_state (
  collection TEXT PRIMARY KEY, target TEXT NOT NULL, state TEXT NOT NULL
) STRICT`

/**
 * The changes of a full sync. SQLite stores a temporary table in a file of its own, which is gone when the process ends:
 * until the sync is complete, the copy is unchanged and not locked.
 */
const pendingTable = 'CREATE TEMP TABLE vitrine_pending (change TEXT NOT NULL) STRICT'

/**
 * A copy as a table of an SQLite database, which can contain both collections. The records of a change and its state are
 * stored in one transaction.
 *
 * @throws ConfigError if the database is not of this target.
 */
export function openSqliteCopy(file: string, target: Target, lock: Lock): Copy {
  const database = openSqlite(file)
  const table = target.collection
  try {
    requireKnownFields(file, readState(database, toFieldsKey(table))?.state, table)
    const found = readState(database, table)
    if (found !== undefined) requireTarget(file, found.target, renderTarget(target))
    else if (hasTable(database, table))
      throw toFileError(file, `a table ${table} that pull did not create`, 'another name for --to')
    database.exec(pendingTable)
  } catch (error) {
    database.close()
    throw error
  }
  return {
    begin: (full) => {
      database.exec('DELETE FROM vitrine_pending')
      return Promise.resolve(createSync({ database, target, lock }, full))
    },
    close: () => {
      database.close()
    },
  }
}

/** The fields of the release that wrote a table last, in a row of their own beside its state. */
const toFieldsKey = (table: CollectionName): string => `${table}.fields`

/** A release that does not know a field would leave it as it was, beside the others of a newer version. @throws ConfigError */
function requireKnownFields(file: string, fields = '', table: CollectionName): void {
  const unknown = fields.split(' ').filter((name) => name !== '' && !fieldNames[table].includes(name))
  if (unknown.length > 0)
    throw toFileError(
      file,
      `a copy of a later release, with ${unknown.join(', ')}`,
      'that release or a later one',
    )
}

/** What the changes of a copy need. */
interface Parts {
  readonly database: SqliteDatabase
  readonly target: Target
  readonly lock: Lock
}

function createSync(parts: Parts, full: boolean): CopySync {
  const { database, target } = parts
  const table = target.collection
  const countRows = (): number => {
    const [row] = select(database, table, `SELECT count(*) AS total FROM ${table}`)
    return Number(row?.['total'] ?? 0)
  }
  return {
    held: countRows(),
    missing: listMissing(database, table),
    readState: () => Promise.resolve(readState(database, table)?.state),
    readIds: () => {
      const rows = [...select(database, table, `SELECT id FROM ${table}`)]
      return Promise.resolve(rows.map(({ id }) => String(id)))
    },
    readRange: ({ from, to }) => {
      const range = `SELECT id, updatedAt FROM ${table} WHERE updatedAt >= ? AND updatedAt < ?`
      return Promise.resolve(select(database, table, range, from, to) as Iterable<StoredRecord>)
    },
    write: (change) => {
      if (full) database.prepare('INSERT INTO vitrine_pending VALUES (?)').run(JSON.stringify(change))
      else apply(parts, [change])
      return Promise.resolve()
    },
    commit: () => {
      if (full) apply(parts, readPending(database))
      return Promise.resolve(countRows())
    },
  }
}

function* readPending(database: SqliteDatabase): Generator<Change, void, undefined> {
  const rows = database.prepare('SELECT change FROM vitrine_pending ORDER BY rowid').iterate()
  for (const { change } of rows) yield JSON.parse(String(change)) as Change
}

/** Tables are created only with the first change: a pull with a wrong key or URL leaves none. */
function apply({ database, target, lock }: Parts, changes: Iterable<Change>): void {
  const table = target.collection
  const names = fieldNames[table]
  transact(database, () => {
    // No other process can write from here on. Had one taken over, what was read for these changes would be old.
    lock.verify()
    database.exec(stateTable)
    database.exec(`CREATE TABLE IF NOT EXISTS ${table} (${listColumns(table)}) STRICT`)
    for (const name of listMissing(database, table))
      database.exec(`ALTER TABLE ${table} ADD COLUMN ${toColumn(name)}`)
    const upsert = database.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    )
    const remove = database.prepare(`DELETE FROM ${table} WHERE id = ?`)
    const save = database.prepare('REPLACE INTO vitrine_state VALUES (?, ?, ?)')
    // A later version is newer whatever its `updatedAt` is: a transaction that commits late can set it back.
    for (const { records, removedIds, state } of changes) {
      // A full sync takes long, and no timer runs meanwhile.
      lock.verify()
      for (const record of records) {
        const fields: Readonly<Record<string, unknown>> = { ...record }
        upsert.run(...names.map((name) => toSqliteValue(fields[name])))
      }
      for (const id of removedIds) remove.run(id)
      save.run(table, renderTarget(target), state)
    }
    save.run(toFieldsKey(table), '', names.join(' '))
  })
}

/** All but `id` can be NULL, as the copies of earlier releases have them. Amounts are TEXT: as numbers they would not be exact. */
function listColumns(collection: CollectionName): string {
  return [...fieldNames[collection].map(toColumn), 'PRIMARY KEY (id)'].join(', ')
}

function toColumn(name: string): string {
  return `${name} ${booleanFields.includes(name) ? 'INTEGER' : 'TEXT'}`
}

/** The fields that a table of an earlier release does not have. */
function listMissing(database: SqliteDatabase, table: CollectionName): readonly string[] {
  const columns = [...select(database, table, 'SELECT name FROM pragma_table_info(?)', table)]
  const names = columns.map(({ name }) => name)
  return names.length === 0 ? [] : fieldNames[table].filter((name) => !names.includes(name))
}

/** A missing field becomes NULL. */
function toSqliteValue(value: unknown): SqliteValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' ? value : null
}

/** The rows of a table; none if it does not exist. */
function* select(database: SqliteDatabase, table: string, sql: string, ...values: readonly SqliteValue[]) {
  if (hasTable(database, table)) yield* database.prepare(sql).iterate(...values)
}

interface State {
  readonly target: string
  readonly state: string
}

function readState(database: SqliteDatabase, collection: string): State | undefined {
  const sql = 'SELECT target, state FROM vitrine_state WHERE collection = ?'
  const [found] = select(database, 'vitrine_state', sql, collection)
  return found as State | undefined
}

function hasTable(database: SqliteDatabase, table: string): boolean {
  const statement = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  return statement.get(table) !== undefined
}

/** What SQLite stores. */
type SqliteValue = string | number | null

type SqliteRow = Readonly<Record<string, unknown>>

/** The part of a database of `node:sqlite` that a copy uses. */
interface SqliteDatabase {
  readonly exec: (sql: string) => void
  readonly prepare: (sql: string) => {
    readonly run: (...values: readonly SqliteValue[]) => unknown
    readonly get: (...values: readonly SqliteValue[]) => SqliteRow | undefined
    readonly iterate: (...values: readonly SqliteValue[]) => Iterable<SqliteRow>
  }
  readonly close: () => void
}

/** Opens a database with the SQLite of Node. @throws ConfigError if this Node has none */
function openSqlite(file: string): SqliteDatabase {
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
function transact(database: SqliteDatabase, work: () => void): void {
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
