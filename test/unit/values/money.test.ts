import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { findMinorDigits, readCurrency, readMoney, readSum } from '../../../src/values/money.js'

const digitsOf = { SAR: 2, KWD: 3, JPY: 0, CLF: 4 } as const
const currencies = fc.constantFrom(...(Object.keys(digitsOf) as (keyof typeof digitsOf)[]))
const coefficients = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
const scales = fc.integer({ min: 0, max: 30 })

/** `coefficient` times ten to the power of `-scale`, with exactly that many decimals. */
function toDecimal(coefficient: bigint, scale: number): string {
  const text = (coefficient < 0n ? -coefficient : coefficient).toString().padStart(scale + 1, '0')
  const sign = coefficient < 0n ? '-' : ''
  return scale === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/** The contract's text of an amount, computed with integers only. */
function expectedText(coefficient: bigint, scale: number, digits: number): string {
  let rest = coefficient
  let places = scale
  for (; places < digits; places += 1) rest *= 10n
  for (; places > digits && rest % 10n === 0n; places -= 1) rest /= 10n
  return toDecimal(rest, places)
}

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

test('an amount is exact, with the decimals of its currency, and more only if needed', () => {
  fc.assert(
    fc.property(coefficients, scales, currencies, (coefficient, scale, currency) => {
      const cell = toDecimal(coefficient, scale)
      const digits = digitsOf[currency]
      expect(readMoney(cell, currency, 'major')).toBe(expectedText(coefficient, scale, digits))
      expect(readMoney(cell, currency, 'minor')).toBe(expectedText(coefficient, scale + digits, digits))
    }),
  )
})

test.each([
  '',
  ' 1',
  '1 ',
  '1e3',
  '+1',
  '.5',
  '5.',
  '1,5',
  '١',
  'NaN',
  '0x10',
  1e21,
  1e-7,
  NaN,
  true,
  {},
  5n,
])('%o is no amount', (cell) => {
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

test.each([
  [1.005, 2, '1.01'],
  [0.1 + 0.2, 4, '0.30'],
  [-0.001, 2, '0.00'],
])('a floating-point amount is rounded half up: %d to %i decimals is %s', (cell, float, total) => {
  expect(readMoney(cell, 'SAR', { float })).toBe(total)
})

test('a sum counts NULL as 0 only where the mapping says so', () => {
  const parts = (['5.00', null] as const).map((cell) => ({ cell, form: 'major' }) as const)
  expect(readSum(parts, 'SAR', true)).toBe('5.00')
  expect(() => readSum(parts, 'SAR', false)).toThrow('is NULL')
  expect(readSum(parts.slice(1), 'KWD', true)).toBe('0.000')
})
