import { findEarlier, parseDatabaseTime, readServerClock } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { SessionError } from './connection.js'
import { isConnectionLost } from './errors.js'
import type { Freshness, Heartbeat, OldestOpen } from './freshness.js'
import { toQuotedName } from './sql.js'
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
function parseTime(cell: unknown): Instant | undefined {
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
