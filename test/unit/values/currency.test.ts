import { describe, expect, test } from 'vitest'
import { RowFault } from '../../../src/errors.js'
import { findMinorDigits, readCurrency } from '../../../src/values/currency.js'

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
  ])('of %s are the %i of ISO 4217', (currency, digits) => {
    expect(findMinorDigits(currency)).toBe(digits)
  })

  test('are known of a currency that was withdrawn', () => {
    expect(findMinorDigits('HRK')).toBe(2)
  })

  test.each(['ZZZ', '', 'sar', 'SA', 'SARS', 'constructor'])('are not made up for %o', (currency) => {
    expect(findMinorDigits(currency)).toBeUndefined()
  })
})

describe('a currency cell', () => {
  test.each(['SAR', 'sar', 'Sar'])('of %s is shown in capitals', (cell) => {
    expect(readCurrency(cell)).toBe('SAR')
  })

  test.each([null, undefined])('of %s is refused', (cell) => {
    expect(() => readCurrency(cell)).toThrow(new RowFault('is NULL'))
  })

  test.each(['ZZZ', '', 'SAR ', ' SAR', 'SA', 682, Buffer.from('SAR')])(
    'that is no code of ISO 4217 is refused: %o',
    (cell) => {
      expect(() => readCurrency(cell)).toThrow(new RowFault('is not a currency of ISO 4217'))
    },
  )
})

test.each(['ſar', 'ınr', 'SARS', 'sa', ' sar'])('%j is no currency, though its capitals might be', (cell) => {
  expect(() => readCurrency(cell)).toThrow('is not a currency of ISO 4217')
})
