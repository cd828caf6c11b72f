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

/** Whether the day exists. The server keeps no hour, minute or second that does not. */
export function isReal({ year, month, day }: DateTime): boolean {
  // Every month has 28 days.
  return month >= 1 && month <= 12 && day >= 1 && (day <= 28 || isRealDay(year, month, day))
}

/** A number with leading zeros. */
export function pad(value: number, width: number): string {
  const text = String(value)
  return text.length < width ? text.padStart(width, '0') : text
}

/*
 * Days of the proleptic Gregorian calendar, computed with JavaScript's Date in UTC, which is exact for whole days. Date
 * never gets fractions of a millisecond or offsets. A day that does not exist is detected by comparing input and output.
 */
const msOfDay = 86_400_000

/** 400 years, after which the calendar repeats itself. */
const cycle = { years: 400, days: 146_097 }

/** Days since 1970-01-01; `month` 1 to 12, `day` 1 to 31. */
export function toDayNumber(year: number, month: number, day: number): number {
  // Moved, because Date.UTC maps the years 0 to 99 to 1900 to 1999.
  return Date.UTC(year + cycle.years, month - 1, day) / msOfDay - cycle.days
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
