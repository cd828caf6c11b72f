import { builder, limitSlot, quoteName, raw, toTemplate } from '../database/column-sql.js'
import type { Statement } from '../database/statement.js'
import { bindTemplate } from '../database/template.js'
import type { Bound, InvoiceColumns } from '../mapping/bound.js'
import { quoteOrder } from '../query/visible-sql.js'

/**
 * For each currency of the rows with the greatest ids: how many different totals there are, and how many rows whose
 * total does not end in 00. Archived rows count too, so that no more than `limit` rows are read.
 */
export function renderTotalEndings(
  { table: source, columns }: Pick<Bound<InvoiceColumns>, 'table' | 'columns'>,
  limit: number,
): Statement {
  const [total, currency] = [quoteName('total'), quoteName('currency')]
  const { currency: code } = columns
  const newest = builder
    .select([
      raw('? as ?', quoteName(columns.total.name), total),
      ...('constant' in code ? [] : [raw('? as ?', quoteName(code.name), currency)]),
    ])
    .from(quoteName(source.name))
    .orderByRaw(raw('? desc', quoteOrder(source, source.id.column)))
    .limit(limitSlot)
  const query = builder
    .select([
      ...('constant' in code ? [] : [currency]),
      raw('count(distinct ?) as ?', total, quoteName('totals')),
      raw('sum(? % 100 <> 0) as ?', total, quoteName('others')),
    ])
    .from(newest.as('newest'))
    .whereRaw(raw('? <> 0', total))
  if (!('constant' in code)) query.groupByRaw(raw('?', currency))
  return bindTemplate(toTemplate(query), new Map([['limit', String(limit)]]))
}
