import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countDays, fromDayNumber, isRealDay, toDayNumber } from '../../../src/values/calendar.js'

const msOfDay = 86_400_000
/** Days that the database and Date both know: the years 0000 to 9999. */
const dayNumbers = fc.integer({ min: -719_528, max: 2_932_896 })

function toDate(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date
}

describe('a day number', () => {
  test('is the days since 1970-01-01 that Date counts', () => {
    fc.assert(
      fc.property(dayNumbers, (dayNumber) => {
        const date = new Date(dayNumber * msOfDay)
        expect(toDayNumber(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())).toBe(dayNumber)
      }),
    )
  })

  test('names the day that Date names', () => {
    fc.assert(
      fc.property(dayNumbers, (dayNumber) => {
        const date = new Date(dayNumber * msOfDay)
        expect(fromDayNumber(dayNumber)).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        })
      }),
    )
  })

  test('goes on by one at the end of each month of 400 years', () => {
    for (let month = 0; month < 4800; month += 1) {
      const year = 1800 + Math.floor(month / 12)
      const last = toDayNumber(year, (month % 12) + 1, countDays(year, (month % 12) + 1))
      const next = new Date(Date.UTC(1800, month + 1, 1))
      expect(toDayNumber(next.getUTCFullYear(), next.getUTCMonth() + 1, 1)).toBe(last + 1)
    }
  })

  test.each([
    [0, 1, 1],
    [0, 2, 29],
    [0, 12, 31],
    [9999, 12, 31],
    [10_000, 1, 1],
    [-1, 12, 31],
  ])('of the edge %i-%i-%i comes back as it was', (year, month, day) => {
    expect(fromDayNumber(toDayNumber(year, month, day))).toEqual({ year, month, day })
  })
})

describe('a month', () => {
  test.each([
    [2026, 1, 31],
    [2026, 2, 28],
    [2024, 2, 29],
    [2000, 2, 29],
    [1900, 2, 28],
    [2100, 2, 28],
    [2026, 4, 30],
    [2026, 12, 31],
    [2026, 0, 0],
    [2026, 13, 0],
  ])('%i-%i has %i days', (year, month, days) => {
    expect(countDays(year, month)).toBe(days)
  })
})

describe('a day', () => {
  test('is real when Date does not move it to another', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const date = toDate(year, month, day)
          const unmoved =
            date.getUTCFullYear() === year && date.getUTCMonth() + 1 === month && date.getUTCDate() === day
          expect(isRealDay(year, month, day)).toBe(unmoved)
        },
      ),
    )
  })
})
