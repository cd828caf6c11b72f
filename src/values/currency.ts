import currencyCodes from 'currency-codes'
import { RowFault } from '../errors.js'

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
