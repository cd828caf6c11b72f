import type { Knex } from 'knex'
import { builder, quoteName, raw, toTemplate, bindTemplate } from '../database/fragments-sql.js'
import type { BoundValue, Statement } from '../database/statement.js'
import type { ResolvedInvoices } from '../resources/invoices.js'
import type { Projected, ResolvedTable } from '../resources/resolved-table.js'
import { chooseIndex } from '../query/choose-index.js'
import { applyUnarchived, applyVisibility } from '../query/condition-sql.js'
import { quoteOrder, renderFrom, selectRows } from '../query/table-sql.js'

/** Rows of any workspace by an index, the greatest ids first: where ids grow, these are the newest. */
export function renderNewestIds(table: ResolvedTable, limit: number): Statement {
  return renderSample(table, undefined, (query) => {
    applyUnarchived(query, table)
    return query.orderByRaw(raw('? desc', quoteOrder(table, table.id.column))).limit(limit)
  })
}

/** The rows of one workspace that changed last, by the index that serves its lists. */
export function renderLatest(table: ResolvedTable, workspace: BoundValue, limit: number): Statement {
  const order = [table.updatedAt.column, table.id.column].map((column) => quoteOrder(table, column))
  const restrict = (query: Knex.QueryBuilder): Knex.QueryBuilder => {
    applyVisibility(query, table)
    return query.orderByRaw(raw('? desc, ? desc', ...order)).limit(limit)
  }
  return renderSample(table, workspace, restrict)
}

/** A table whose rows have the workspace and the event too, which are no public fields of every resource. */
export function withUnseen(table: ResolvedTable): ResolvedTable {
  const projection: readonly Projected[] = [
    ...table.projection,
    ...('constant' in table.workspace ? [] : [{ ...table.workspace, as: 'workspace' }]),
    ...(table.eventId !== undefined && 'column' in table.eventId ? [{ ...table.eventId, as: 'event' }] : []),
  ]
  return { ...table, projection }
}

function renderSample(
  table: ResolvedTable,
  workspace: BoundValue | undefined,
  restrict: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
): Statement {
  const index = workspace === undefined ? undefined : chooseIndex(table, { event: false })
  const query = selectRows({
    table: withUnseen(table),
    from: renderFrom(table, index),
    restrict,
    isHinted: true,
    isOrdered: false,
  })
  return bindTemplate(toTemplate(query), new Map(workspace === undefined ? [] : [['workspace', workspace]]))
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
  const projection = [...fields.total.projection.slice(0, 1), ...(code === undefined ? [] : [code])]
  const newest = selectRows({
    table: { ...table, projection },
    from: quoteName(table.name),
    restrict: (query) => query.orderByRaw(raw('? desc', quoteOrder(table, table.id.column))).limit(limit),
    isHinted: true,
    isOrdered: false,
  })
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
