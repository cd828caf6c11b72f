import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { readMoney, readSum } from '../../../src/values/money.js'

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

describe('a stored DECIMAL', () => {
  test.each([
    ['115.5000', 'SAR', '115.50'],
    ['10.1234', 'SAR', '10.1234'],
    ['1500.0000', 'JPY', '1500'],
    ['0.5', 'JPY', '0.5'],
    ['-0.0000', 'SAR', '0.00'],
    ['-0.0000', 'JPY', '0'],
    ['-7', 'KWD', '-7.000'],
    ['000115.5000', 'SAR', '115.50'],
    ['0.00000000000000000001', 'SAR', '0.00000000000000000001'],
    ['99999999999999999999999999999999999999999999999999.99', 'SAR', `${'9'.repeat(50)}.99`],
  ])('of %s %s is shown as %s', (cell, currency, shown) => {
    expect(readMoney(cell, currency, 'major')).toBe(shown)
  })

  test('is shown exactly, with the decimals of its currency, and more only if needed', () => {
    fc.assert(
      fc.property(coefficients, scales, currencies, (coefficient, scale, currency) => {
        expect(readMoney(toDecimal(coefficient, scale), currency, 'major')).toBe(
          expectedText(coefficient, scale, digitsOf[currency]),
        )
      }),
    )
  })
})

describe('an integer of minor units', () => {
  test('is converted to major units without rounding', () => {
    fc.assert(
      fc.property(coefficients, scales, currencies, (coefficient, scale, currency) => {
        const digits = digitsOf[currency]
        expect(readMoney(toDecimal(coefficient, scale), currency, 'minor')).toBe(
          expectedText(coefficient, scale + digits, digits),
        )
      }),
    )
  })
})

describe('a RowFault is thrown', () => {
  test.each([null, undefined])('when the total is %s', (cell) => {
    expect(() => readMoney(cell, 'SAR', 'major')).toThrow(new RowFault('is NULL'))
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
  ])('when the total is not a plain decimal: %s', (cell) => {
    expect(() => readMoney(cell, 'SAR', 'major')).toThrow(new RowFault('is not an exact number'))
    expect(() => readMoney(cell, 'SAR', 'text')).toThrow(new RowFault('is not decimal text'))
  })

  test('when decimal text is longer than a DECIMAL', () => {
    expect(readMoney('9'.repeat(65), 'JPY', 'text')).toBe('9'.repeat(65))
    expect(readMoney(`-0.${'1'.repeat(64)}`, 'SAR', 'text')).toBe(`-0.${'1'.repeat(64)}`)
    for (const text of ['9'.repeat(66), `0.${'1'.repeat(65)}`])
      expect(() => readMoney(text, 'JPY', 'text')).toThrow(new RowFault('is not decimal text'))
  })

  test('when the currency is not in ISO 4217', () => {
    expect(() => readMoney('1', 'ZZZ', 'major')).toThrow(
      new RowFault('has a currency that is not in ISO 4217'),
    )
  })
})

test.each([
  [1.005, 2, '1.01'],
  [0.1 + 0.2, 4, '0.30'],
  [-0.001, 2, '0.00'],
])('a floating-point amount is rounded half up: %d to %i decimals is %s', (cell, float, total) => {
  expect(readMoney(cell, 'SAR', { float })).toBe(total)
})

test('a sum counts NULL as 0 only where the mapping says so', () => {
  const parts = [
    { cell: '5.00', form: 'major' },
    { cell: null, form: 'major' },
  ] as const
  expect(readSum(parts, 'SAR', true)).toBe('5.00')
  expect(() => readSum(parts, 'SAR', false)).toThrow('is NULL')
  expect(readSum(parts.slice(1), 'KWD', true)).toBe('0.000')
})
