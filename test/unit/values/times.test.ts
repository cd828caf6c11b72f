import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseApiTime, toDatabaseTime, toInstantText } from '../../../src/values/instant.js'
import { createOffsetZone } from '../../../src/values/zone.js'

/* What is stored, compared and shown, and named zones, are of the model. The refusals of updatedSince are in list-query.test.ts, with their words. */

/** The years 0001 to 9998, so that every offset stays within the years 0000 to 9999. */
const seconds = fc.integer({ min: -62_135_500_000, max: 253_370_700_000 })

const two = (value: number): string => String(value).padStart(2, '0')

test('updatedSince is inclusive and exact to nine digits at every offset, whose + may be a blank', () => {
  const nanos = fc.integer({ min: 0, max: 999_999_999 })
  const offsets = fc.integer({ min: -1439, max: 1439 })
  const marks = fc.constantFrom('+', ' ')
  fc.assert(
    fc.property(seconds, nanos, offsets, marks, (second, nano, offset, plus) => {
      const local = new Date((second + offset * 60) * 1000).toISOString().slice(0, 19)
      const minutes = Math.abs(offset)
      const sign = offset < 0 ? '-' : plus
      const zone = `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
      const since = parseApiTime(`${local}.${String(nano).padStart(9, '0')}${zone}`)!
      const sinceMicros = BigInt(since.seconds) * 1_000_000n + BigInt(since.micros)
      const expectedNanos = BigInt(second) * 1_000_000_000n + BigInt(nano)
      // The first microsecond that is not before it.
      expect(sinceMicros * 1000n >= expectedNanos && (sinceMicros - 1n) * 1000n < expectedNanos).toBe(true)
    }),
  )
})

test('updatedSince is the start of exactly the days that exist, in UTC, or a time of them with any digits', () => {
  const parts = [fc.integer({ min: 1900, max: 2104 }), fc.integer({ min: 0, max: 13 })] as const
  fc.assert(
    fc.property(...parts, fc.integer({ min: 0, max: 32 }), (year, month, day) => {
      const text = `${year}-${two(month)}-${two(day)}`
      const date = new Date(Date.UTC(year, month - 1, day))
      const start = date.getTime() / 1000
      const isReal = date.toISOString().startsWith(text)
      const toExpected = (second: number, micros: number) =>
        isReal ? { seconds: second, micros } : undefined
      expect(parseApiTime(text)).toEqual(toExpected(start, 0))
      expect(parseApiTime(`${text}t12:00:00z`)).toEqual(toExpected(start + 43_200, 0))
      expect(parseApiTime(`${text}T00:00:00.5Z`)).toEqual(toExpected(start, 500_000))
    }),
  )
})

test('what a column is compared with is the start of the first year before it, and undefined after the last', () => {
  const early = { seconds: -62_167_219_200, micros: 0 }
  expect(toDatabaseTime(early, createOffsetZone(-60), 3)).toBe('0000-01-01 00:00:00')
  const last = { seconds: 253_402_300_799, micros: 999_999 }
  expect(toDatabaseTime(last, undefined, 6)).toBe('9999-12-31 23:59:59.999999')
  for (const [zone, digits] of [
    [undefined, 3],
    [undefined, 0],
    [createOffsetZone(60), 6],
  ] as const)
    expect(toDatabaseTime(last, zone, digits)).toBeUndefined()
  const beyond = [early.seconds - 1, last.seconds + 1]
  expect(beyond.map((second) => toInstantText({ seconds: second, micros: 0 }))).toEqual([
    undefined,
    undefined,
  ])
})
