import { describe, expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { readDate } from '../../../src/values/timestamp.js'

describe('a DATE cell', () => {
  test.each(['2026-03-01', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])(
    'is shown as it stands: %s',
    (cell) => {
      expect(readDate(cell)).toBe(cell)
    },
  )

  test.each([null, undefined])('is refused when it is %s', (cell) => {
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
  ])('is refused when there is no such day: %s', (cell) => {
    expect(() => readDate(cell)).toThrow(new RowFault('is not a real date'))
  })

  test.each(['2026-3-1', '2026-03-01 00:00:00', '2026-03-01\n', '', 20_260_301, new Date(0)])(
    'is refused when it is no date: %o',
    (cell) => {
      expect(() => readDate(cell)).toThrow(new RowFault('is not a real date'))
    },
  )
})
