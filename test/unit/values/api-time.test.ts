import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseApiTime } from '../../../src/values/instant.js'
import type { Instant } from '../../../src/values/instant.js'

const seconds = fc.integer({ min: -62_135_500_000, max: 253_370_700_000 })
const nanos = fc.integer({ min: 0, max: 999_999_999 })
const offsets = fc.integer({ min: -1439, max: 1439 })

function toOffsetText(offset: number, plus: '+' | ' '): string {
  const minutes = Math.abs(offset)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : plus}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

function toMicros(instant: Instant | undefined): bigint | undefined {
  return instant && BigInt(instant.seconds) * 1_000_000n + BigInt(instant.micros)
}

describe('updatedSince', () => {
  test('is inclusive and exact to nine digits at every offset', () => {
    const nearby = fc.bigInt({ min: -3n, max: 3n })
    fc.assert(
      fc.property(seconds, nanos, offsets, nearby, (second, nano, offset, distance) => {
        const local = new Date((second + offset * 60) * 1000).toISOString().slice(0, 19)
        const fraction = String(nano).padStart(9, '0')
        const expectedNanos = BigInt(second) * 1_000_000_000n + BigInt(nano)
        const storedMicros = expectedNanos / 1000n + distance
        const since = toMicros(parseApiTime(`${local}.${fraction}${toOffsetText(offset, '+')}`))
        expect(since).toBeDefined()
        expect(storedMicros >= (since ?? 0n)).toBe(storedMicros * 1000n >= expectedNanos)
      }),
    )
  })

  test('can have a blank for the + of an offset that was not encoded', () => {
    fc.assert(
      fc.property(seconds, fc.integer({ min: 0, max: 1439 }), (second, offset) => {
        const local = new Date((second + offset * 60) * 1000).toISOString().slice(0, 19)
        expect(parseApiTime(local + toOffsetText(offset, ' '))).toEqual({ seconds: second, micros: 0 })
      }),
    )
  })

  test.each([
    ['1970-01-01T00:00:00Z', 0, 0],
    ['1970-01-01t00:00:00z', 0, 0],
    ['1970-01-01T00:00:00.5Z', 0, 500_000],
    ['1970-01-01T00:00:00.000000001Z', 0, 1],
    ['1970-01-01T00:00:00.000001000Z', 0, 1],
    ['1970-01-01T00:00:00.999999001Z', 1, 0],
    ['1970-01-01T03:00:00+03:00', 0, 0],
    ['1969-12-31T19:00:00-05:00', 0, 0],
    ['1970-01-01T00:00:00-00:00', 0, 0],
    ['1970-01-01', 0, 0],
    ['2024-02-29', 1_709_164_800, 0],
  ])('of %s is %i seconds and %i microseconds', (text, second, micros) => {
    expect(parseApiTime(text)).toEqual({ seconds: second, micros })
  })

  test('is valid exactly for the days that exist', () => {
    const parts = fc.tuple(
      fc.integer({ min: 1900, max: 2104 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    )
    fc.assert(
      fc.property(parts, ([year, month, day]) => {
        const two = (value: number): string => String(value).padStart(2, '0')
        const text = `${year}-${two(month)}-${two(day)}`
        const date = new Date(Date.UTC(year, month - 1, day))
        const isReal = date.toISOString().startsWith(text)
        expect(parseApiTime(text) !== undefined).toBe(isReal)
        expect(parseApiTime(`${text}T12:00:00Z`) !== undefined).toBe(isReal)
      }),
    )
  })

  test.each([
    ['no offset', '2026-03-01T09:30:00'],
    ['no seconds', '2026-03-01T09:30Z'],
    ['ten digits', '2026-03-01T09:30:00.1234567890Z'],
    ['a point without digits', '2026-03-01T09:30:00.Z'],
    ['a comma', '2026-03-01T09:30:00,5Z'],
    ['an offset of a day', '2026-03-01T09:30:00+24:00'],
    ['an offset of sixty minutes', '2026-03-01T09:30:00+01:60'],
    ['an offset without a colon', '2026-03-01T09:30:00+0300'],
    ['hour 24', '2026-03-01T24:00:00Z'],
    ['minute 60', '2026-03-01T09:60:00Z'],
    ['second 61', '2026-03-01T09:30:61Z'],
    ['30 February', '2026-02-30T00:00:00Z'],
    ['a zero date', '0000-00-00'],
    ['a short date', '2026-3-1'],
    ['a year of five digits', '12026-03-01'],
    ['a number', '1772357400'],
    ['a blank before it', ' 2026-03-01'],
    ['a line feed after it', '2026-03-01\n'],
    ['other digits', '٢٠٢٦-٠٣-٠١'],
    ['nothing', ''],
  ])('is undefined for %s', (_what, text) => {
    expect(parseApiTime(text)).toBeUndefined()
  })
})
