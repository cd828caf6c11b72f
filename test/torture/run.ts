import type mysql from 'mysql2/promise'
import type { Throwaway } from '../product/index.js'
import { createRandom } from '../product/random.js'
import type { Random } from '../product/random.js'
import { createLedger } from './ledger.js'
import type { Ledger } from './ledger.js'
import { createPlanner } from './plan.js'
import type { Planner } from './plan.js'
import { createReader } from './reader.js'
import type { Reader } from './reader.js'
import { startServiceProcess } from './service-process.js'
import type { ServiceProcess } from './service-process.js'
import { createTable, openConnection, readVisible } from './table.js'
import type { TimeForm } from './table.js'
import { createTally } from './tally.js'
import type { Tally } from './tally.js'
import { createTrace } from './trace.js'
import type { Trace } from './trace.js'
import { createWriter } from './writer.js'
import type { Writer } from './writer.js'

/** What one run is made of; with the same numbers its writers do the same again. */
export interface RunOptions {
  readonly seed: number
  readonly form: TimeForm
  readonly rounds: number
  /** The SYNC_OVERLAP_SECONDS of the service. */
  readonly overlapSeconds: number
  /** What the writers keep to: no more than that, where nothing may be lost. */
  readonly promisedSeconds: number
}

/** Everything that a run holds. */
export interface Run {
  readonly options: RunOptions
  readonly random: Random
  readonly admin: mysql.Connection
  readonly service: ServiceProcess
  readonly ledger: Ledger
  readonly planner: Planner
  readonly readers: readonly Reader[]
  readonly writers: readonly WriterSeat[]
  /** A writer that works while no other does. */
  readonly loner: Writer
  readonly tally: Tally
  readonly trace: Trace
  /** Counts up whenever something may have changed; what was committed in an earlier round is old. */
  round: number
}

/** A writer, and since which round its transaction is open. */
export interface WriterSeat {
  readonly writer: Writer
  openSince: number
}

/** Sizes of pages, from the least to the most; 0 draws another one for each page. */
const limits = [1, 2, 7, 25, 100, 0]
const writersCount = 4
/** How much older than now a stamp may be; well within every overlap that is promised. */
const ageMaxMicros = 1_500_000

/** Makes the product, starts the service before it and connects everybody. */
export async function openRun(throwaway: Throwaway, options: RunOptions): Promise<Run> {
  const random = createRandom(options.seed)
  const database = await createTable(throwaway, options.form)
  const admin = await openConnection(database.adminUrl)
  const service = await startServiceProcess(throwaway, database, options.overlapSeconds)
  const tally = createTally()
  const trace = createTrace()
  const readers = limits.map((limit, number) => {
    const own = createRandom(options.seed + number)
    const drawLimit = (): number => (limit === 0 ? 1 + own.whole(100) : limit)
    return createReader({ service, tally, trace }, { name: nameReader(limit), number, drawLimit })
  })
  const latestStart = (): number =>
    Math.max(...readers.map((reader) => Date.parse(reader.crawl()?.next ?? '1970-01-01'))) +
    options.overlapSeconds * 1000
  const openWriter = async (): Promise<Writer> => {
    const connection = await openConnection(database.adminUrl)
    // No row is written by two at once, but the gaps that a repeatable read locks are shared by all.
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED')
    return createWriter({ connection, ...options, tally, latestStart })
  }
  const ledger = createLedger(random, (await readVisible(admin, options.form)).keys())
  return {
    options,
    random,
    admin,
    service,
    ledger,
    planner: createPlanner(random, ledger, ageMaxMicros),
    readers,
    writers: await Promise.all(
      Array.from({ length: writersCount }, async () => ({ writer: await openWriter(), openSince: 0 })),
    ),
    loner: await openWriter(),
    tally,
    trace,
    round: 1,
  }
}

/** Ends the service and every connection. */
export async function closeRun(run: Run): Promise<void> {
  await run.service.stop()
  await Promise.all([...run.writers.map(({ writer }) => writer.close()), run.loner.close(), run.admin.end()])
}

/** The largest pages: a crawl of this reader is done with a few requests. */
export function findQuickReader(run: Run): Reader {
  return run.readers.find((one) => one.name === nameReader(100))!
}

function nameReader(limit: number): string {
  return limit === 0 ? 'the reader of changing pages' : `the reader of pages of ${limit}`
}
