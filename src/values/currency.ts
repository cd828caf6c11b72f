import currencyCodes from 'currency-codes'
import { RowFault } from '../errors.js'

/*
 * ISO 4217 as `currency-codes` has it; ICU adds the currencies that were withdrawn before that list (HRK) or
 * came after it (XCG), which invoices of those years still carry. ICU comes second because its digits are
 * those of daily use, not of the standard (IQD 0 instead of 3), and only when such a code is met because 7 MB of
 * its tables then stay in memory.
 */
const listed = new Map<string, number>(
  currencyCodes.codes().map((code) => [code, currencyCodes.code(code)?.digits ?? 0]),
)
let unlisted: ReadonlyMap<string, number> | undefined

/** How many minor digits ISO 4217 gives a currency (SAR 2, KWD 3, JPY 0); undefined for no currency of it. */
export function findMinorDigits(currency: string): number | undefined {
  return listed.get(currency) ?? findUnlistedDigits(currency)
}

/**
 * A currency cell as an ISO 4217 code, in capitals.
 *
 * @throws RowFault when the cell is NULL or no currency of ISO 4217.
 */
export function readCurrency(cell: unknown): string {
  if (typeof cell === 'string' && listed.has(cell)) return cell
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  // Checked first: other alphabets have letters whose capitals are ASCII.
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
