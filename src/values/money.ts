import Big from 'big.js'
import { RowFault } from '../errors.js'
import { findMinorDigits } from './currency.js'

/** `major`: the cell is in units of the currency; `minor`: in its minor unit, such as cents. */
export type MoneyUnit = 'major' | 'minor'

const decimal = /^-?\d+(?:\.\d+)?$/

/**
 * An invoice's total as exact decimal text: no exponent, no rounding.
 *
 * @param cell DECIMAL as text, or an integer.
 * @param currency ISO 4217 code; sets the fewest decimals (SAR 2, KWD 3, JPY 0).
 * @throws RowFault when the cell is NULL or not a number, or the currency is not known.
 * Source: `fields.total` of the mapping; `docs/contract.md`, "Records".
 */
export function readMoney(cell: unknown, currency: string, unit: MoneyUnit): string {
  const text = readDecimal(cell)
  const digits = findMinorDigits(currency)
  if (digits === undefined) throw new RowFault('has a currency that is not in ISO 4217')
  return (unit === 'major' ? trimZeros(text, digits) : undefined) ?? computeAmount(text, digits, unit)
}

function readDecimal(cell: unknown): string {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  // A number with a fraction is a float, which is not exact.
  const text = typeof cell === 'number' && Number.isInteger(cell) ? String(cell) : cell
  if (typeof text !== 'string' || !decimal.test(text)) throw new RowFault('is not an exact number')
  return text
}

/** The server's text of a DECIMAL that has decimals and is not negative. */
const canonical = /^(?:0|[1-9]\d*)\.\d+$/

/** Most totals need only their trailing zeros removed; undefined for others. */
function trimZeros(text: string, digits: number): string | undefined {
  if (!canonical.test(text)) return undefined
  const point = text.indexOf('.')
  const least = point + 1 + digits
  if (text.length < least) return undefined
  let end = text.length
  while (end > least && text[end - 1] === '0') end -= 1
  return text.slice(0, end === point + 1 ? point : end)
}

function computeAmount(text: string, digits: number, unit: MoneyUnit): string {
  const stored = new Big(text)
  // Multiplied, because big.js divides to 20 places only.
  const amount = unit === 'minor' ? stored.times(`1e-${digits}`) : stored
  return amount.toFixed(Math.max(digits, countDecimals(amount)))
}

/** Decimals without trailing zeros: big.js has none in its coefficient. */
function countDecimals(amount: Big): number {
  return amount.c.length - 1 - amount.e
}
