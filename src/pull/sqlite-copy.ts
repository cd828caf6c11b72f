import type { CollectionName, MirrorChange } from '../client/index.js'
import { recordFields } from '../client/records.js'
import type { StoredRecord } from '../client/scrub.js'
import { renderTarget, requireTarget, toFileError } from './copy.js'
import type { AnyRecord, Copy, CopySync, Target } from './copy.js'
import { openSqlite, transact } from './sqlite.js'
import type { SqliteDatabase, SqliteValue } from './sqlite.js'

type Change = MirrorChange<AnyRecord>

const stateTable = `CREATE TABLE IF NOT EXISTS vitrine_state (
  collection TEXT PRIMARY KEY, target TEXT NOT NULL, state TEXT NOT NULL
) STRICT`

/**
 * The changes of a full sync. SQLite stores a temporary table in a file of its own, which is gone when the process ends:
 * until the sync is complete, the copy is unchanged and not locked.
 */
const pendingTable = 'CREATE TEMP TABLE vitrine_pending (change TEXT NOT NULL) STRICT'

/** Amounts are TEXT too: as numbers they would not be exact. */
const columnTypes = { string: 'TEXT', boolean: 'INTEGER' } as const

/**
 * A copy as a table of an SQLite database, which can contain both collections. The records of a change and its state are
 * stored in one transaction.
 *
 * @throws ConfigError if the database is not of this target.
 */
export function openSqliteCopy(file: string, target: Target): Copy {
  const database = openSqlite(file)
  const table = target.collection
  try {
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
      return Promise.resolve(createSync(database, target, full))
    },
    close: () => {
      database.close()
      return Promise.resolve()
    },
  }
}

function createSync(database: SqliteDatabase, target: Target, full: boolean): CopySync {
  const table = target.collection
  const countRows = (): number => {
    const [row] = select(database, table, `SELECT count(*) AS total FROM ${table}`)
    return Number(row?.['total'] ?? 0)
  }
  return {
    held: countRows(),
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
      else apply(database, target, [change])
      return Promise.resolve()
    },
    commit: () => {
      if (full) apply(database, target, readPending(database))
      return Promise.resolve(countRows())
    },
  }
}

function* readPending(database: SqliteDatabase): Generator<Change, void, undefined> {
  const rows = database.prepare('SELECT change FROM vitrine_pending ORDER BY rowid').iterate()
  for (const { change } of rows) yield JSON.parse(String(change)) as Change
}

/** Tables are created only with the first change: a pull with a wrong key or URL leaves none. */
function apply(database: SqliteDatabase, target: Target, changes: Iterable<Change>): void {
  const table = target.collection
  const names = Object.keys(recordFields[table])
  transact(database, () => {
    database.exec(stateTable)
    database.exec(`CREATE TABLE IF NOT EXISTS ${table} (${listColumns(table)}) STRICT`)
    const upsert = database.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    )
    const remove = database.prepare(`DELETE FROM ${table} WHERE id = ?`)
    const save = database.prepare('REPLACE INTO vitrine_state VALUES (?, ?, ?)')
    // A later version is newer whatever its `updatedAt` is: a transaction that commits late can set it back.
    for (const { records, removedIds, state } of changes) {
      for (const record of records) {
        const fields: Readonly<Record<string, unknown>> = { ...record }
        upsert.run(...names.map((name) => toSqliteValue(fields[name])))
      }
      for (const id of removedIds) remove.run(id)
      save.run(table, renderTarget(target), state)
    }
  })
}

/** In the order of the contract. All but `id` can be NULL, as the copies of earlier releases have them. */
function listColumns(collection: CollectionName): string {
  const columns = Object.entries(recordFields[collection]).map(([name, { type }]) =>
    name === 'id' ? 'id TEXT NOT NULL PRIMARY KEY' : `${name} ${columnTypes[type]}`,
  )
  return columns.join(', ')
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

function readState(database: SqliteDatabase, collection: CollectionName): State | undefined {
  const sql = 'SELECT target, state FROM vitrine_state WHERE collection = ?'
  const [found] = select(database, 'vitrine_state', sql, collection)
  return found as State | undefined
}

function hasTable(database: SqliteDatabase, table: string): boolean {
  const statement = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  return statement.get(table) !== undefined
}
