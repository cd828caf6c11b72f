import { toQuotedName } from '../database/quote.js'
import type { ResolvedTable } from '../mapping/source.js'
import type { ListShape } from '../query/list-plan.js'

/** The statement that makes the index which serves a list of this shape from its first entry on. */
export function renderIndex(source: ResolvedTable, shape: Pick<ListShape, 'event' | 'statuses'>): string {
  const byEvent = shape.event && 'column' in source.eventId
  const byStatus = shape.statuses === 1
  const columns = [
    source.workspace.column.name,
    ...(byEvent && 'column' in source.eventId ? [source.eventId.column.name] : []),
    ...(byStatus ? [source.status.column.name] : []),
    source.updatedAt.column.name,
    source.id.column.name,
  ]
  const name = ['ix_vitrine', ...(byEvent ? ['event'] : []), ...(byStatus ? ['status'] : []), 'sync'].join(
    '_',
  )
  return toStatement(source.name, name, columns)
}

/** The index by which the events of an invoice are found. */
export function renderLinkIndex(source: ResolvedTable): string {
  if ('column' in source.eventId) return renderIndex(source, { event: true, statuses: 0 })
  const { table, invoice, event } = source.eventId
  return toStatement(table, 'ix_vitrine_link', [invoice.column.name, event.column.name])
}

function toStatement(table: string, name: string, columns: readonly string[]): string {
  return `CREATE INDEX ${toQuotedName(name)} ON ${toQuotedName(table)} (${columns.map(toQuotedName).join(', ')});`
}
