import { expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { joinTexts, readBoolean } from '../../../src/values/text.js'

test.each([1, true, Buffer.from('a'), {}])('a part of a name that is no text is a RowFault: %o', (cell) => {
  expect(() => joinTexts(['a', cell], ' ')).toThrow(new RowFault('is not text'))
})

const zeros = [0, -0, '0', '-0', '00', Buffer.from([0]), Buffer.from([0, 0]), Buffer.alloc(0)]
const others = [1, 2, -1, '1', '10', '-1', '18446744073709551615', Buffer.from([1]), Buffer.from([1, 0])]
test.each([...zeros.map((cell) => [cell, false] as const), ...others.map((cell) => [cell, true] as const)])(
  'a boolean cell of %o is %s',
  (cell, shown) => {
    expect(readBoolean(cell)).toBe(shown)
  },
)

test.each([null, undefined, '', 'true', 'yes', '1.0', ' 1', true, {}])('%o is no boolean', (cell) => {
  const fault = cell === null || cell === undefined ? 'is NULL' : 'is not a boolean'
  expect(() => readBoolean(cell)).toThrow(new RowFault(fault))
})
