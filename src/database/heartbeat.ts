import { findEarlier, parseDatabaseTime } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { clock, join, quote, sql } from './sql.js'
import type { Sql } from './sql.js'
import type { RunQuery } from './statement.js'

/*
 * The one proof of freshness. The statement of a page reads the heartbeat in the snapshot of its rows: every transaction that
 * the primary committed before that heartbeat is in them. So the proof holds for the rows themselves, at whatever server a
 * proxy, a cluster or a name has answered.
 */

/** A row, or a row of each writer, that pt-heartbeat or a job of the product writes every second, in UTC. */
export interface Heartbeat {
  readonly table: string
  readonly column: string
  /** The column with the start of the oldest transaction that was open when the row was written. */
  readonly oldestOpen?: string | undefined
}

/** The names under which a statement selects the clock of the server and what the heartbeat says. */
export const nowNames = { clock: 'startedAt', heartbeat: 'heartbeat', oldestOpen: 'oldestOpen' } as const

/**
 * One row with the clock and the heartbeat: of several writers the newest beat, because the row of an earlier primary stays
 * behind; the start of the oldest transaction of any of them.
 */
export function selectNow(heartbeat: Heartbeat): Sql {
  const { table, column, oldestOpen } = heartbeat
  const cells = [
    sql`${clock} as ${quote(nowNames.clock)}`,
    sql`max(${quote(column)}) as ${quote(nowNames.heartbeat)}`,
    ...(oldestOpen === undefined
      ? []
      : [
          sql`case when count(*) = count(${quote(oldestOpen)}) then min(${quote(oldestOpen)}) end as ${quote(nowNames.oldestOpen)}`,
        ]),
  ]
  return sql`select ${join(cells, ', ')} from ${quote(table)}`
}

/** What a page proves of its rows. */
export interface Proof {
  readonly clock: Instant
  /** The instant before which every commit is in the rows; undefined without a heartbeat. */
  readonly heartbeat: Instant | undefined
  readonly oldestOpen: Instant | undefined
}

/** The instant of a TIMESTAMP or DATETIME, or of the text of pt-heartbeat; undefined for what is none. */
export function parseHeartbeat(cell: unknown): Instant | undefined {
  return typeof cell === 'string' ? parseDatabaseTime(cell.replace('T', ' ').replace(/Z$/, '')) : undefined
}

/** The instant up to which the data of a page are complete: no later than its clock. */
export function findComplete({ clock: now, heartbeat }: Proof): Instant {
  return findEarlier(now, heartbeat)
}

/** The difference of clocks that is subtracted where the oldest open transaction is known, in seconds. */
const clockMarginSeconds = 10

/** The instant before which no transaction can commit any more whose changes a crawl lacks. */
export function findSettled(startedAt: Instant, oldestOpen: Instant): Instant {
  const { seconds, micros } = findEarlier(startedAt, oldestOpen)
  return { seconds: seconds - clockMarginSeconds, micros }
}

/** The age of the heartbeat in seconds, for the report of `check`; undefined where it has no time. */
export async function readHeartbeatAge(
  runQuery: RunQuery,
  heartbeat: Heartbeat,
): Promise<number | undefined> {
  const [row] = await runQuery({ sql: selectNow(heartbeat).text, values: [] })
  const [now, beat] = [row?.[nowNames.clock], row?.[nowNames.heartbeat]].map(parseHeartbeat)
  return now === undefined || beat === undefined ? undefined : now.seconds - beat.seconds
}
