import { expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { readMoney } from '../../../src/values/money.js'

/* Amounts of every form and currency are of the model, whose oracle computes with integers only. */

test('text longer than a DECIMAL is not an amount', () => {
  for (const [text, longer] of [
    ['9'.repeat(65), '9'.repeat(66)],
    [`-0.${'1'.repeat(64)}`, `0.${'1'.repeat(65)}`],
  ] as const) {
    expect(readMoney(text, 'JPY', { kind: 'text' })).toBe(text)
    expect(() => readMoney(longer, 'JPY', { kind: 'text' })).toThrow(new RowFault('is not decimal text'))
  }
})
