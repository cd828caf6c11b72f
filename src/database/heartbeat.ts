import { findEarlier, parseDatabaseTime, readServerClock, subtractMs } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { clock, join, quote, Sql, sql } from './sql.js'
import type { Row } from './statement.js'

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
export const nowNames = {
  clock: 'startedAt',
  earliest: 'heartbeat',
  latest: 'latest',
  oldestOpen: 'oldestOpen',
} as const

/**
 * One row with the clock, the earliest and the latest beat of all writers, and the start of the oldest transaction of any of
 * them. The earliest, because a commit of the writer that is behind can be missing. NULL in any row leaves no beat.
 */
export function selectNow({ table, column, oldestOpen }: Heartbeat): Sql {
  const ofAll = (name: string, pick: 'min' | 'max'): Sql =>
    sql`case when count(*) = count(${quote(name)}) then ${new Sql(pick)}(${quote(name)}) end`
  const cells = [
    sql`${clock} as ${quote(nowNames.clock)}`,
    sql`${ofAll(column, 'min')} as ${quote(nowNames.earliest)}`,
    sql`${ofAll(column, 'max')} as ${quote(nowNames.latest)}`,
    ...(oldestOpen === undefined ? [] : [sql`${ofAll(oldestOpen, 'min')} as ${quote(nowNames.oldestOpen)}`]),
  ]
  return sql`select ${join(cells, ', ')} from ${quote(table)}`
}

/** A beat that is further ahead of the clock, in seconds, proves nothing. */
const aheadMaxSeconds = 5

/** What a page proves of its rows. */
export interface Proof {
  /** The clock of the server. */
  readonly clock: Instant
  /**
   * Every commit before it is in the rows; undefined where a mapped heartbeat cannot be used: is missing, empty, NULL,
   * unreadable or ahead.
   */
  readonly complete: Instant | undefined
  /** Undefined where it is not mapped, or is not known. */
  readonly oldestOpen: Instant | undefined
}

/** Reads the proof of a row with the cells of `selectNow`, or with the clock alone where no heartbeat is mapped. */
export function readProof(row: Row): Proof {
  const now = readServerClock(row[nowNames.clock])
  if (!(nowNames.earliest in row)) return { clock: now, complete: now, oldestOpen: undefined }
  const [earliest, latest] = [row[nowNames.earliest], row[nowNames.latest]].map(parseHeartbeat)
  const isUsable = latest !== undefined && latest.seconds - now.seconds <= aheadMaxSeconds
  return {
    clock: now,
    complete: isUsable && earliest !== undefined ? findEarlier(now, earliest) : undefined,
    oldestOpen: parseHeartbeat(row[nowNames.oldestOpen]),
  }
}

/** The instant of a TIMESTAMP or DATETIME, or of the text of pt-heartbeat; undefined for what is none. */
export function parseHeartbeat(cell: unknown): Instant | undefined {
  return typeof cell === 'string' ? parseDatabaseTime(cell.replace('T', ' ').replace(/Z$/, '')) : undefined
}

/** How old a proof is in seconds; Infinity where a mapped heartbeat cannot be used. */
export function toAgeSeconds({ clock: now, complete }: Proof): number {
  return complete === undefined ? Infinity : now.seconds - complete.seconds
}

/** The difference of clocks that is subtracted where the oldest open transaction is known, in seconds. */
const clockMarginSeconds = 10

/** The instant before which no transaction can commit any more whose changes a crawl lacks. */
export function findSettled(startedAt: Instant, oldestOpen: Instant): Instant {
  const { seconds, micros } = findEarlier(startedAt, oldestOpen)
  return { seconds: seconds - clockMarginSeconds, micros }
}

/** A lower bound of the clock of the database, kept from the answers that had it. */
export class ClockFloor {
  /** Of the last proof; without a heartbeat it is 0. */
  ageSeconds = 0
  #clock: Instant | undefined
  #receivedAtMs = 0

  /** Notes a clock that was received now, so that no request has to read it again. */
  note(now: Instant): void {
    this.#clock = now
    this.#receivedAtMs = performance.now()
  }

  /** The same with what a page proves. */
  noteProof(proof: Proof): void {
    this.note(proof.clock)
    this.ageSeconds = toAgeSeconds(proof)
  }

  /** The clock at a time of `performance.now()`, or before: the way from the server took time. Undefined before the first note. */
  readFloor(atMs: number): Instant | undefined {
    return this.#clock && subtractMs(this.#clock, this.#receivedAtMs - atMs)
  }
}
