import type { RunQuery } from '../database/statement.js'
import { orUndefined } from '../errors.js'
import type { ResolvedInvoices } from '../resources/invoices.js'
import { findMinorDigits, readCurrency } from '../values/currency.js'
import { readMoney } from '../values/money.js'
import { renderTotalEndings } from './sample-sql.js'
import { createWarning } from '../report/report.js'
import type { Finding } from '../report/report.js'
import { createFailure, describeFailure } from './failure.js'

/** Rows that the statement reads at most, and the fewest different totals that prove something. */
const sizes = { rows: 20_000, totals: 3 } as const

/** A stored total as an example; no value of a row is shown. */
const example = 100_000

/**
 * A warning for a currency without hundredths whose totals look like hundredths. `unit: minor` means the minor unit of
 * ISO 4217 (JPY 0, KWD 3 digits); some products store hundredths of every currency, and a single row does not show that.
 *
 * @returns none where the mapping has no `unit: minor`.
 */
export async function checkMinorUnits(
  invoices: ResolvedInvoices,
  runQuery: RunQuery,
): Promise<readonly Finding[]> {
  if (!invoices.fields.total.parts.every(({ form }) => form === 'minor')) return []
  try {
    const rows = await runQuery(renderTotalEndings(invoices, sizes.rows))
    return rows.flatMap(({ currency, totals, others }) => {
      const code = toCode(invoices, currency)
      const isSuspect = Number(totals) >= sizes.totals && Number(others) === 0
      return code !== undefined && isSuspect ? listFindings(invoices, code, Number(totals)) : []
    })
  } catch (error) {
    const problem = `the unit of totals could not be checked: ${describeFailure(error)}`
    return [createFailure(nameTotal(invoices), problem)]
  }
}

/** Undefined for what is no currency, which the sample reports. */
function toCode({ fields }: ResolvedInvoices, cell: unknown): string | undefined {
  const { constant } = fields.currency
  return constant ?? orUndefined(() => readCurrency(cell))
}

function listFindings(
  { table, fields }: ResolvedInvoices,
  currency: string,
  totals: number,
): readonly Finding[] {
  const digits = findMinorDigits(currency)
  if (digits !== 0 && digits !== 3) return []
  const shown = readMoney(String(example), currency, 'minor')
  const meant = readMoney(String(example / 100), currency, 'major')
  const problem =
    `all ${totals} different totals in ${currency} end in 00, as hundredths would. unit: minor means the minor unit ` +
    `of ISO 4217, of which ${currency} has ${digits} digits: a stored ${example} is shown as ${shown} ${currency}`
  const fix =
    `compare an invoice in ${currency} with the product. If a stored ${example} means ${meant} ${currency}, the product ` +
    `stores hundredths of every currency: write ${renderScale(fields)} instead of unit: minor`
  return [createWarning(nameTotal({ table, fields }), problem, fix)]
}

function renderScale({ total }: ResolvedInvoices['fields']): string {
  return total.parts.map(({ column }) => `{ column: ${column.name}, scale: 2 }`).join(' and ')
}

function nameTotal({ table, fields }: Pick<ResolvedInvoices, 'table' | 'fields'>): string {
  return fields.total.parts.map(({ column }) => `${table.name}.${column.name}`).join(', ')
}
