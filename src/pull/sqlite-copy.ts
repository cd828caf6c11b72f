import type { Page } from '../client/index.js'
import { needsPermission } from '../client/mirror.js'
import type { Removals } from '../client/mirror.js'
import { RemovalsError, renderTarget, toFileError } from './copy.js'
import type { AnyRecord, Comparison, FileCopy, Position, Target } from './copy.js'
import { createTable, hasColumn, listColumns, openSqlite } from './sqlite-table.js'
import type { Column, SqliteDatabase } from './sqlite-table.js'

interface State extends Position {
  readonly full: boolean
}

const stateTable = `CREATE TABLE IF NOT EXISTS vitrine_state (
  collection TEXT PRIMARY KEY, target TEXT NOT NULL, "full" INTEGER NOT NULL, since TEXT, "cursor" TEXT, etag TEXT
) STRICT`

/**
 * A copy as a table of an SQLite database, which can contain both collections. The records of a page and the position
 * behind them are stored in one transaction.
 *
 * @throws ConfigError if the database is not of this target.
 */
export function openSqliteCopy(file: string, target: Target): FileCopy {
  const database = openSqlite(file)
  const table = target.collection
  const columns = listColumns(table)
  try {
    requireTarget(database, file, target)
  } catch (error) {
    database.close()
    throw error
  }
  let full = false
  let mayRemove = false
  let removed = 0
  return {
    begin: (isFull, allowRemovals = false) => {
      full = isFull
      mayRemove = allowRemovals
      removed = 0
      return Promise.resolve(readPosition(database, table, full))
    },
    save: (page) => {
      const result = transact(database, () => {
        createTables(database, target, columns)
        return savePage(database, { table, columns, full, mayRemove }, page)
      })
      removed += result.removed
      return result.error === undefined ? Promise.resolve() : Promise.reject(result.error)
    },
    keep: ({ since, etag = null }) => {
      const change = 'UPDATE vitrine_state SET since = ?, etag = ? WHERE collection = ?'
      database.prepare(change).run(since, etag, table)
      return Promise.resolve()
    },
    count: () =>
      Promise.resolve({ total: hasTable(database, table) ? countRows(database, table) : 0, removed }),
    close: () => {
      database.close()
      return Promise.resolve()
    },
    compare: (record) => Promise.resolve(compareRow(database, { table, columns }, record)),
  }
}

function compareRow(
  database: SqliteDatabase,
  { table, columns }: Pick<Sync, 'table' | 'columns'>,
  record: AnyRecord,
): Comparison {
  const row = hasTable(database, table)
    ? database.prepare(`SELECT * FROM ${table} WHERE id = ?`).get(record.id)
    : undefined
  if (row === undefined) return 'added'
  return columns.every(({ name, read }) => read(record) === (row[name] ?? null)) ? 'unchanged' : 'changed'
}

/** The name of the table that collects the records of a full sync until it is complete. */
function toStagingTable(table: string): string {
  return `vitrine_full_${table}`
}

function readPosition(database: SqliteDatabase, table: string, full: boolean): Position {
  const state = readState(database, table)
  const cursor = isInterrupted(state, full) ? state.cursor : null
  const { since = null, etag } = full ? {} : (state ?? {})
  return { since, cursor, etag }
}

/** Creates missing tables; only with the first page, so that a pull with a wrong key or URL leaves none. */
function createTables(database: SqliteDatabase, target: Target, columns: readonly Column[]): void {
  const table = target.collection
  database.exec(stateTable)
  // Files of earlier releases.
  if (!hasColumn(database, 'vitrine_state', 'etag'))
    database.exec('ALTER TABLE vitrine_state ADD COLUMN etag TEXT')
  createTable(database, table, columns)
  database
    .prepare('INSERT INTO vitrine_state VALUES (?, ?, 0, NULL, NULL, NULL) ON CONFLICT DO NOTHING')
    .run(table, renderTarget(target))
}

interface Sync {
  readonly table: string
  readonly columns: readonly Column[]
  readonly full: boolean
  readonly mayRemove: boolean
}

