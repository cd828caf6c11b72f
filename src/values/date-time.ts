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
  return {
    year: length >= 4 ? byteAt(bytes, start) + 256 * byteAt(bytes, start + 1) : 0,
    month: length >= 4 ? byteAt(bytes, start + 2) : 0,
    day: length >= 4 ? byteAt(bytes, start + 3) : 0,
    hour: hasTime ? byteAt(bytes, start + 4) : 0,
    minute: hasTime ? byteAt(bytes, start + 5) : 0,
    second: hasTime ? byteAt(bytes, start + 6) : 0,
    micros: length >= 11 ? bytes.readUInt32LE(start + 7) : 0,
  }
}

function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] ?? 0
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

/*
 * Days of the proleptic Gregorian calendar, computed with JavaScript's Date in UTC, which is exact for whole days. Date
 * never gets fractions of a millisecond or offsets. A day that does not exist is detected by comparing input and output.
 */
const msOfDay = 86_400_000

/** Days since 1970-01-01; `month` 1 to 12, `day` 1 to 31. */
export function toDayNumber(year: number, month: number, day: number): number {
  return toDate(year, month, day).getTime() / msOfDay
}

/** The year, month and day of a day number; the inverse of `toDayNumber`. */
export function fromDayNumber(dayNumber: number): { year: number; month: number; day: number } {
  const date = new Date(dayNumber * msOfDay)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Whether the day exists; a zero date does not. */
export function isRealDay(year: number, month: number, day: number): boolean {
  const date = toDate(year, month, day)
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day
}

/** Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999. A day that does not exist becomes another day. */
function toDate(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date
}
