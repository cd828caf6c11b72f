import { parseJson } from '../client/forms.js'
import { findEarlier, parseDatabaseTime, readServerClock, subtractMs } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { clock, quote, Sql, sql } from './sql.js'
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

/** The most rows, of a writer each: a table with more keeps old beats, and every page would read them all. */
const writersMax = 16
/** The longest text of a time. A longer one is cut to one that is not a time. */
const timeLengthMax = '2026-03-01T09:30:00.123456Z'.length

/**
 * One cell, so that each row carries no more: the clock, the number of beats, and as a JSON list each beat with the start of the
 * oldest transaction. All of them, because MIN would compare text as text. Where the heartbeat is missing, the clock is alone.
 */
export function selectBeats({ table, column, oldestOpen, isMissing = false }: Heartbeat): Sql {
  const name = quote(proofNames.beats)
  if (isMissing) return sql`${clock} as ${name}`
  const limit = new Sql(String(writersMax + 1))
  const toText = (one: string): Sql => sql`left(${quote(one)}, ${new Sql(String(timeLengthMax + 1))})`
  // NULL in one of them is NULL.
  const beat =
    oldestOpen === undefined ? toText(column) : sql`concat(${toText(column)}, '|', ${toText(oldestOpen)})`
  // MariaDB can cut a list, even at the end of a beat, so it has to be as long as the number says.
  const cell = sql`concat_ws(' ', ${clock}, count(*), json_arrayagg(beat))`
  return sql`(select ${cell} from (select ${beat} as beat from ${quote(table)} limit ${limit}) as beats) as ${name}`
}

/** What a page proves of its rows. */
export interface Proof {
  /** The clock of the server. */
  readonly clock: Instant
  /** Every commit before it is in the rows; undefined where a mapped heartbeat proves nothing. */
  readonly complete: Instant | undefined
  /** Undefined where it is not mapped, or where nothing is proved. */
  readonly oldestOpen: Instant | undefined
  /** The rows of the heartbeat. */
  readonly writers: number
  /** Why a mapped heartbeat proves nothing, as what is said of its table. */
  readonly flaw: string | undefined
}

const cellForm = /^(.{26})(?: (\d+)(?: (.*))?)?$/s

/** Reads the proof of a row with the cell of `selectBeats`, or with the clock alone; undefined for one that has neither. */
export function readProof(row: Row): Proof | undefined {
  const none = { oldestOpen: undefined, writers: 0, flaw: undefined }
  if (!(proofNames.beats in row)) {
    if (!(proofNames.clock in row)) return undefined
    const now = readServerClock(row[proofNames.clock])
    return { clock: now, complete: now, ...none }
  }
  const [, time, count = '0', list = '[]'] = cellForm.exec(String(row[proofNames.beats])) ?? []
  const now = readServerClock(time)
  const beats = parseList(list).map((beat) => beat.split('|').map(parseHeartbeat))
  const writers = Number(count)
  const flaw = findFlaw(beats, writers, now)
  if (flaw !== undefined) return { clock: now, complete: undefined, ...none, writers, flaw }
  const findEarliest = (at: number, first?: Instant): Instant | undefined =>
    beats.flatMap((beat) => beat[at] ?? []).reduce((one, other) => findEarlier(other, one), first)
  return { clock: now, complete: findEarliest(0, now), oldestOpen: findEarliest(1), writers, flaw }
}

/** The texts of a JSON list; none of one that was cut. */
function parseList(json: string): readonly string[] {
  const list = parseJson(json)
  return Array.isArray(list) ? list.map(String) : []
}

/** A beat that is further ahead of the clock, in seconds, proves nothing. */
const aheadMaxSeconds = 5

/** Why beats prove nothing; one time that cannot be used is enough. */
function findFlaw(
  beats: readonly (readonly (Instant | undefined)[])[],
  writers: number,
  now: Instant,
): string | undefined {
  const times = beats.flat()
  const known = times.filter((time) => time !== undefined)
  const toAhead = ({ seconds, micros }: Instant): number =>
    seconds - now.seconds + (micros - now.micros) / 1_000_000
  const ahead = Math.max(...known.map(toAhead))
  if (writers === 0) return 'is empty'
  if (writers > writersMax) return `has more than ${String(writersMax)} rows`
  if (known.length < times.length || beats.length < writers) return 'has a time that is NULL or unreadable'
  return ahead > aheadMaxSeconds ? `is ${String(Math.ceil(ahead))} seconds ahead of the server` : undefined
}

/** The instant of a TIMESTAMP or DATETIME, or of the text of pt-heartbeat; undefined for what is none, and before 1970. */
function parseHeartbeat(text: string): Instant | undefined {
  const instant = parseDatabaseTime(text.replace('T', ' ').replace(/Z$/, ''))
  return instant !== undefined && instant.seconds >= 0 ? instant : undefined
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