interface SaveResult {
  /** Records that a complete full sync removed. */
  readonly removed: number
  /** Returned, not thrown: the transaction that drops the pages must be committed. */
  readonly error?: RemovalsError
}

function savePage(database: SqliteDatabase, sync: Sync, page: Page<AnyRecord>): SaveResult {
  const { table, columns, full } = sync
  const state = readState(database, table)
  const stagingTable = toStagingTable(table)
  if (!isInterrupted(state, full)) database.exec(`DROP TABLE IF EXISTS ${stagingTable}`)
  if (full) createTable(database, stagingTable, columns)
  upsert(database, full ? stagingTable : table, columns, page.data)
  const isLast = page.cursor === null
  const result: SaveResult = full && isLast ? completeFullSync(database, sync) : { removed: 0 }
  const isComplete = isLast && result.error === undefined
  const since = isComplete ? page.nextUpdatedSince : (state?.since ?? null)
  database
    .prepare('UPDATE vitrine_state SET "full" = ?, since = ?, "cursor" = ?, etag = NULL WHERE collection = ?')
    .run(Number(full), since, page.cursor, table)
  return result
}

/** Makes the table equal to the staging table, unless that would remove too many records. */
function completeFullSync(database: SqliteDatabase, { table, columns, mayRemove }: Sync): SaveResult {
  const stagingTable = toStagingTable(table)
  const isRemoved = `WHERE id NOT IN (SELECT id FROM ${stagingTable})`
  const removals: Removals = {
    held: countRows(database, table),
    removed: countRows(database, `${table} ${isRemoved}`),
  }
  const error = needsPermission(removals) && !mayRemove ? new RemovalsError(removals) : undefined
  if (error === undefined) {
    database.exec(`DELETE FROM ${table} ${isRemoved}`)
    // A table of an earlier release has the columns in another order.
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    database.exec(`INSERT OR REPLACE INTO ${table} (${names}) SELECT ${names} FROM ${stagingTable}`)
  }
  database.exec(`DROP TABLE ${stagingTable}`)
  return error === undefined ? { removed: removals.removed } : { removed: 0, error }
}

function isInterrupted(state: State | undefined, full: boolean): state is State {
  return state !== undefined && state.cursor !== null && state.full === full
}

/** A later version is newer whatever its `updatedAt` is: a transaction that commits late can set it back. */
function upsert(
  database: SqliteDatabase,
  table: string,
  columns: readonly Column[],
  records: readonly AnyRecord[],
): void {
  const names = columns.map(({ name }) => `"${name}"`)
  const changes = names.map((name) => `${name} = excluded.${name}`)
  const statement = database.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${changes.join(', ')}`,
  )
  for (const record of records) statement.run(...columns.map(({ read }) => read(record)))
}

function countRows(database: SqliteDatabase, tableAndCondition: string): number {
  return Number(database.prepare(`SELECT count(*) AS total FROM ${tableAndCondition}`).get()?.['total'])
}

function readState(database: SqliteDatabase, table: string): State | undefined {
  const row = readStateRow(database, table)
  if (row === undefined) return undefined
  const { since, cursor, etag } = row as unknown as Position
  return { full: row['full'] === 1, since, cursor, etag: etag ?? undefined }
}

function readStateRow(
  database: SqliteDatabase,
  table: string,
): Readonly<Record<string, unknown>> | undefined {
  if (!hasTable(database, 'vitrine_state')) return undefined
  return database.prepare('SELECT * FROM vitrine_state WHERE collection = ?').get(table)
}

/** @throws ConfigError */
function requireTarget(database: SqliteDatabase, file: string, target: Target): void {
  const table = target.collection
  const row = readStateRow(database, table)
  if (row === undefined) {
    if (!hasTable(database, table)) return
    throw toFileError(file, `a table ${table} that pull did not create`, 'another name for --to')
  }
  const found = String(row['target'])
  const expected = renderTarget(target)
  if (found !== expected) throw toFileError(file, `the copy of ${found}`, expected)
}

function hasTable(database: SqliteDatabase, table: string): boolean {
  const statement = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  return statement.get(table) !== undefined
}

function transact<Result>(database: SqliteDatabase, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
