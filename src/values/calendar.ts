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
