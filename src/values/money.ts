import Big from 'big.js'
import { RowFault } from '../errors.js'
import { findMinorDigits } from './currency.js'

/** `major`: the cell counts units of the currency; `minor`: its smallest coin. */
export type MoneyUnit = 'major' | 'minor'

const decimal = /^-?\d+(?:\.\d+)?$/

/**
 * An invoice's total as exact decimal text: no exponent, no rounding.
 *
 * @param cell DECIMAL as text, or an integer.
 * @param currency ISO 4217 code; sets the fewest decimals (SAR 2, KWD 3, JPY 0).
 * @throws RowFault when the cell is NULL or not a number, or the currency is not known.
 * Source: `fields.total` of the mapping; `design.md`, section 1.
 */
export function readMoney(cell: unknown, currency: string, unit: MoneyUnit): string {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  const text = typeof cell === 'number' ? String(cell) : cell
  if (typeof text !== 'string' || !decimal.test(text)) throw new RowFault('is not an exact number')
  const digits = findMinorDigits(currency)
  if (digits === undefined) throw new RowFault('has a currency that is not in ISO 4217')
  const stored = new Big(text)
  // Multiplied, because big.js divides to 20 places only.
  const amount = unit === 'minor' ? stored.times(`1e-${digits}`) : stored
  return amount.toFixed(Math.max(digits, countDecimals(amount)))
}

/** Decimals that the value really has: big.js keeps no trailing zeros in its coefficient. */
function countDecimals(amount: Big): number {
  return amount.c.length - 1 - amount.e
}
