import type { Clock } from '../clock.js'
import type { RunQuery } from '../database/statement.js'
import { readServerClock } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { toTable } from './report.js'
import type { CheckSection } from './report.js'

/** What the database's clock says, and how far it is from this machine's. */
export interface ClockReading {
  readonly now: Instant
  /** Milliseconds that the database is ahead of this machine; half the round trip may be error. */
  readonly aheadMs: number
  readonly roundTripMs: number
}

const attempts = 5

/** Keys expire by this machine's clock, and more than that is a clock that nobody sets. */
const toleranceMs = 1000

/** Reads the database's clock several times, and keeps the reading with the shortest way. */
export async function readClock(ask: RunQuery, clock: Clock): Promise<ClockReading> {
  let best: ClockReading | undefined
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const before = clock()
    const [row] = await ask({ sql: 'select utc_timestamp(6) as `now`', values: [] })
    const after = clock()
    const now = readServerClock(row?.['now'])
    const aheadMs = now.seconds * 1000 + now.micros / 1000 - (before + after) / 2
    const reading = { now, aheadMs, roundTripMs: after - before }
    if (best === undefined || reading.roundTripMs <= best.roundTripMs) best = reading
  }
  if (best === undefined) throw new Error('The clock was not read')
  return best
}

/** Whether both clocks tell the same time. */
export function checkClock({ aheadMs, roundTripMs }: ClockReading): CheckSection {
  const isOff = Math.abs(aheadMs) - roundTripMs / 2 > toleranceMs
  return {
    id: 'clock',
    title: 'Clocks',
    intro:
      'Syncs go by the database’s clock alone. This machine’s clock decides when a key has expired, so the two should agree.',
    tables: [
      toTable('clock', { aheadMs: 'Database ahead by, ms', roundTripMs: 'Round trip, ms' }, [
        { aheadMs: Math.round(aheadMs), roundTripMs: Math.round(roundTripMs) },
      ]),
    ],
    notes: [],
    findings: isOff
      ? [
          {
            severity: 'warning',
            object: 'the clocks',
            privilege: null,
            problem: `differ by ${Math.round(Math.abs(aheadMs))} ms: keys expire that much too ${aheadMs > 0 ? 'late' : 'early'}`,
            fix: 'let both machines set their clocks by NTP',
          },
        ]
      : [],
  }
}
