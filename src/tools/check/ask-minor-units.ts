import { quote, sql, toStatement } from '../../database/sql.js'
import type { Row, Statement } from '../../database/statement.js'
import { orUndefined } from '../../errors.js'
import { from, selectRows } from '../../collections/rows.js'
import { createWarning } from '../report/report.js'
import type { Finding } from '../report/report.js'
import type { ResolvedInvoices } from '../../collections/invoices.js'
import { findMinorDigits, readCurrency, readMoney } from '../../values/money.js'
import type { Question } from './questions.js'
import { newest } from './sample-reader.js'

/** Rows that the statement reads at most, and the fewest different totals that prove something. */
const sizes = { rows: 20_000, totals: 3 } as const

/** A stored total as an example; no value of a row is shown. */
const example = 100_000

/**
 * Currencies without hundredths whose totals look like hundredths. `unit: minor` means the minor unit of ISO 4217 (JPY 0,
 * KWD 3 digits); some products store hundredths of every currency, and a single row does not show that.
 *
 * @returns none where the mapping has no `unit: minor`.
 */
export function askMinorUnits({ table, fields }: ResolvedInvoices): readonly Question[] {
  const { parts } = fields.total
  if (!parts.every(({ form }) => form === 'minor')) return []
  const object = parts.map(({ column }) => `${table.name}.${column.name}`).join(', ')
  const scales = parts.map(({ column }) => `{ column: ${column.name}, scale: 2 }`).join(' and ')
  const { constant } = fields.currency
  const evaluateRow = ({ currency, totals, others }: Row): readonly Finding[] => {
    const code = constant ?? orUndefined(() => readCurrency(currency))
    const isSuspect = Number(totals) >= sizes.totals && Number(others) === 0
    const digits = code === undefined || !isSuspect ? undefined : findMinorDigits(code)
    if (code === undefined || (digits !== 0 && digits !== 3)) return []
    const shown = readMoney(String(example), code, 'minor')
    const meant = readMoney(String(example / 100), code, 'major')
    const problem =
      `all ${Number(totals)} different totals in ${code} end in 00, as hundredths would. unit: minor means the minor unit ` +
      `of ISO 4217, of which ${code} has ${digits} digits: a stored ${example} is shown as ${shown} ${code}`
    const fix =
      `compare an invoice in ${code} with the product. If a stored ${example} means ${meant} ${code}, the product ` +
      `stores hundredths of every currency: write ${scales} instead of unit: minor`
    return [createWarning(object, problem, fix)]
  }
  return [
    {
      object,
      unknown: 'the unit of totals could not be checked',
      statement: renderTotalEndings({ table, fields }),
      evaluate: (rows) => rows.flatMap(evaluateRow),
    },
  ]
}

/**
 * For each currency of the rows with the greatest ids: the number of different totals, and of rows whose total does not
 * end in 00. Archived rows count too, so that the statement reads a limited number of rows.
 */
function renderTotalEndings({ table, fields }: Pick<ResolvedInvoices, 'table' | 'fields'>): Statement {
  const [total, currency] = [quote('total'), quote('currency')]
  const [code] = fields.currency.projection
  const projection = [...fields.total.projection.slice(0, 1), ...(code === undefined ? [] : [code])]
  const reading = { table: { ...table, projection }, isHinted: true, isOrdered: false }
  const rows = selectRows(reading, sql`${from(table)} ${newest(table, sizes.rows)}`)
  const counts = sql`count(distinct ${total}) as \`totals\`, sum(${total} % 100 <> 0) as \`others\``
  const cells = code === undefined ? counts : sql`${currency}, ${counts}`
  const group = code === undefined ? sql`` : sql` group by ${currency}`
  return toStatement(sql`select ${cells} from (${rows}) as \`newest\` where ${total} <> 0${group}`)
}
