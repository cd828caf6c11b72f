import type { Knex } from 'knex'
import { builder, limitSlot, quoteName, raw, toTemplate } from '../database/column-sql.js'
import type { BoundValue, Statement } from '../database/statement.js'
import { bindTemplate } from '../database/template.js'
import type { ResolvedTable } from '../mapping/source.js'
import { chooseIndex } from '../query/choose-index.js'
import { applyUnarchived, applyVisibility, listSelected, quoteOrder } from '../query/visible-sql.js'

/** Rows of any workspace, the greatest ids first: where ids grow these are the newest, and an index gives them. */
export function renderNewestIds(source: ResolvedTable, limit: number): Statement {
  const query = select(source, quoteName(source.name))
  applyUnarchived(query, source)
  query.orderByRaw(raw('? desc', quoteOrder(source, source.id.column))).limit(limitSlot)
  return bindTemplate(toTemplate(query), new Map([['limit', String(limit)]]))
}

/** The rows of one workspace that changed last, by the index that serves its lists. */
export function renderLatest(source: ResolvedTable, workspace: BoundValue, limit: number): Statement {
  const index = chooseIndex(source, plainShape)
  const table = quoteName(source.name)
  const query = select(
    source,
    index === undefined ? table : raw('? force index (?)', table, quoteName(index.name)),
  )
  applyVisibility(query, source)
  const order = [source.updatedAt.column, source.id.column].map((column) => quoteOrder(source, column))
  query.orderByRaw(raw('? desc, ? desc', ...order)).limit(limitSlot)
  return bindTemplate(
    toTemplate(query),
    new Map<string, BoundValue>([
      ['workspace', workspace],
      ['limit', String(limit)],
    ]),
  )
}

const plainShape = {
  since: false,
  event: false,
  statuses: 0,
  position: 'start',
  clock: false,
  impossible: false,
} as const

/** What the mappers read, and the workspace, which no field shows. */
function select(source: ResolvedTable, table: Knex.Raw): Knex.QueryBuilder {
  const event =
    'column' in source.eventId
      ? [raw('? as ?', quoteName(source.eventId.column.name), quoteName('event'))]
      : []
  return builder
    .select([
      ...listSelected(source),
      raw('? as ?', quoteName(source.workspace.column.name), quoteName('workspace')),
      ...event,
    ])
    .from(table)
}
