import type { MirrorChange } from '../client/index.js'
import type { StoredRange, StoredRecord } from '../client/scrub.js'
import { renderTarget, requireTarget, toFileError } from './copy.js'
import type { AnyRecord, Comparison, FileCopy, Target } from './copy.js'
import { createTable, hasColumn, listColumns, openSqlite } from './sqlite-table.js'
import type { Column, SqliteDatabase } from './sqlite-table.js'

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
export function openSqliteCopy(file: string, target: Target): FileCopy {
  const database = openSqlite(file)
  const table = target.collection
  const columns = listColumns(table)
  try {
    requireCopy(database, file, target)
    database.exec(pendingTable)
  } catch (error) {
    database.close()
    throw error
  }
  let isFull = false
  // Tables are created only now: a pull with a wrong key or URL leaves none.
  const apply = (changes: Iterable<Change>): void => {
    transact(database, () => {
      database.exec(stateTable)
      createTable(database, table, columns)
      for (const change of changes) applyChange(database, { target, columns }, change)
    })
  }
  return {
    begin: (full) => {
      isFull = full
      database.exec('DELETE FROM vitrine_pending')
      return Promise.resolve(countRows(database, table))
    },
    readState: () => Promise.resolve(readState(database, table)?.state),
    readIds: () => Promise.resolve(readIds(database, table)),
    readRange: (range) => Promise.resolve(readRange(database, table, range)),
    write: (change) => {
      if (isFull) database.prepare('INSERT INTO vitrine_pending VALUES (?)').run(JSON.stringify(change))
      else apply([change])
      return Promise.resolve()
    },
    commit: () => {
      if (isFull) apply(readPending(database))
      return Promise.resolve(countRows(database, table))
    },
    close: () => {
      database.close()
      return Promise.resolve()
    },
    compare: (record) => Promise.resolve(compareRow(database, { table, columns }, record)),
  }
}

function compareRow(
  database: SqliteDatabase,
  { table, columns }: { readonly table: string; readonly columns: readonly Column[] },
  record: AnyRecord,
): Comparison {
  const row = hasTable(database, table)
    ? database.prepare(`SELECT * FROM ${table} WHERE id = ?`).get(record.id)
    : undefined
  if (row === undefined) return 'added'
  return columns.every(({ name, read }) => read(record) === (row[name] ?? null)) ? 'unchanged' : 'changed'
}

/** A later version is newer whatever its `updatedAt` is: a transaction that commits late can set it back. */
function applyChange(
  database: SqliteDatabase,
  { target, columns }: { readonly target: Target; readonly columns: readonly Column[] },
  { records, removedIds, state }: Change,
): void {
  const table = target.collection
  const names = columns.map(({ name }) => `"${name}"`)
  const changes = names.map((name) => `${name} = excluded.${name}`)
  const upsert = database.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${changes.join(', ')}`,
  )
  for (const record of records) upsert.run(...columns.map(({ read }) => read(record)))
  const remove = database.prepare(`DELETE FROM ${table} WHERE id = ?`)
  for (const id of removedIds) remove.run(id)
  database.prepare('REPLACE INTO vitrine_state VALUES (?, ?, ?)').run(table, renderTarget(target), state)
}

function* readPending(database: SqliteDatabase): Generator<Change, void, undefined> {
  const rows = database.prepare('SELECT change FROM vitrine_pending ORDER BY rowid').iterate()
  for (const { change } of rows) yield JSON.parse(String(change)) as Change
}

function* readIds(database: SqliteDatabase, table: string): Generator<string, void, undefined> {
  if (!hasTable(database, table)) return
  for (const { id } of database.prepare(`SELECT id FROM ${table}`).iterate()) yield String(id)
}

function* readRange(
  database: SqliteDatabase,
  table: string,
  { from, to }: StoredRange,
): Generator<StoredRecord, void, undefined> {
  if (!hasTable(database, table)) return
  const range = database.prepare(`SELECT id, updatedAt FROM ${table} WHERE updatedAt >= ? AND updatedAt < ?`)
  for (const { id, updatedAt } of range.iterate(from, to))
    yield { id: String(id), updatedAt: String(updatedAt) }
}

function countRows(database: SqliteDatabase, table: string): number {
  if (!hasTable(database, table)) return 0
  return Number(database.prepare(`SELECT count(*) AS total FROM ${table}`).get()?.['total'])
}

interface State {
  readonly target: string
  readonly state: string
}

function readState(database: SqliteDatabase, table: string): State | undefined {
  if (!hasTable(database, 'vitrine_state')) return undefined
  const row = database.prepare('SELECT target, state FROM vitrine_state WHERE collection = ?').get(table)
  return row as State | undefined
}

/** @throws ConfigError */
function requireCopy(database: SqliteDatabase, file: string, target: Target): void {
  const table = target.collection
  const allowed = 'another name for --to'
  if (hasTable(database, 'vitrine_state') && !hasColumn(database, 'vitrine_state', 'state'))
    throw toFileError(file, 'a table vitrine_state of another release', allowed)
  const found = readState(database, table)
  if (found !== undefined) requireTarget(file, 'the copy', found.target, renderTarget(target))
  else if (hasTable(database, table))
    throw toFileError(file, `a table ${table} that pull did not create`, allowed)
}

function hasTable(database: SqliteDatabase, table: string): boolean {
  const statement = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  return statement.get(table) !== undefined
}

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
