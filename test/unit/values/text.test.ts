import { describe, expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { joinTexts, readBoolean } from '../../../src/values/text.js'

test.each([1, true, Buffer.from('a'), {}])('a part of a name that is no text is a RowFault: %o', (cell) => {
  expect(() => joinTexts(['a', cell], ' ')).toThrow(new RowFault('is not text'))
})

describe('a boolean cell', () => {
  test.each([0, -0, '0', '-0', '00', Buffer.from([0]), Buffer.from([0, 0]), Buffer.alloc(0)])(
    'is false for zero: %o',
    (cell) => {
      expect(readBoolean(cell)).toBe(false)
    },
  )

  test.each([1, 2, -1, '1', '10', '-1', '18446744073709551615', Buffer.from([1]), Buffer.from([1, 0])])(
    'is true for any other number: %o',
    (cell) => {
      expect(readBoolean(cell)).toBe(true)
    },
  )

  test.each([null, undefined])('is a RowFault when it is %s', (cell) => {
    expect(() => readBoolean(cell)).toThrow(new RowFault('is NULL'))
  })

  test.each(['', 'true', 'yes', '1.0', ' 1', true, {}])(
    'is a RowFault when it is not an integer: %o',
    (cell) => {
      expect(() => readBoolean(cell)).toThrow(new RowFault('is not a boolean'))
    },
  )
})
