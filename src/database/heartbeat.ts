import { readServerClock } from '../values/instant.js'
import { SessionError } from './connection.js'
import { isConnectionLost } from './errors.js'
import type { Freshness, Heartbeat } from './freshness.js'
import { parseTime } from './oldest-open.js'
import { toQuotedName } from './quote.js'
import type { RunQuery } from './statement.js'

/** A heartbeat can be ahead of the clock of the server by this much, because two clocks differ. */
const aheadMaxSeconds = 5

/**
 * Reads the age of the newest heartbeat by the clock of the server that is read. This is the clock that syncs begin by,
 * so the age includes the difference of this clock and that of the writer. The writer is `pt-heartbeat --utc`, whose
 * column holds text such as `2026-03-01T09:30:00.001230`, or a job that stores `UTC_TIMESTAMP(6)`; a TIMESTAMP column
 * means UTC by itself. A time of another zone is in the future or too old, so it never makes old data look fresh at the
 * server that is written.
 */
export async function readHeartbeat(runQuery: RunQuery, { table, column }: Heartbeat): Promise<Freshness> {
  const sql = `select max(${toQuotedName(column)}) as heartbeat, utc_timestamp(6) as \`now\` from ${toQuotedName(table)}`
  try {
    const [row] = await runQuery({ sql, values: [] })
    return toFreshness(row?.['heartbeat'], readServerClock(row?.['now']).seconds)
  } catch (error) {
    if (error instanceof SessionError || isConnectionLost(error)) throw error
    return notKnown(`cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function toFreshness(cell: unknown, nowSeconds: number): Freshness {
  if (typeof cell !== 'string') return notKnown('has no row with a time')
  const beat = parseTime(cell)
  if (beat === undefined) return notKnown('is no time in the form 2026-03-01T09:30:00.123456')
  const age = nowSeconds - beat.seconds
  if (age < -aheadMaxSeconds) return notKnown(`is ${-age} s in the future; it must be in UTC`)
  return { isReplica: true, lagSeconds: Math.max(0, age) }
}

function notKnown(problem: string): Freshness {
  return { isReplica: true, lagSeconds: undefined, reason: `The heartbeat ${problem}` }
}
