import { describe, expect, test } from 'vitest'
import { isZeroEpoch, parseEpoch, readEpoch, toEpoch } from '../../../src/values/epoch.js'

describe('an integer time', () => {
  test.each([
    [1_772_357_400, 's', '2026-03-01T09:30:00.000Z'],
    ['1772357400123', 'ms', '2026-03-01T09:30:00.123Z'],
    ['1772357400123999', 'us', '2026-03-01T09:30:00.123Z'],
    [-1, 's', '1969-12-31T23:59:59.000Z'],
    ['-1', 'ms', '1969-12-31T23:59:59.999Z'],
    ['253402300799', 's', '9999-12-31T23:59:59.000Z'],
  ] as const)('%s in %s is %s', (cell, unit, text) => {
    expect(readEpoch(cell, unit)).toBe(text)
  })

  test.each([
    [null, 'is NULL'],
    [0, 'is 0, which is no time'],
    ['0000', 'is 0, which is no time'],
    ['253402300800', 'is not a real date and time'],
    [1.5, 'is not a real date and time'],
    ['2026-03-01 09:30:00', 'is not a real date and time'],
  ])('%s is none: it %s', (cell, reason) => {
    expect(() => readEpoch(cell, 's')).toThrow(reason)
  })

  test('is 0 where the product has no time', () => {
    expect([0, '0', '00', 1, null, ''].map(isZeroEpoch)).toEqual([true, true, true, false, false, false])
  })
})

describe('the stored integer of an instant', () => {
  test.each([
    [{ seconds: 5, micros: 0 }, 's', '5'],
    [{ seconds: 5, micros: 1 }, 's', '6'],
    [{ seconds: 5, micros: 1 }, 'ms', '5001'],
    [{ seconds: 5, micros: 999_000 }, 'ms', '5999'],
    [{ seconds: 5, micros: 1 }, 'us', '5000001'],
    [{ seconds: -5, micros: 1 }, 's', '-4'],
  ] as const)('%o in %s is %s', (instant, unit, text) => {
    expect(toEpoch(instant, unit)).toBe(text)
  })

  test('is the inverse of what is read', () => {
    for (const [text, unit] of [
      ['-1500', 'ms'],
      ['1772357400123456', 'us'],
    ] as const)
      expect(toEpoch(parseEpoch(text, unit) ?? { seconds: 0, micros: 0 }, unit)).toBe(text)
  })
})
