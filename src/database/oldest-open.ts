import { findEarlier, parseDatabaseTime, readServerClock } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { SessionError } from './connection.js'
import { isConnectionLost } from './errors.js'
import type { Heartbeat, OldestOpen } from './freshness.js'
import { toQuotedName } from './quote.js'
import type { Row, RunQuery } from './statement.js'

/** A change that operators should see. */
export type OldestOpenChange =
  { readonly is: 'oldest open unknown'; readonly reason: string } | { readonly is: 'oldest open known' }

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
    if (error instanceof SessionError || isConnectionLost(error)) throw error
    return { reason: `It cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function toOldestOpen(row: Row): OldestOpen {
  const { seconds: now } = readServerClock(row['now'])
  const [writtenAt, startedAt] = [row['heartbeat'], row['oldest']].map(parseTime)
  const isComplete = Number(row['complete']) === 1
  if (writtenAt === undefined || startedAt === undefined || !isComplete)
    return { reason: 'Not every row has a time in UTC' }
  if (startedAt.seconds > now + aheadMaxSeconds) return { reason: 'It is in the future; it must be in UTC' }
  return { startedAt, ageSeconds: Math.max(0, now - writtenAt.seconds) }
}

/** Of a TIMESTAMP or DATETIME, or of the text of pt-heartbeat. */
export function parseTime(cell: unknown): Instant | undefined {
  return typeof cell === 'string' ? parseDatabaseTime(cell.replace('T', ' ').replace(/Z$/, '')) : undefined
}

/** The oldest open transaction of a host, as its last health check found it. */
export interface HostOldestOpen {
  readonly find: () => Instant | undefined
  /** Undefined where the mapping file does not name it, or before the first health check. */
  readonly isKnown: () => boolean | undefined
  readonly note: (result: OldestOpen | undefined) => readonly OldestOpenChange[]
}

/** @param ageMaxSeconds of a row: a job that stopped would let syncs read more and more twice. */
export function createOldestOpen(ageMaxSeconds: number): HostOldestOpen {
  let last: OldestOpen | undefined
  const isKnown = (): boolean | undefined => last && 'startedAt' in last
  return {
    find: () => (last !== undefined && 'startedAt' in last ? last.startedAt : undefined),
    isKnown,
    note: (result) => {
      const wasKnown = isKnown()
      last =
        result !== undefined && 'ageSeconds' in result && result.ageSeconds > ageMaxSeconds
          ? { reason: `A row is ${result.ageSeconds} s old` }
          : result
      if (last === undefined || isKnown() === (wasKnown ?? true)) return []
      return 'reason' in last
        ? [{ is: 'oldest open unknown', reason: last.reason }]
        : [{ is: 'oldest open known' }]
    },
  }
}

/** The difference of clocks that is subtracted where the oldest open transaction is known, in seconds. */
const clockMarginSeconds = 10

/** The instant before which no transaction can commit any more whose changes a crawl lacks. */
export function findSettled(startedAt: Instant, oldestOpen: Instant): Instant {
  const { seconds, micros } = findEarlier(startedAt, oldestOpen)
  return { seconds: seconds - clockMarginSeconds, micros }
}
