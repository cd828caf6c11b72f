import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  parseDatabaseTime,
  parseInstantText,
  toDatabaseTime,
  toInstantText,
} from '../../../src/values/instant.js'
import type { Instant } from '../../../src/values/instant.js'
import { createOffsetZone, parseZone } from '../../../src/values/zone.js'

const offsets = fc.integer({ min: -899, max: 899 })
const digits = fc.integer({ min: 0, max: 6 })
/** The years 0001 to 9998, so that every offset stays within the years 0000 to 9999. */
const instants: fc.Arbitrary<Instant> = fc.record({
  seconds: fc.integer({ min: -62_135_500_000, max: 253_370_700_000 }),
  micros: fc.integer({ min: 0, max: 999_999 }),
})

function toMicros({ seconds, micros }: Instant): bigint {
  return BigInt(seconds) * 1_000_000n + BigInt(micros)
}

describe('an instant', () => {
  test('has the text of Date, with microseconds, and is parsed from it', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const iso = new Date(instant.seconds * 1000).toISOString().slice(0, 19)
        const text = `${iso}.${String(instant.micros).padStart(6, '0')}Z`
        expect([toInstantText(instant), parseInstantText(text)]).toEqual([text, instant])
      }),
    )
  })

  test.each([
    [-62_167_219_200, '0000-01-01T00:00:00.000000Z'],
    [-62_167_219_201, undefined],
    [253_402_300_799, '9999-12-31T23:59:59.000000Z'],
    [253_402_300_800, undefined],
  ])('of %i seconds has the text %s', (seconds, text) => {
    expect(toInstantText({ seconds, micros: 0 })).toBe(text)
  })

  test.each([
    ...['2026-03-01T09:30:00.123456', '2026-03-01T09:30:00.123456z'],
    ...['2026-03-01 09:30:00.123456Z', '2026-03-01T09:30:00.123Z'],
    ...['2026-03-01T09:30:00.1234567Z', '2026-02-30T09:30:00.123456Z'],
    ...['2026-03-01T09:30:00.12345 Z', ''],
  ])('is undefined for text of another form: %s', (text) => {
    expect(parseInstantText(text)).toBeUndefined()
  })

  test.each(['', '2026-03-01', '2026-02-30 00:00:00', '2026-03-01 24:00:00', '0000-00-00 00:00:00'])(
    'is undefined for stored text that is not a real time: %s',
    (text) => {
      expect(parseDatabaseTime(text)).toBeUndefined()
    },
  )
})

describe('the text that a column is compared with', () => {
  test('selects exactly the rows at or after the instant, for every number of fractional digits', () => {
    const nearby = fc.bigInt({ min: -3_000_000n, max: 3_000_000n })
    fc.assert(
      fc.property(instants, offsets, digits, nearby, (expected, offset, places, distance) => {
        const step = 10n ** BigInt(6 - places)
        const stored = ((toMicros(expected) + distance) / step) * step
        const rest = ((stored % 1_000_000n) + 1_000_000n) % 1_000_000n
        const row = { seconds: Number((stored - rest) / 1_000_000n), micros: Number(rest) }
        const rowText = toDatabaseTime(row, createOffsetZone(offset), places) ?? ''
        const bound = toDatabaseTime(expected, createOffsetZone(offset), places) ?? ''
        // Texts of equal length compare like the times.
        expect(rowText).toHaveLength(bound.length)
        expect(rowText >= bound).toBe(stored >= toMicros(expected))
      }),
    )
  })

  test('is the start of the first year before it, and undefined after the last, which no row can match', () => {
    const early = { seconds: -62_167_219_200, micros: 0 }
    expect(toDatabaseTime(early, createOffsetZone(-60), 3)).toBe('0000-01-01 00:00:00')
    const last = { seconds: 253_402_300_799, micros: 999_999 }
    expect(toDatabaseTime(last, undefined, 6)).toBe('9999-12-31 23:59:59.999999')
    expect(toDatabaseTime(last, undefined, 3)).toBeUndefined()
    expect(toDatabaseTime(last, undefined, 0)).toBeUndefined()
    expect(toDatabaseTime(last, createOffsetZone(60), 6)).toBeUndefined()
  })
})

test.each([
  ['+00:00', 0],
  ['+03:00', 180],
  ['-09:30', -570],
  ['+05:45', 345],
])('the offset %s is %i minutes east of UTC, and back', (offset, minutes) => {
  expect(parseZone(offset)?.toInstant({ seconds: 0, micros: 0 }).seconds).toBe(-minutes * 60 + 0)
  expect(createOffsetZone(minutes).name).toBe(offset)
})
