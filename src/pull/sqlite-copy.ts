import type { Page } from '../client/index.js'
import { ConfigError } from '../errors.js'
import type { AnyRecord, Copy, Position } from './copy.js'
import { needsPermission, RemovalsError } from './removals.js'
import type { Removals } from './removals.js'
import { listColumns, renderTable } from './sqlite-table.js'
import type { Column } from './sqlite-table.js'
import { openSqlite } from './sqlite-module.js'
import type { SqliteDatabase } from './sqlite-module.js'
import { renderTarget } from './target.js'
import type { Target } from './target.js'

interface State extends Position {
  readonly full: boolean
}

const stateTable = `CREATE TABLE IF NOT EXISTS vitrine_state (
  collection TEXT PRIMARY KEY, target TEXT NOT NULL, "full" INTEGER NOT NULL, since TEXT, "cursor" TEXT
) STRICT`

/**
 * A copy as a table of an SQLite database, which may hold both collections. A page's records and the position behind
 * them are one transaction.
 *
 * @throws ConfigError where the database is not this target's.
 */
export function openSqliteCopy(file: string, target: Target): Copy {
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
    begin: (wantsFull, allowRemovals = false) => {
      full = wantsFull
      mayRemove = allowRemovals
      removed = 0
      return Promise.resolve(begin(database, table, full))
    },
    save: (page) => {
      const { refused, ...saved } = transact(database, () => {
        prepare(database, target, columns)
        return savePage(database, { table, columns, full, mayRemove }, page)
      })
      removed += saved.removed
      return refused === undefined ? Promise.resolve() : Promise.reject(new RemovalsError(refused))
    },
    count: () => {
      const row = database.prepare(`SELECT count(*) AS total FROM ${table}`).get()
      return Promise.resolve({ total: Number(row?.['total']), removed })
    },
    close: () => {
      database.close()
      return Promise.resolve()
    },
  }
}

/** Where a full sync gathers what will take the table's place. */
function toPassTable(table: string): string {
  return `vitrine_full_${table}`
}

function begin(database: SqliteDatabase, table: string, full: boolean): Position {
  const state = readState(database, table)
  return {
    since: full ? null : (state?.since ?? null),
    cursor: isUnderWay(state, full) ? state.cursor : null,
  }
}

/** Makes the tables that are missing; not before there is a page, so that a failed first try leaves nothing. */
function prepare(database: SqliteDatabase, target: Target, columns: readonly Column[]): void {
  const table = target.collection
  database.exec(stateTable)
  database.exec(renderTable(table, columns))
  database
    .prepare('INSERT INTO vitrine_state VALUES (?, ?, 0, NULL, NULL) ON CONFLICT DO NOTHING')
    .run(table, renderTarget(target))
}

interface Pass {
  readonly table: string
  readonly columns: readonly Column[]
  readonly full: boolean
  readonly mayRemove: boolean
}

interface Saved {
  /** How many records vanished, once a full pass is complete. */
  readonly removed: number
  /** What a full pass would have removed, which was dropped instead. */
  readonly refused?: Removals
}

function savePage(database: SqliteDatabase, pass: Pass, page: Page<AnyRecord>): Saved {
  const { table, columns, full } = pass
  const state = readState(database, table)
  const passTable = toPassTable(table)
  if (!isUnderWay(state, full)) database.exec(`DROP TABLE IF EXISTS ${passTable}`)
  if (full) database.exec(renderTable(passTable, columns))
  insert(database, full ? passTable : table, columns, page.data)
  const isLast = page.cursor === null
  const saved: Saved = full && isLast ? finishPass(database, pass) : { removed: 0 }
  const isComplete = isLast && saved.refused === undefined
  const since = isComplete ? page.nextUpdatedSince : (state?.since ?? null)
  database
    .prepare('UPDATE vitrine_state SET "full" = ?, since = ?, "cursor" = ? WHERE collection = ?')
    .run(Number(full), since, page.cursor, table)
  return saved
}

function finishPass(database: SqliteDatabase, { table, mayRemove }: Pass): Saved {
  const removals = countRemovals(database, table)
  const isRefused = needsPermission(removals) && !mayRemove
  if (!isRefused) takePlace(database, table)
  database.exec(`DROP TABLE ${toPassTable(table)}`)
  return isRefused ? { removed: 0, refused: removals } : { removed: removals.removed }
}

function isUnderWay(state: State | undefined, full: boolean): state is State {
  return state !== undefined && state.cursor !== null && state.full === full
}

/** What comes later is newer, whatever its `updatedAt` says: a late commit may turn that back. */
function insert(
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

function countRemovals(database: SqliteDatabase, table: string): Removals {
  const passTable = toPassTable(table)
  const count = (condition: string): number =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${table}${condition}`).get()?.['n'])
  return { held: count(''), removed: count(` WHERE id NOT IN (SELECT id FROM ${passTable})`) }
}

function takePlace(database: SqliteDatabase, table: string): void {
  const passTable = toPassTable(table)
  database.exec(`DELETE FROM ${table} WHERE id NOT IN (SELECT id FROM ${passTable})`)
  database.exec(`INSERT OR REPLACE INTO ${table} SELECT * FROM ${passTable}`)
}

function readState(database: SqliteDatabase, table: string): State | undefined {
  if (!hasTable(database, 'vitrine_state')) return undefined
  const row = database.prepare('SELECT * FROM vitrine_state WHERE collection = ?').get(table)
  if (row === undefined) return undefined
  const { since, cursor } = row as { since: string | null; cursor: string | null }
  return { full: row['full'] === 1, since, cursor }
}

/** @throws ConfigError */
function requireTarget(database: SqliteDatabase, file: string, target: Target): void {
  const table = target.collection
  const isOurs = readState(database, table) !== undefined
  if (!isOurs && hasTable(database, table))
    throw toFault(file, `a table ${table} that no pull made`, 'another name for --to')
  if (!isOurs) return
  const row = database.prepare('SELECT target FROM vitrine_state WHERE collection = ?').get(table)
  const own = String(row?.['target'])
  if (own !== renderTarget(target)) throw toFault(file, `the copy of ${own}`, renderTarget(target))
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

function toFault(path: string, found: string, allowed: string): ConfigError {
  return new ConfigError([{ path, found, allowed }])
}
