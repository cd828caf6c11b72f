import { RowFault } from '../errors.js'

/** A point in time, exact to the microsecond as in MySQL. */
export interface Instant {
  /** Whole seconds since 1970-01-01 UTC; negative before. */
  readonly seconds: number
  /** 0 to 999,999. */
  readonly micros: number
}

/** A time zone. A local time is given as if it were in UTC. */
export interface Zone {
  /** As in the mapping file: an offset such as `+03:00`, or a name. */
  readonly name: string
  /** The instant that a local time means. */
  readonly toInstant: (local: Instant) => Instant
  /** The first local time that can mean an instant, or one after it: rows with an earlier one were written before it. */
  readonly toFirstLocal: (instant: Instant) => Instant
}

const databaseTime = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?$/
const dateOnly = /^(\d{4})-(\d{2})-(\d{2})$/
const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+\- ])(\d{2}):(\d{2}))$/
const secondsOfDay = 86_400

/**
 * The instant of a database's DATETIME or TIMESTAMP text.
 *
 * @param zone of the text; undefined for UTC.
 * @returns undefined for text that is not a real instant, such as a zero date.
 */
export function parseDatabaseTime(text: string, zone?: Zone): Instant | undefined {
  const match = databaseTime.exec(text)
  const local = match === null ? undefined : toInstant(match, Number((match[7] ?? '').padEnd(6, '0')))
  return local === undefined || zone === undefined ? local : zone.toInstant(local)
}

/**
 * The instant of a match whose first six groups are year to second; a date alone is its midnight.
 *
 * @returns undefined if the day or time does not exist.
 */
