import { expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { findMinorDigits, readCurrency, readMoney } from '../../../src/values/money.js'

/* Sums, floats, units and scales are of the model, whose oracle computes with integers only. */

test.each([
  ...Object.entries({ SAR: 2, KWD: 3, IQD: 3, JPY: 0, CLF: 4, HRK: 2 }),
  ...['ZZZ', '', 'sar', 'SA', 'SARS', 'constructor'].map((text) => [text, undefined] as const),
])('%o has %s minor digits, as in ISO 4217', (currency, digits) => {
  expect(findMinorDigits(currency)).toBe(digits)
})

test.each(['ZZZ', 'SAR ', 'SARS', 'ſar', 'ınr', 682])('%o is no currency', (cell) => {
  expect(() => readCurrency(cell)).toThrow(new RowFault('is not a currency of ISO 4217'))
})

test.each([
  ['115.5000', 'SAR', '115.50'],
  ['10.1234', 'SAR', '10.1234'],
  ['1500.0000', 'JPY', '1500'],
  ['0.5', 'JPY', '0.5'],
  ['-0.0000', 'SAR', '0.00'],
  ['-0.0000', 'JPY', '0'],
  ['-7', 'KWD', '-7.000'],
  ['000115.5000', 'SAR', '115.50'],
  ['99999999999999999999999999999999999999999999999999.99', 'SAR', `${'9'.repeat(50)}.99`],
])('a DECIMAL of %s %s is shown as %s', (cell, currency, shown) => {
  expect(readMoney(cell, currency, 'major')).toBe(shown)
})

const noNumbers = ['', ' 1', '1 ', '1e3', '+1', '.5', '5.', '1,5', '١', 'NaN', '0x10']
test.each([...noNumbers, 1e21, 1e-7, NaN, true, {}, 5n])('%o is no amount', (cell) => {
  expect(() => readMoney(cell, 'SAR', 'major')).toThrow(new RowFault('is not an exact number'))
  expect(() => readMoney(cell, 'SAR', 'text')).toThrow(new RowFault('is not decimal text'))
})

test('NULL, text longer than a DECIMAL and an unknown currency are RowFaults', () => {
  for (const cell of [null, undefined])
    expect(() => readMoney(cell, 'SAR', 'major')).toThrow(new RowFault('is NULL'))
  for (const [text, longer] of [
    ['9'.repeat(65), '9'.repeat(66)],
    [`-0.${'1'.repeat(64)}`, `0.${'1'.repeat(65)}`],
  ] as const) {
    expect(readMoney(text, 'JPY', 'text')).toBe(text)
    expect(() => readMoney(longer, 'JPY', 'text')).toThrow(new RowFault('is not decimal text'))
  }
  const unknown = new RowFault('has a currency that is not in ISO 4217')
  expect(() => readMoney('1', 'ZZZ', 'major')).toThrow(unknown)
})
