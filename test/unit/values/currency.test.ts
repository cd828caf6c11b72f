import { describe, expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { findMinorDigits, readCurrency } from '../../../src/values/money.js'

describe('the minor digits of a currency', () => {
  test.each([
    ['SAR', 2],
    ['EUR', 2],
    ['KWD', 3],
    ['BHD', 3],
    ['IQD', 3],
    ['JPY', 0],
    ['KRW', 0],
    ['CLF', 4],
  ])('of %s are %i, as in ISO 4217', (currency, digits) => {
    expect(findMinorDigits(currency)).toBe(digits)
  })

  test('exist for a currency that was withdrawn', () => {
    expect(findMinorDigits('HRK')).toBe(2)
  })

  test.each(['ZZZ', '', 'sar', 'SA', 'SARS', 'constructor'])('are undefined for %o', (currency) => {
    expect(findMinorDigits(currency)).toBeUndefined()
  })
})

test.each(['ZZZ', 'SAR ', 'SARS', 'ſar', 'ınr', 682])(
  'a cell that is no code of ISO 4217 is a RowFault: %o',
  (cell) => {
    expect(() => readCurrency(cell)).toThrow(new RowFault('is not a currency of ISO 4217'))
  },
)
