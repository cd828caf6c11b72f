import type { Throwaway } from '../product/index.js'
import { createReader } from './reader.js'
import {
  pagesMax,
  playEdgeRound,
  playHeldTransaction,
  playRound,
  readOut,
  readTable,
  traceCrawls,
} from './rounds.js'
import { closeRun, openRun } from './run.js'
import type { Run, RunOptions } from './run.js'
import type { Visible } from './table.js'
import type { Tally } from './tally.js'
import type { Trace } from './trace.js'

/** What came of a run. */
export interface Outcome {
  readonly tally: Tally
  readonly trace: Trace
  /** The records of the transaction that was held open over a whole crawl and the one after it. */
  readonly held: readonly string[]
  readonly end: End
}

/** How the table stands when nothing changes any more. */
export interface End {
  /** The table: versions by id. */
  readonly stored: Visible
  /** What a crawl of everything shows, by a reader that has nothing yet. */
  readonly shown: Visible
  /** What each reader's copy holds of the records that the full crawl still shows. */
  readonly copies: ReadonlyMap<string, Visible>
  /** Ids that a copy holds and the full crawl does not show, other than those that were archived. */
  readonly strangers: readonly string[]
}

/** Every so many rounds one writer works alone, on the edge of what the readers ask for next. */
const edgeEvery = 8

/** Plays a whole run: writers and readers at once, restarts in the middle, and the reckoning. */
export async function playEpisode(throwaway: Throwaway, options: RunOptions): Promise<Outcome> {
  const run = await openRun(throwaway, options)
  try {
    const held = await playRounds(run)
    await settle(run)
    return { end: await reckon(run), tally: run.tally, trace: run.trace, held }
  } finally {
    await closeRun(run)
  }
}

async function playRounds(run: Run): Promise<readonly string[]> {
  const { rounds } = run.options
  const at = (part: number): number => Math.floor(rounds * part)
  const disturbances = new Map([
    [at(0.2), cutConnections],
    [at(0.4), restartBy('SIGTERM')],
    [at(0.6), restartBy('SIGKILL')],
    [at(0.8), cutConnections],
  ])
  let held: readonly string[] = []
  for (let round = 0; round < rounds; round += 1) {
    await playRound(run, disturbances.get(round))
    if (round % edgeEvery === edgeEvery - 1) await playEdgeRound(run, Math.floor(round / edgeEvery))
    if (round === at(0.5)) held = await playHeldTransaction(run)
  }
  return held
}

async function cutConnections(run: Run): Promise<void> {
  await run.service.cutConnections(run.admin)
  run.tally.cuts += 1
}

function restartBy(signal: 'SIGTERM' | 'SIGKILL') {
  return async (run: Run): Promise<void> => {
    await run.service.restart(signal)
    run.tally.restarts += 1
  }
}

/** The writers commit what is open, and every reader ends its crawl and does one more. */
async function settle(run: Run): Promise<void> {
  for (const { writer } of run.writers) {
    const open = writer.open()
    if (open.length === 0) continue
    for (const { row, archived } of open) Object.assign(row, { touched: run.round, archived })
    await writer.run({ changes: [], ageMicros: 0, stamp: undefined, tied: false, end: 'commit' })
  }
  run.round += 1
  for (let crawl = 0; crawl < 2; crawl += 1) {
    await traceCrawls(run, await Promise.all(run.readers.map((reader) => readOut(run, reader))))
    run.round += 1
  }
}

async function reckon(run: Run): Promise<End> {
  const stored = await readTable(run)
  const fresh = createReader(run, { name: 'a new reader', number: run.readers.length, drawLimit: () => 100 })
  await fresh.readPages(pagesMax, run.round)
  const shown = fresh.copy
  const { readers } = run
  const archived = new Set([...run.ledger.rows].filter((row) => row.archived).map(({ id }) => id))
  return {
    stored,
    shown,
    copies: new Map(
      readers.map(({ name, copy }) => [name, new Map([...copy].filter(([id]) => shown.has(id)))]),
    ),
    strangers: readers.flatMap(({ copy }) =>
      [...copy.keys()].filter((id) => !shown.has(id) && !archived.has(id)),
    ),
  }
}
