import { isRealDay } from './calendar.js'

/** A date and time as the server keeps it, in its own zone; of a DATE, the time is 0. Nothing says that it exists. */
export interface DateTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** 0 to 999,999. */
  readonly micros: number
}

/**
 * A cell of a DATE, DATETIME or TIMESTAMP.
 *
 * @param start of the cell behind its length, which is 0, 4, 7 or 11 bytes.
 * Source: MySQL manual, "Binary Protocol Value", `ProtocolBinary::MYSQL_TYPE_DATETIME`.
 */
export function readDateTime(bytes: Buffer, start: number, length: number): DateTime {
  const hasTime = length >= 7
  const byte = (at: number): number => bytes[start + at] ?? 0
  return {
    year: length >= 4 ? byte(0) + 256 * byte(1) : 0,
    month: length >= 4 ? byte(2) : 0,
    day: length >= 4 ? byte(3) : 0,
    hour: hasTime ? byte(4) : 0,
    minute: hasTime ? byte(5) : 0,
    second: hasTime ? byte(6) : 0,
    micros: length >= 11 ? bytes.readUInt32LE(start + 7) : 0,
  }
}

/** Whether it is the zero date, which counts as NULL. */
export function isZero({ year, month, day }: DateTime): boolean {
  return year === 0 && month === 0 && day === 0
}

/** Whether the day exists. The server keeps no hour, minute or second that does not. */
export function isReal({ year, month, day }: DateTime): boolean {
  // Every month has 28 days.
  return month >= 1 && month <= 12 && day >= 1 && (day <= 28 || isRealDay(year, month, day))
}

/** The server's text of a day, `2026-03-01`. */
export function formatDay({ year, month, day }: DateTime): string {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

/** The server's text, `2026-03-01 09:30:00.123456`. @param digits fractional digits of the column. */
export function formatDateTime(time: DateTime, digits: number): string {
  const { hour, minute, second, micros } = time
  const fraction = digits === 0 ? '' : `.${pad(micros, 6).slice(0, digits)}`
  return `${formatDay(time)} ${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}${fraction}`
}

/** A number with leading zeros. */
export function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
