import { readServerClock } from '../../values/instant.js'
import type { Instant } from '../../values/instant.js'
import { isConnectionLost } from '../../database/errors.js'
import { parseHeartbeat } from '../../database/heartbeat.js'
import type { Heartbeat } from '../../database/heartbeat.js'
import { toQuotedName } from '../../database/sql.js'
import type { Row, RunQuery } from '../../database/statement.js'

/** The start of the oldest open transaction as the heartbeat says, or why it is not known. */
export type OldestOpen =
  { readonly startedAt: Instant; readonly ageSeconds: number } | { readonly reason: string }

/** A time can be ahead of the clock of the server by this much, because two clocks differ. */
const aheadMaxSeconds = 5

/**
 * Reads the start of the oldest open transaction: each writer of the product keeps it in a row of its own, with the time of
 * the row. A transaction that the data of the host lack was open when the row was written, or began later. So the row is a
 * bound for every page that the same host reads afterwards, however old it is.
 *
 * @returns the earliest start, and the age of the oldest row; undefined where the mapping file names no column for it.
 */
export async function readOldestOpen(
  runQuery: RunQuery,
  heartbeat: Heartbeat | undefined,
): Promise<OldestOpen | undefined> {
  if (heartbeat?.oldestOpen === undefined) return undefined
  const { table, column, oldestOpen } = heartbeat
  const [beat, oldest] = [toQuotedName(column), toQuotedName(oldestOpen)]
  const sql = `select min(${beat}) as heartbeat, min(${oldest}) as oldest, count(*) = count(${oldest}) as complete, utc_timestamp(6) as \`now\` from ${toQuotedName(table)}`
  try {
    const [row] = await runQuery({ sql, values: [] })
    return toOldestOpen(row ?? {})
  } catch (error) {
    if (isConnectionLost(error)) throw error
    return { reason: `It cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function toOldestOpen(row: Row): OldestOpen {
  const { seconds: now } = readServerClock(row['now'])
  const [writtenAt, startedAt] = [row['heartbeat'], row['oldest']].map(parseHeartbeat)
  const isComplete = Number(row['complete']) === 1
  if (writtenAt === undefined || startedAt === undefined || !isComplete)
    return { reason: 'Not every row has a time in UTC' }
  if (startedAt.seconds > now + aheadMaxSeconds) return { reason: 'It is in the future; it must be in UTC' }
  return { startedAt, ageSeconds: Math.max(0, now - writtenAt.seconds) }
}
