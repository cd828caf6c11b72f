/*
 * Days of the proleptic Gregorian calendar as whole numbers, so that an instant can be shifted between
 * offsets without JavaScript's Date, which cuts microseconds and rolls 30 February over.
 * Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
 */

/** Days since 1970-01-01; `month` 1 to 12, `day` 1 to 31. */
export function toDayNumber(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The year, month and day of a day number; the inverse of `toDayNumber`. */
export function fromDayNumber(dayNumber: number): { year: number; month: number; day: number } {
  const shifted = dayNumber + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  }
}

/** How many days a month has; 0 for a month that does not exist. */
export function countDays(year: number, month: number): number {
  if (month === 2 && isLeapYear(year)) return 29
  return monthDays[month - 1] ?? 0
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** Whether the calendar has this day; a zero date has none. */
export function isRealDay(year: number, month: number, day: number): boolean {
  return day >= 1 && day <= countDays(year, month)
}

/**
 * The same of a text that begins with `YYYY-MM-DD`, of month 01 to 12 and day 01 to 31: as every month has 28 days,
 * most need no calendar.
 */
export function beginsWithRealDay(text: string): boolean {
  const day = text.slice(8, 10)
  return day <= '28' || isRealDay(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(day))
}
