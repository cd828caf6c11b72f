import { toDatabaseTime } from '../product/product.js'
import type { Crawl, Reader } from './reader.js'
import { findQuickReader } from './run.js'
import type { Run } from './run.js'
import { readVisible } from './table.js'
import type { Visible } from './table.js'
import type { Change, WriterStep } from './writer.js'

/** A crawl of any number of pages ends within so many; the bound only stops a reader that never arrives. */
export const pagesMax = 100_000

/**
 * One round: what everybody does in it is drawn first, then it is done all at once. It ends when all are done,
 * so no machine is too slow for it.
 */
export async function playRound(run: Run, disturb?: (run: Run) => Promise<void>): Promise<void> {
  const { random, round } = run
  const work = run.writers.flatMap((seat) => {
    const open = seat.writer.open()
    const step = random.whole(3) === 0 ? undefined : run.planner.planStep(open, round - seat.openSince)
    if (step === undefined) return []
    if (open.length === 0) seat.openSince = round
    return [{ writer: seat.writer, step, touched: noteStep(run, step, open) }]
  })
  const reading = run.readers.map((reader) => ({
    reader,
    // About so many records, in pages of whatever size.
    pages: random.whole(2) === 0 && disturb === undefined ? 0 : 1 + random.whole(40),
  }))
  const [ended] = await Promise.all([
    Promise.all(reading.map(({ reader, pages }) => readSome(run, reader, pages))),
    Promise.all(work.map(({ writer, step }) => writer.run(step))),
    disturb?.(run),
  ])
  for (const { step, touched } of work) if (step.end !== 'hold') release(touched)
  await traceCrawls(run, ended)
  run.round += 1
  run.tally.rounds += 1
}

/**
 * A round of one writer alone: rows that bear exactly the instant from which a reader will ask next, or a moment
 * after it, or the time of the row that a reader stands at. Since no crawl begins meanwhile, every reader's next
 * crawl must show them, however long ago that instant is.
 */
export async function playEdgeRound(run: Run, edge: number): Promise<void> {
  const { random } = run
  const kind = random.pick(['exactly', 'after', 'position'] as const)
  const count = tieSizes[edge % tieSizes.length]!
  const changes = run.planner.planChanges('update', count)
  const step = {
    changes,
    ageMicros: 0,
    stamp: chooseEdge(run, kind),
    tied: true,
    end: 'commit',
  } as const
  const touched = noteStep(run, step, [])
  await run.loner.run(step)
  release(touched)
  run.round += 1
  run.tally.rounds += 1
}

/**
 * A transaction that writes two rows, stays open over a whole crawl of a reader and over its next
 * one, and commits then.
 *
 * @returns the ids of the rows.
 */
export async function playHeldTransaction(run: Run): Promise<readonly string[]> {
  const changes = run.planner.planChanges('update', 2)
  const work = { changes, ageMicros: heldAgeMicros, stamp: undefined, tied: false } as const
  await run.loner.run({ ...work, end: 'hold' })
  const reader = findQuickReader(run)
  // The crawl under way, a whole one, and its following one.
  for (let crawl = 0; crawl < 3; crawl += 1) await traceCrawls(run, [await readOut(run, reader)])
  const commit = { ...work, changes: [], end: 'commit' } as const
  const touched = noteStep(run, commit, changes)
  await run.loner.run(commit)
  run.round += 1
  await traceCrawls(run, [await readOut(run, reader)])
  release(touched)
  return touched.map(({ row }) => row.id)
}

/** Rows that an edge gets, in turn: first more than any page holds. */
const tieSizes = [120, 1, 30, 2]

/** More than a whole second's rounding, so that the row lies before the crawls that pass over it. */
const heldAgeMicros = 1_100_000

/** A crawl that a reader has ended. */
interface Ended {
  readonly reader: Reader
  readonly crawl: Crawl
}

/** Reads to the end of a crawl. */
export async function readOut(run: Run, reader: Reader): Promise<Ended> {
  const crawl = await reader.readPages(pagesMax, run.round)
  if (crawl === undefined) throw new Error(`${reader.name} never came to an end`)
  return { reader, crawl }
}

async function readSome(run: Run, reader: Reader, records: number): Promise<Ended | undefined> {
  const limit = Number(/\d+ /.exec(reader.name)?.[0] ?? 20)
  const crawl = await reader.readPages(Math.ceil(records / limit), run.round)
  return crawl === undefined ? undefined : { reader, crawl }
}

/** Writes down the table beside the crawls that ended, while nothing is being written. */
export async function traceCrawls(run: Run, ended: readonly (Ended | undefined)[]): Promise<void> {
  const crawls = ended.filter((one) => one !== undefined)
  if (crawls.length === 0) return
  const visible = await readTable(run)
  for (const { reader, crawl } of crawls)
    run.trace.end({ ...crawl, reader: reader.number }, run.ledger, visible)
}

/** What the product itself says must be visible. */
export function readTable({ admin, options }: Run): Promise<Visible> {
  return readVisible(admin, options.form)
}

/** Writes down what a step's commit will have done. Returns every change of its transaction. */
function noteStep(run: Run, step: WriterStep, open: readonly Change[]): readonly Change[] {
  const all = [...open, ...step.changes]
  if (step.end !== 'commit') return all
  for (const { row, archived } of all) {
    row.touched = run.round
    row.archived = archived
    run.ledger.rows.add(row)
  }
  return all
}

function release(changes: readonly Change[]): void {
  for (const { row } of changes) row.busy = false
}

/** In the column's own terms. */
function chooseEdge(run: Run, kind: 'exactly' | 'after' | 'position'): string | undefined {
  const { digits, offsetMinutes } = run.options.form
  const crawls = run.readers.flatMap((reader) => reader.crawl() ?? [])
  if (crawls.length === 0) return undefined
  const unit = 10 ** (6 - digits)
  // The latest of what the readers will ask for: for the others it is later than their own.
  const next = Math.max(...crawls.map((crawl) => Date.parse(crawl.next))) * 1000
  const exactly = Math.ceil(next / unit) * unit
  const positions = crawls
    .map((crawl) => Date.parse(crawl.last ?? crawl.next) * 1000)
    .filter((position) => position >= exactly)
  const micros = {
    exactly,
    after: exactly + unit,
    position: positions.length === 0 ? exactly : Math.min(...positions),
  }[kind]
  return toDatabaseTime(micros, digits, offsetMinutes)
}
