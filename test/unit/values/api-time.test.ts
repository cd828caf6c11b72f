import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseApiTime } from '../../../src/values/instant.js'

const seconds = fc.integer({ min: -62_135_500_000, max: 253_370_700_000 })
const nanos = fc.integer({ min: 0, max: 999_999_999 })
const offsets = fc.integer({ min: -1439, max: 1439 })

const two = (value: number): string => String(value).padStart(2, '0')
/** The text of a moment at an offset, without that offset. */
const toLocal = (second: number, offset: number): string =>
  new Date((second + offset * 60) * 1000).toISOString().slice(0, 19)
function toOffset(offset: number, plus: '+' | ' '): string {
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : plus}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

describe('updatedSince', () => {
  test('is inclusive and exact to nine digits at every offset', () => {
    const nearby = fc.bigInt({ min: -3n, max: 3n })
    fc.assert(
      fc.property(seconds, nanos, offsets, nearby, (second, nano, offset, distance) => {
        const expectedNanos = BigInt(second) * 1_000_000_000n + BigInt(nano)
        const storedMicros = expectedNanos / 1000n + distance
        const fraction = String(nano).padStart(9, '0')
        const since = parseApiTime(`${toLocal(second, offset)}.${fraction}${toOffset(offset, '+')}`)!
        const sinceMicros = BigInt(since.seconds) * 1_000_000n + BigInt(since.micros)
        expect(storedMicros >= sinceMicros).toBe(storedMicros * 1000n >= expectedNanos)
      }),
    )
  })

  test('can have a blank for the + of an offset that was not encoded', () => {
    fc.assert(
      fc.property(seconds, fc.integer({ min: 0, max: 1439 }), (second, offset) => {
        const text = toLocal(second, offset) + toOffset(offset, ' ')
        expect(parseApiTime(text)).toEqual({ seconds: second, micros: 0 })
      }),
    )
  })

  test.each([
    ['1970-01-01t00:00:00z', 0, 0],
    ['1970-01-01T00:00:00.5Z', 0, 500_000],
    ['1970-01-01T00:00:00.000001000Z', 0, 1],
    ['1970-01-01T00:00:00.999999001Z', 1, 0],
    ['1969-12-31T19:00:00-05:00', 0, 0],
    ['1970-01-01T00:00:00-00:00', 0, 0],
    ['2024-02-29', 1_709_164_800, 0],
  ])('of %s is %i seconds and %i microseconds', (text, second, micros) => {
    expect(parseApiTime(text)).toEqual({ seconds: second, micros })
  })

  test('is valid exactly for the days that exist', () => {
    const parts = [fc.integer({ min: 1900, max: 2104 }), fc.integer({ min: 0, max: 13 })] as const
    fc.assert(
      fc.property(...parts, fc.integer({ min: 0, max: 32 }), (year, month, day) => {
        const text = `${year}-${two(month)}-${two(day)}`
        const isReal = new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text)
        expect(parseApiTime(text) !== undefined).toBe(isReal)
        expect(parseApiTime(`${text}T12:00:00Z`) !== undefined).toBe(isReal)
      }),
    )
  })

  // The other refusals are in list-query.test.ts, with the words of their answers.
  test.each([
    ...['2026-03-01T09:30:00.Z', '2026-03-01T09:30:00,5Z', '2026-03-01T09:30:00+01:60'],
    ...['2026-03-01T09:60:00Z', '0000-00-00', '2026-3-1', '12026-03-01', ' 2026-03-01'],
    ...['2026-03-01\n', '٢٠٢٦-٠٣-٠١'],
  ])('is undefined for %j', (text) => {
    expect(parseApiTime(text)).toBeUndefined()
  })
})
