import { describe, expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { readDay, readTimestamp } from '../../../src/values/instant.js'
import type { Zone } from '../../../src/values/instant.js'
import { createOffsetZone } from '../../../src/values/zone.js'

function write(
  text: string,
  zone?: Zone,
  read: (cell: unknown, zone?: Zone) => string = readTimestamp,
): string {
  return read(text, zone)
}

describe('a DATETIME cell', () => {
  test.each([
    ['2026-03-01 09:30:00', 0, '2026-03-01T09:30:00.000Z'],
    ['2026-03-01 09:30:00.999999', 0, '2026-03-01T09:30:00.999Z'],
    ['2026-03-01 00:00:00', 0, '2026-03-01T00:00:00.000Z'],
    ['0000-01-01 00:00:00.000001', 0, '0000-01-01T00:00:00.000Z'],
    ['2024-02-29 02:00:00.050999', 180, '2024-02-28T23:00:00.050Z'],
    ['9999-12-31 23:59:59.9', 0, '9999-12-31T23:59:59.900Z'],
  ])('is shown in UTC, cut to the millisecond: %s at %i minutes', (cell, offset, shown) => {
    expect(write(cell, offset === 0 ? undefined : createOffsetZone(offset))).toBe(shown)
  })

  test.each(['0000-00-00 00:00:00', '2026-02-30 00:00:01', '2026-00-10 12:00:00', '1900-02-29 00:00:00'])(
    'that is no real instant is a RowFault at any offset: %s',
    (cell) => {
      for (const zone of [undefined, createOffsetZone(180)])
        expect(() => write(cell, zone)).toThrow(new RowFault('is not a real date and time'))
    },
  )

  test.each([
    ['0000-01-01 00:59:59', 60],
    ['9999-12-31 23:00:00', -60],
  ])('%s at %i minutes is outside the years 0000 to 9999', (cell, offset) => {
    expect(() => write(cell, createOffsetZone(offset))).toThrow(new RowFault('is not a real date and time'))
  })
})

describe('a DATE cell', () => {
  test.each(['2026-03-01', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])(
    'is shown unchanged: %s',
    (cell) => {
      expect(write(cell, undefined, readDay)).toBe(cell)
    },
  )

  test.each([
    '0000-00-00',
    '2026-00-01',
    '2026-01-00',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
  ])('is a RowFault when the day does not exist: %s', (cell) => {
    expect(() => write(cell, undefined, readDay)).toThrow(new RowFault('is not a real date'))
  })
})
