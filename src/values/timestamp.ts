import { RowFault } from '../errors.js'
import { isReal } from './date-time.js'
import type { DateTime } from './date-time.js'
import { toInstant, toInstantText } from './instant.js'
import type { Instant, Zone } from './instant.js'
import type { JsonBytes } from './json-bytes.js'

/**
 * Writes a DATETIME or TIMESTAMP as a UTC timestamp with three fractional digits, truncated and never rounded up.
 *
 * @param zone of the time; undefined for UTC, as of a TIMESTAMP in a UTC session.
 * @throws RowFault for what is no real instant, such as a zero date.
 */
export function writeTimestamp(out: JsonBytes, time: DateTime, zone?: Zone): void {
  if (zone !== undefined) {
    writeInstant(out, toInstant(time, zone))
    return
  }
  if (!isReal(time)) throw new RowFault('is not a real date and time')
  out.ascii('"')
  putDay(out, time)
  putTime(out, time)
}

/** Writes an instant in the same form. @throws RowFault for none, or one outside the years 0000 to 9999. */
export function writeInstant(out: JsonBytes, instant: Instant | undefined): void {
  const text = instant === undefined ? undefined : toInstantText(instant)
  if (text === undefined) throw new RowFault('is not a real date and time')
  out.ascii(`"${text.slice(0, 23)}Z"`)
}

/** Writes the day of a DATE, `2026-03-01`. @throws RowFault for a day that does not exist, such as a zero date. */
export function writeDay(out: JsonBytes, day: DateTime): void {
  if (!isReal(day)) throw new RowFault('is not a real date')
  out.ascii('"')
  putDay(out, day)
  out.ascii('"')
}

function putDay(out: JsonBytes, { year, month, day }: DateTime): void {
  out.digits(year, 4)
  out.ascii('-')
  out.digits(month, 2)
  out.ascii('-')
  out.digits(day, 2)
}

function putTime(out: JsonBytes, { hour, minute, second, micros }: DateTime): void {
  out.ascii('T')
  out.digits(hour, 2)
  out.ascii(':')
  out.digits(minute, 2)
  out.ascii(':')
  out.digits(second, 2)
  out.ascii('.')
  out.digits(Math.trunc(micros / 1000), 3)
  out.ascii('Z"')
}
