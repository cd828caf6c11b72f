import { all, bind, prepare, quote, quoteColumn, sql } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import type { Column } from '../database/column.js'
import type { BoundValue, Statement } from '../database/statement.js'
import type { ResolvedInvoices } from '../resources/invoices.js'
import { listEventColumns } from '../resources/resolved-table.js'
import type { Projected, ResolvedTable } from '../resources/resolved-table.js'
import { chooseIndex } from '../query/choose-index.js'
import { splitUnset } from '../query/tests.js'
import { from, listUnarchived, listVisible, selectRows } from '../query/rows.js'

/** Rows of any workspace by an index, the greatest ids first: where ids grow, these are the newest. */
export function renderNewestIds(table: ResolvedTable, limit: number): Statement {
  const where = listUnarchived(table)
  const conditions = where.length === 0 ? sql`` : sql` where ${all(where)}`
  return bind(
    prepare(() => selectSample(table, sql`${from(table)}${conditions} ${newest(table, limit)}`)),
    {},
  )
}

/** The rows of one workspace that changed last, by the index that serves its lists. */
export function renderLatest(table: ResolvedTable, workspace: BoundValue, limit: number): Statement {
  const [time, id] = [table.updatedAt.column, table.id.column].map((one) => quoteColumn(table.name, one))
  const order = sql`order by ${time ?? sql``} desc, ${id ?? sql``} desc limit ${String(limit)}`
  const source = from(table, chooseIndex(table, { event: false }))
  return bind(
    prepare(() => selectSample(table, sql`${source} where ${all(listVisible(table))} ${order}`)),
    { workspace },
  )
}

/** A table whose rows have the workspace and the event too, which are no public fields of every resource. */
export function withUnseen(table: ResolvedTable): ResolvedTable {
  const projection: readonly Projected[] = [
    ...table.projection,
    ...('constant' in table.workspace ? [] : [{ ...table.workspace, as: 'workspace' }]),
    ...listEventColumns(table.eventId)
      .slice(0, 1)
      .map((found) => ({ ...found, as: 'event' })),
  ]
  return { ...table, projection }
}

function selectSample(table: ResolvedTable, rest: Sql): Sql {
  return selectRows({ table: withUnseen(table), isHinted: true, isOrdered: false }, rest)
}

function newest(table: ResolvedTable, limit: number): Sql {
  return sql`order by ${quoteColumn(table.name, table.id.column)} desc limit ${String(limit)}`
}

/**
 * For each currency of the rows with the greatest ids: the number of different totals, and of rows whose total does not
 * end in 00. Archived rows count too, so that the statement reads at most `limit` rows.
 */
export function renderTotalEndings(
  { table, fields }: Pick<ResolvedInvoices, 'table' | 'fields'>,
  limit: number,
): Statement {
  const [total, currency] = [quote('total'), quote('currency')]
  const [code] = fields.currency.projection
  const projection = [...fields.total.projection.slice(0, 1), ...(code === undefined ? [] : [code])]
  const reading = { table: { ...table, projection }, isHinted: true, isOrdered: false }
  const rows = selectRows(reading, sql`${from(table)} ${newest(table, limit)}`)
  const counts = sql`count(distinct ${total}) as \`totals\`, sum(${total} % 100 <> 0) as \`others\``
  const cells = code === undefined ? counts : sql`${currency}, ${counts}`
  const group = code === undefined ? sql`` : sql` group by ${currency}`
  return bind(
    prepare(() => sql`select ${cells} from (${rows}) as \`newest\` where ${total} <> 0${group}`),
    {},
  )
}

/** The number of keys with a zero date in a column of times; undefined for another column. */
export function renderZeroDates(table: string, column: Column): Statement | undefined {
  // The second of the tests is the one of the zero date.
  const [, isZero] = splitUnset(column)
  const text = isZero && sql`select count(*) as \`keys\` from ${quote(table)} where ${isZero}`
  return (
    text &&
    bind(
      prepare(() => text),
      {},
    )
  )
}
