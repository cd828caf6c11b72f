import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startsWithRealDay, fromDayNumber, isRealDay, toDayNumber } from '../../../src/values/calendar.js'

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
/** The days of a month in the Gregorian calendar; 0 for a month that does not exist. */
const countDays = (year: number, month: number): number =>
  [31, isLeapYear(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0

const years = fc.integer({ min: 0, max: 9999 })

describe('a day number', () => {
  test.each([
    ['1970-01-01', 0],
    ['1969-12-31', -1],
    ['2026-03-01', 20_513],
    ['0000-01-01', -719_528],
    ['0099-12-31', -683_004],
    ['9999-12-31', 2_932_896],
  ])('of %s is %i', (text, dayNumber) => {
    const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
    expect(toDayNumber(year, month, day)).toBe(dayNumber)
    expect(fromDayNumber(dayNumber)).toEqual({ year, month, day })
  })

  test('increases by one from the last day of each month to the first of the next', () => {
    fc.assert(
      fc.property(years, fc.integer({ min: 1, max: 12 }), (year, month) => {
        const last = toDayNumber(year, month, countDays(year, month))
        const next = fromDayNumber(last + 1)
        expect(next).toEqual({ year: month === 12 ? year + 1 : year, month: (month % 12) + 1, day: 1 })
      }),
    )
  })

  test.each([
    [0, 2, 29],
    [10_000, 1, 1],
    [-1, 12, 31],
  ])('of the limit %i-%i-%i is converted back to the same day', (year, month, day) => {
    expect(fromDayNumber(toDayNumber(year, month, day))).toEqual({ year, month, day })
  })
})

describe('a day', () => {
  test('is real if its month exists and has that many days', () => {
    fc.assert(
      fc.property(
        years,
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          expect(isRealDay(year, month, day)).toBe(day >= 1 && day <= countDays(year, month))
        },
      ),
    )
  })

  test.each([
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-04-31 10:00:00', false],
    ['2026-12-31 10:00:00', true],
  ])('at the start of %s is real: %o', (text, isReal) => {
    expect(startsWithRealDay(text)).toBe(isReal)
  })
})
