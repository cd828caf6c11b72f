import Big from 'big.js'
import currencyCodes from 'currency-codes'
import { RowFault } from '../errors.js'
import { requireText } from './cells.js'

/**
 * How an amount is stored. `major`: in units of the currency; `text`: the same as decimal text; `minor`: in its minor
 * unit, such as cents; `scale`: an integer with so many decimals, whatever the currency is; `float`: a FLOAT or DOUBLE,
 * which is rounded half up to so many decimals.
 */
export type MoneyForm =
  | { readonly kind: 'major' | 'text' | 'minor' }
  | { readonly kind: 'scale' | 'float'; readonly decimals: number }

const decimal = /^-?\d+(?:\.\d+)?$/

/**
 * An invoice's total as exact decimal text: no exponent, no rounding.
 *
 * @param cell DECIMAL as text, decimal text, an integer, or a number where the form is `float`.
 * @param currency ISO 4217 code; sets the fewest decimals (SAR 2, KWD 3, JPY 0).
 * @throws RowFault when the cell is NULL or not a number, or the currency is not known.
 * Source: `fields.total` of the mapping; `docs/contract.md`, "Records".
 */
export function readMoney(cell: unknown, currency: string, form: MoneyForm): string {
  const digits = requireDigits(currency)
  const text = form.kind === 'major' ? trimZeros(readDecimal(cell), digits) : undefined
  return text ?? format(toAmount(cell, form, digits), digits)
}

/** A part of a sum. */
export interface MoneyPart {
  readonly cell: unknown
  readonly form: MoneyForm
}

/**
 * The exact sum of several cells, as `readMoney` writes it.
 *
 * @param nullIsZero whether a part that is NULL counts as 0.
 * @throws RowFault when a part is NULL without that, or is not a number.
 */
export function readSum(parts: readonly MoneyPart[], currency: string, nullIsZero: boolean): string {
  const digits = requireDigits(currency)
  const present = parts.filter(({ cell }) => !nullIsZero || (cell !== null && cell !== undefined))
  const sum = present.reduce((total, { cell, form }) => total.plus(toAmount(cell, form, digits)), new Big(0))
  return format(sum, digits)
}

function requireDigits(currency: string): number {
  const digits = findMinorDigits(currency)
  if (digits === undefined) throw new RowFault('has a currency that is not in ISO 4217')
  return digits
}

function readDecimal(cell: unknown): string {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  // A number with a fraction is a float, which is not exact.
  const text = typeof cell === 'number' && Number.isInteger(cell) ? String(cell) : cell
  if (typeof text !== 'string' || !decimal.test(text)) throw new RowFault('is not an exact number')
  return text
}

/** An exact number of up to 65 digits, as a DECIMAL has at most, and nothing else: no space, no +, no exponent, no separator of thousands, no decimal comma. */
const decimalText = /^-?(?=(?:\.?\d){1,65}$)\d+(?:\.\d+)?$/

function readDecimalText(cell: unknown): string {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  const text = requireText(cell, 'is not decimal text')
  if (!decimalText.test(text)) throw new RowFault('is not decimal text')
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

function toAmount(cell: unknown, form: MoneyForm, digits: number): Big {
  switch (form.kind) {
    case 'major':
      return new Big(readDecimal(cell))
    case 'text':
      return new Big(readDecimalText(cell))
    // Multiplied, because big.js divides to 20 places only.
    case 'minor':
      return new Big(readDecimal(cell)).times(`1e-${digits}`)
    case 'scale':
      return new Big(readDecimal(cell)).times(`1e-${form.decimals}`)
    case 'float':
      return readFloat(cell).round(form.decimals, Big.roundHalfUp)
    default:
      return form satisfies never
  }
}

/** The shortest decimal that stands for the number: 1.005 and not 1.00499999999999989. */
function readFloat(cell: unknown): Big {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  if (typeof cell !== 'number' || !Number.isFinite(cell)) throw new RowFault('is not a number')
  return new Big(String(cell))
}

function format(amount: Big, digits: number): string {
  return amount.toFixed(Math.max(digits, countDecimals(amount)))
}

/** Decimals without trailing zeros: big.js has none in its coefficient. */
function countDecimals(amount: Big): number {
  return amount.c.length - 1 - amount.e
}

/*
 * ISO 4217 from `currency-codes`. ICU adds the currencies that were withdrawn before that list (HRK) or added after it
 * (XCG), because invoices of those years have them. ICU is second because its digits are those of daily use, not of the
 * standard (IQD 0 instead of 3). It is loaded for the first such code only, because its tables take 7 MB of memory.
 */
const listed = new Map<string, number>(
  currencyCodes.codes().map((code) => [code, currencyCodes.code(code)?.digits ?? 0]),
)
let unlisted: ReadonlyMap<string, number> | undefined

/** The number of minor digits of an ISO 4217 currency (SAR 2, KWD 3, JPY 0); undefined for other text. */
export function findMinorDigits(currency: string): number | undefined {
  return listed.get(currency) ?? findUnlistedDigits(currency)
}

/**
 * A currency cell as an ISO 4217 code, in capitals.
 *
 * @throws RowFault when the cell is NULL or not a currency of ISO 4217.
 */
export function readCurrency(cell: unknown): string {
  if (typeof cell === 'string' && listed.has(cell)) return cell
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  // Checked first: some letters outside ASCII have ASCII capitals.
  const code = typeof cell === 'string' && /^[A-Za-z]{3}$/.test(cell) ? cell.toUpperCase() : ''
  if (findMinorDigits(code) === undefined) throw new RowFault('is not a currency of ISO 4217')
  return code
}

function findUnlistedDigits(currency: string): number | undefined {
  unlisted ??= new Map(Intl.supportedValuesOf('currency').map((code) => [code, readIcuDigits(code)]))
  return unlisted.get(currency)
}

function readIcuDigits(code: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}
