import type mysql from 'mysql2/promise'
import type { LedgerRow } from './ledger.js'
import { nowSql, touchSql, writeSql } from './table.js'
import type { TimeForm } from './table.js'
import type { Tally } from './tally.js'

/** One row that a transaction writes, once. */
export interface Change {
  readonly row: LedgerRow
  /** Unlike any other, so that it is the version of the record. */
  readonly name: string
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
  readonly form: TimeForm
  /** No transaction may be visible later than this after the time that its rows bear. */
  readonly promisedSeconds: number
  readonly tally: Tally
  /** When the latest crawl began, in milliseconds. */
  readonly latestStart: () => number
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
      written.push(...(await writeAll(deps, step)))
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

async function writeAll({ connection, form }: WriterDeps, step: WriterStep): Promise<readonly Written[]> {
  const written: Written[] = []
  for (const change of step.changes) {
    const tied = step.tied ? written.at(-1)?.stamp : undefined
    const stamp = step.stamp ?? tied ?? (await readStamp(connection, form, step.ageMicros))
    await connection.query(writeSql(change.row, change.name, change.archived, stamp))
    written.push({ change, stamp })
  }
  return written
}

async function readStamp(connection: mysql.Connection, form: TimeForm, ageMicros: number): Promise<string> {
  const [rows] = await connection.query<mysql.RowDataPacket[]>(`SELECT ${nowSql(form, ageMicros)} AS stamp`)
  return String(rows[0]?.['stamp'])
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

function isLate({ stamp }: Written, { form, latestStart }: WriterDeps): boolean {
  return Date.parse(`${stamp.replace(' ', 'T')}Z`) - form.offsetMinutes * 60_000 < latestStart()
}

/**
 * Rows of a transaction that a stall has made later than was promised are written again, with a new time. The
 * clock is read after the commit, so that it errs on the safe side.
 */
async function keepPromise(deps: WriterDeps, done: readonly Written[]): Promise<void> {
  const [oldest] = done.map(({ stamp }) => stamp).sort()
  if (oldest === undefined || (await isInTime(deps, `CAST('${oldest}' AS DATETIME(6))`))) return
  deps.tally.tooLate += 1
  for (const { change } of done) await touch(deps, change)
}

async function touch(deps: WriterDeps, { row }: Change): Promise<void> {
  do await deps.connection.query(touchSql(deps.form, row))
  while (!(await isInTime(deps, `(SELECT updated FROM people WHERE id = ${row.id})`)))
}

async function isInTime({ connection, form, promisedSeconds }: WriterDeps, stamp: string): Promise<boolean> {
  const now = nowSql({ ...form, digits: 6 }, 0)
  const [rows] = await connection.query<mysql.RowDataPacket[]>(
    `SELECT ${now} <= ${stamp} + INTERVAL ${promisedSeconds} SECOND AS inTime`,
  )
  return Number(rows[0]?.['inTime']) === 1
}
