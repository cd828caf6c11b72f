import { describe, expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { readDate, readTimestamp } from '../../../src/values/timestamp.js'
import { createOffsetZone } from '../../../src/values/zone.js'

describe('a RowFault is thrown', () => {
  test.each([null, undefined])('when the time is %s', (cell) => {
    expect(() => readTimestamp(cell)).toThrow(new RowFault('is NULL'))
  })

  test.each([0, new Date(0), Buffer.from('2026-03-01 09:30:00')])('when the time is not text: %o', (cell) => {
    expect(() => readTimestamp(cell)).toThrow(new RowFault('is not a date and time'))
  })

  test.each([
    '0000-00-00 00:00:00',
    '2026-02-30 00:00:00',
    '2026-03-01 24:00:00',
    '2026-03-01T00:00:00',
    '2026-03-01 00:00:00.1234567',
    '2026-03-01',
    '',
  ])('when the time is not a real instant, at any offset: %s', (cell) => {
    for (const zone of [undefined, createOffsetZone(180)])
      expect(() => readTimestamp(cell, zone)).toThrow(new RowFault('is not a real date and time'))
  })

  test.each([
    ['0000-01-01 00:59:59', 60],
    ['9999-12-31 23:00:00', -60],
  ])('when %s at %i minutes is outside the years 0000 to 9999', (cell, offset) => {
    expect(() => readTimestamp(cell, offset === 0 ? undefined : createOffsetZone(offset))).toThrow(
      new RowFault('is not a real date and time'),
    )
  })
})

describe('a DATE cell', () => {
  test.each(['2026-03-01', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])(
    'is shown unchanged: %s',
    (cell) => {
      expect(readDate(cell)).toBe(cell)
    },
  )

  test.each([null, undefined])('is a RowFault when it is %s', (cell) => {
    expect(() => readDate(cell)).toThrow(new RowFault('is NULL'))
  })

  test.each([
    '0000-00-00',
    '2026-00-01',
    '2026-01-00',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
  ])('is a RowFault when the day does not exist: %s', (cell) => {
    expect(() => readDate(cell)).toThrow(new RowFault('is not a real date'))
  })

  test.each(['2026-3-1', '2026-03-01 00:00:00', '2026-03-01\n', '', 20_260_301, new Date(0)])(
    'is a RowFault when it is not a date: %o',
    (cell) => {
      expect(() => readDate(cell)).toThrow(new RowFault('is not a real date'))
    },
  )
})