function toInstant(match: RegExpExecArray, micros: number, offsetMinutes = 0): Instant | undefined {
  const at = (group: number): number => Number(match[group] ?? 0)
  const [year, month, day, hour, minute, second] = [at(1), at(2), at(3), at(4), at(5), at(6)]
  if (!isRealDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return undefined
  const seconds =
    toDayNumber(year, month, day) * secondsOfDay + hour * 3600 + (minute - offsetMinutes) * 60 + second
  return { seconds, micros }
}

/*
 * Days of the proleptic Gregorian calendar, computed with JavaScript's Date in UTC, which is exact for whole days. Date
 * never gets fractions of a millisecond or offsets. A day that does not exist is detected by comparing input and output.
 */

/** Days since 1970-01-01; `month` 1 to 12, `day` 1 to 31. */
function toDayNumber(year: number, month: number, day: number): number {
  return toDate(year, month, day).getTime() / 1000 / secondsOfDay
}

/** Whether the day exists; a zero date does not. */
function isRealDay(year: number, month: number, day: number): boolean {
  // Every month has 28 days.
  if (month >= 1 && month <= 12 && day >= 1 && day <= 28) return true
  const date = toDate(year, month, day)
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day
}

/** Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999. A day that does not exist becomes another day. */
function toDate(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date
}

/** The instant of a `utc_timestamp(6)` cell, the clock of a server. @throws Error when it is not a real instant. */
export function readServerClock(cell: unknown): Instant {
  const instant = parseDatabaseTime(String(cell))
  if (instant === undefined) throw new Error('The database did not return its time')
  return instant
}

/** The earlier one of two instants. */
export function findEarlier(instant: Instant, other: Instant | undefined): Instant {
  if (other === undefined) return instant
  const difference = other.seconds - instant.seconds || other.micros - instant.micros
  return difference < 0 ? other : instant
}

/** The instant that is at least this much earlier, by less than a microsecond more. */
export function subtractMs({ seconds, micros }: Instant, ms: number): Instant {
  const rest = micros - Math.ceil(ms * 1000)
  const borrowed = Math.floor(rest / 1_000_000)
  return { seconds: seconds + borrowed, micros: rest - borrowed * 1_000_000 }
}

/**
 * The instant of an RFC 3339 timestamp, or of a date, which is the start of that day in UTC. A space before an offset is
 * read as a `+` that was not encoded.
 *
 * @returns the instant, rounded up to a microsecond because no stored time is finer; undefined for other text, or a day
 *   that does not exist.
 */
export function parseApiTime(text: string): Instant | undefined {
  const match = dateOnly.exec(text) ?? dateTime.exec(text)
  if (match === null) return undefined
  const offsetMinutes = parseApiOffset(match)
  const micros = Math.ceil(Number((match[7] ?? '').padEnd(9, '0')) / 1000)
  const instant = offsetMinutes === undefined ? undefined : toInstant(match, micros, offsetMinutes)
  return instant?.micros === 1_000_000 ? { seconds: instant.seconds + 1, micros: 0 } : instant
}

function parseApiOffset(match: RegExpExecArray): number | undefined {
  if (match[8] === undefined) return 0
  const hours = Number(match[9])
  const minutes = Number(match[10])
  if (hours > 23 || minutes > 59) return undefined
  return (match[8] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/** `2026-03-01T09:30:00.123456Z`, or undefined outside the years 0000 to 9999 of RFC 3339. */
export function toInstantText(instant: Instant): string | undefined {
  const text = toFieldsText(instant, 'T')
  return text === undefined ? undefined : `${text}.${pad(instant.micros, 6)}Z`
}

/** The inverse of `toInstantText`; undefined for other text. */
export function parseInstantText(text: string): Instant | undefined {
  if (text[10] !== 'T' || text[26] !== 'Z' || text.length !== 27) return undefined
  return parseDatabaseTime(`${text.slice(0, 10)} ${text.slice(11, 26)}`)
}

/**
 * The database's text for an instant, so that `column >= text` is true for exactly the rows at or after it; in the
 * repeated hour of a zone, for those that can be.
 *
 * @param zone of the text; undefined for UTC.
 * @param digits fractional digits of the column: a finer instant is rounded up to the next one that the column can store.
 * @returns undefined after the last year that a column can store; before the first year, its start.
 */
export function toDatabaseTime(instant: Instant, zone: Zone | undefined, digits: number): string | undefined {
  const { seconds, micros } = zone === undefined ? instant : zone.toFirstLocal(instant)
  const step = 10 ** (6 - digits)
  const ceiled = Math.ceil(micros / step) * step
  const local = {
    seconds: seconds + (ceiled === 1_000_000 ? 1 : 0),
    micros: ceiled % 1_000_000,
  }
  if (local.seconds < firstSecond) return '0000-01-01 00:00:00'
  const text = toFieldsText(local, ' ')
  if (text === undefined || digits === 0) return text
  return `${text}.${pad(local.micros, 6).slice(0, digits)}`
}

const firstSecond = toDayNumber(0, 1, 1) * secondsOfDay
const lastSecond = toDayNumber(10_000, 1, 1) * secondsOfDay - 1

function toFieldsText({ seconds }: Instant, separator: string): string | undefined {
  if (seconds < firstSecond || seconds > lastSecond) return undefined
  const date = new Date(seconds * 1000)
  const day = `${pad(date.getUTCFullYear(), 4)}-${pad2(date.getUTCMonth() + 1)}-${pad2(date.getUTCDate())}`
  return `${day}${separator}${pad2(date.getUTCHours())}:${pad2(date.getUTCMinutes())}:${pad2(date.getUTCSeconds())}`
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

const pairs = Array.from({ length: 60 }, (_, value) => pad(value, 2))

function pad2(value: number): string {
  return pairs[value] ?? ''
}

/**
 * A DATETIME or TIMESTAMP cell as a UTC timestamp with three fractional digits, truncated.
 *
 * @param zone of the time; undefined for UTC, as of a TIMESTAMP in a UTC session.
 * @throws RowFault for what is not a real instant, such as a zero date.
 */
export function readTimestamp(cell: unknown, zone?: Zone): string {
  const text = toText(cell)
  // Most times: in UTC, on a day that exists in every year.
  if (zone === undefined && commonTime.test(text))
    return text.length >= 23
      ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
      : `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20).padEnd(3, '0')}Z`
  return showInstant(parseDatabaseTime(text, zone))
}

const commonTime =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/

/** The text of a cell of times; a driver gives no other kind for it. */
function toText(cell: unknown): string {
  return typeof cell === 'string' ? cell : ''
}

/** The start of the day of a DATE cell, in the same form. @throws RowFault */
export function readDayStart(cell: unknown, zone?: Zone): string {
  return readTimestamp(`${toText(cell)} 00:00:00`, zone)
}

/** An instant in the same form. @throws RowFault for none, or one outside the years 0000 to 9999. */
export function showInstant(instant: Instant | undefined): string {
  const text = instant === undefined ? undefined : toInstantText(instant)
  if (text === undefined) throw new RowFault('is not a real date and time')
  return `${text.slice(0, 23)}Z`
}

/** A DATE cell, `2026-03-01`. @throws RowFault for a day that does not exist, such as a zero date. */
export function readDay(cell: unknown): string {
  const [, year, month, day] = dateOnly.exec(toText(cell)) ?? []
  if (!isRealDay(Number(year), Number(month), Number(day))) throw new RowFault('is not a real date')
  return toText(cell)
}

/** Milliseconds since 1970-01-01 UTC, as `Date.now`; passed in so that tests hold the time. */
export type Clock = () => number
