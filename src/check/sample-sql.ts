import type { Knex } from 'knex'
import { builder, quoteName, raw, toTemplate, bindTemplate } from '../database/fragments-sql.js'
import type { BoundValue, Statement } from '../database/statement.js'
import type { ResolvedInvoices } from '../resources/invoices.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import { chooseIndex } from '../query/list-plan.js'
import {
  applyUnarchived,
  applyVisibility,
  listProjection,
  quoteOrder,
  renderFrom,
} from '../query/table-sql.js'

/** Rows of any workspace by an index, the greatest ids first: where ids grow, these are the newest. */
export function renderNewestIds(table: ResolvedTable, limit: number): Statement {
  const query = select(table, quoteName(table.name))
  applyUnarchived(query, table)
  query.orderByRaw(raw('? desc', quoteOrder(table, table.id.column))).limit(limit)
  return bindTemplate(toTemplate(query))
}

/** The rows of one workspace that changed last, by the index that serves its lists. */
export function renderLatest(table: ResolvedTable, workspace: BoundValue, limit: number): Statement {
  const index = chooseIndex(table, { event: false, statuses: 0 })
  const query = select(table, renderFrom(table, index))
  applyVisibility(query, table)
  const order = [table.updatedAt.column, table.id.column].map((column) => quoteOrder(table, column))
  query.orderByRaw(raw('? desc, ? desc', ...order)).limit(limit)
  return bindTemplate(toTemplate(query), new Map([['workspace', workspace]]))
}

/** What the mappers read, with the workspace, which is no public field. */
function select(table: ResolvedTable, from: Knex.Raw): Knex.QueryBuilder {
  const event =
    'column' in table.eventId ? [raw('? as ?', quoteName(table.eventId.column.name), quoteName('event'))] : []
  return builder
    .select([
      ...listProjection(table),
      raw('? as ?', quoteName(table.workspace.column.name), quoteName('workspace')),
      ...event,
    ])
    .from(from)
}

/**
 * For each currency of the rows with the greatest ids: the number of different totals, and of rows whose total does not
 * end in 00. Archived rows count too, so that the statement reads at most `limit` rows.
 */
export function renderTotalEndings(
  { table, fields }: Pick<ResolvedInvoices, 'table' | 'fields'>,
  limit: number,
): Statement {
  const [total, currency] = [quoteName('total'), quoteName('currency')]
  const [code] = fields.currency.projection
  const newest = builder
    .select([
      raw('? as ?', quoteName(fields.total.column.name), total),
      ...(code === undefined ? [] : [raw('? as ?', quoteName(code.column.name), currency)]),
    ])
    .from(quoteName(table.name))
    .orderByRaw(raw('? desc', quoteOrder(table, table.id.column)))
    .limit(limit)
  const query = builder
    .select([
      ...(code === undefined ? [] : [currency]),
      raw('count(distinct ?) as ?', total, quoteName('totals')),
      raw('sum(? % 100 <> 0) as ?', total, quoteName('others')),
    ])
    .from(newest.as('newest'))
    .whereRaw(raw('? <> 0', total))
  if (code !== undefined) query.groupByRaw(raw('?', currency))
  return bindTemplate(toTemplate(query))
}
