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
  /** Whether the schema, as it was last read, lacks it. */
  readonly isMissing?: boolean
}

/** The names under which a statement selects the clock of the server, or the clock and what the heartbeat says. */
export const proofNames = { clock: 'startedAt', beats: 'beats' } as const

/**
 * One cell, so that each row carries no more: a list of the clock, the earliest and the latest beat of all writers, and the
 * start of the oldest transaction of any of them. The earliest, because a commit of the writer that is behind can be missing.
 * NULL in any row leaves no beat; where the heartbeat is missing, the clock is alone.
 */
export function selectBeats({ table, column, oldestOpen, isMissing = false }: Heartbeat): Sql {
  const ofAll = (name: string, pick: 'min' | 'max'): Sql =>
    sql`case when count(*) = count(${quote(name)}) then ${new Sql(pick)}(${quote(name)}) end`
  const beats = [
    clock,
    ofAll(column, 'min'),
    ofAll(column, 'max'),
    ...(oldestOpen === undefined ? [] : [ofAll(oldestOpen, 'min')]),
  ]
  const cell = isMissing
    ? sql`cast(json_array(${clock}) as char)`
    : sql`(select cast(json_array(${join(beats, ', ')}) as char) from ${quote(table)})`
  return sql`${cell} as ${quote(proofNames.beats)}`
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

/** Reads the proof of a row with the cell of `selectBeats`, or with the clock alone; undefined for one that has neither. */
export function readProof(row: Row): Proof | undefined {
  if (!(proofNames.beats in row)) {
    if (!(proofNames.clock in row)) return undefined
    const now = readServerClock(row[proofNames.clock])
    return { clock: now, complete: now, oldestOpen: undefined }
  }
  const [time, ...beats] = JSON.parse(row[proofNames.beats] as string) as readonly unknown[]
  const now = readServerClock(time)
  const [earliest, latest, oldestOpen] = beats.map(parseHeartbeat)
  const isUsable = latest !== undefined && latest.seconds - now.seconds <= aheadMaxSeconds
  const complete = isUsable && earliest !== undefined ? findEarlier(now, earliest) : undefined
  return { clock: now, complete, oldestOpen }
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
