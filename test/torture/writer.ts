import type mysql from 'mysql2/promise'
import type { Rows } from '../product/product.js'
import type { CollectionName } from '../support/expected.js'
import type { LedgerRow } from './ledger.js'
import { insertSql, nowSql, storedTimeSql, touchSql, updateSql } from './table.js'
import type { ProductTable, Sets } from './table.js'
import type { Tally } from './tally.js'

/** One row that a transaction writes, once. */
export interface Change {
  readonly table: ProductTable
  readonly row: LedgerRow
  readonly sets: Sets
  /** What is inserted before; undefined for a row that is there. */
  readonly newcomer: readonly Rows[] | undefined
  readonly archived: boolean
}

/** What a writer does in one round. */
export interface WriterStep {
  readonly changes: readonly Change[]
  /** How long before now the rows say that they changed, as where a transaction took its time to begin writing. */
  readonly ageMicros: number
  /** The one time that all the rows get; undefined for the time of the database. */
  readonly stamp: string | undefined
  /** Whether all the rows get the time of the first one. */
  readonly tied: boolean
  readonly end: 'commit' | 'rollback' | 'hold'
}

/** A connection of the product's own. */
export interface Writer {
  readonly run: (step: WriterStep) => Promise<void>
  /** What its open transaction has written. */
  readonly open: () => readonly Change[]
  readonly close: () => Promise<void>
}

interface WriterDeps {
  readonly connection: mysql.Connection
  /** No transaction may be visible later than this after the time that its rows bear. */
  readonly promisedSeconds: number
  readonly tally: Tally
  /** When the latest crawl of a collection began, in milliseconds. */
  readonly latestStart: (collection: CollectionName) => number
}

interface Written {
  readonly change: Change
  readonly stamp: string
}

/** A writer that keeps to what it promises, however slow the machine is. */
export function createWriter(deps: WriterDeps): Writer {
  const { connection, tally } = deps
  const written: Written[] = []
  return {
    run: async (step) => {
      if (written.length === 0) await connection.query('START TRANSACTION')
      written.push(...(await writeAll(connection, step)))
      if (step.tied || step.stamp !== undefined) tally.ties += step.changes.length
      if (step.end === 'hold') return
      const done = written.splice(0)
      if (step.end === 'commit') {
        await commit(deps, done, step.stamp === undefined)
        return
      }
      await connection.query('ROLLBACK')
      tally.rollbacks += 1
    },
    open: () => written.map(({ change }) => change),
    close: () => connection.end(),
  }
}

async function writeAll(connection: mysql.Connection, step: WriterStep): Promise<readonly Written[]> {
  const written: Written[] = []
  for (const change of step.changes) {
    const tied = step.tied ? written.at(-1)?.stamp : undefined
    const stamp = step.stamp ?? tied ?? (await readStamp(connection, change.table, step.ageMicros))
    await write(connection, change, stamp)
    written.push({ change, stamp })
  }
  return written
}

/** @param clocked whether the promise is kept by the clock; a stamp that was given is safe by the order of things. */
async function commit(deps: WriterDeps, done: readonly Written[], clocked: boolean): Promise<void> {
  const { connection, tally } = deps
  if (done.some((one) => isLate(one, deps))) tally.lateCommits += 1
  await connection.query('COMMIT')
  tally.commits += 1
  tally.writes += done.length
  tally.archived += done.filter(({ change }) => change.archived).length
  if (clocked) await keepPromise(deps, done)
}

async function readStamp(
  connection: mysql.Connection,
  table: ProductTable,
  ageMicros: number,
): Promise<string> {
  const [rows] = await connection.query<mysql.RowDataPacket[]>(`SELECT ${nowSql(table, ageMicros)} AS stamp`)
  return String(rows[0]?.['stamp'])
}

async function write(connection: mysql.Connection, change: Change, stamp: string): Promise<void> {
  const { table, row, newcomer } = change
  for (const statement of newcomer === undefined ? [] : insertSql(table, newcomer, stamp))
    await connection.query(statement)
  await connection.query(updateSql(table, row.id, { ...change.sets, [table.timeColumn]: stamp }))
}

function isLate({ change: { table }, stamp }: Written, { latestStart }: WriterDeps): boolean {
  const stampMs = Date.parse(`${stamp.replace(' ', 'T')}Z`) - table.offsetMinutes * 60_000
  return stampMs < latestStart(table.collection)
}

/**
 * Rows of a transaction that a stall has made later than was promised are written again, with a new time. The
 * clock is read after the commit, so that it errs on the safe side.
 */
async function keepPromise(deps: WriterDeps, done: readonly Written[]): Promise<void> {
  const oldest = new Map<ProductTable, string>()
  for (const { change, stamp } of done) {
    const before = oldest.get(change.table)
    if (before === undefined || stamp < before) oldest.set(change.table, stamp)
  }
  for (const [table, stamp] of oldest) {
    if (await isInTime(deps, table, `CAST('${stamp}' AS DATETIME(6))`)) continue
    deps.tally.tooLate += 1
    for (const { change } of done.filter((one) => one.change.table === table)) await touch(deps, change)
  }
}

async function touch(deps: WriterDeps, { table, row }: Change): Promise<void> {
  do await deps.connection.query(touchSql(table, row.id))
  while (!(await isInTime(deps, table, storedTimeSql(table, row.id))))
}

async function isInTime(deps: WriterDeps, table: ProductTable, stamp: string): Promise<boolean> {
  const [rows] = await deps.connection.query<mysql.RowDataPacket[]>(
    `SELECT ${nowSql({ ...table, timeDigits: 6 }, 0)} <= ${stamp} + INTERVAL ${deps.promisedSeconds} SECOND AS inTime`,
  )
  return Number(rows[0]?.['inTime']) === 1
}
