import type { Index } from '../database/column.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import type { ListShape } from './list-plan.js'

/**
 * The index whose entries stand in the list's own order once its conditions are met, so that a page reads no
 * more of it than it shows: columns that the list holds to one value, then `updatedAt`, then `id`.
 *
 * @returns undefined where there is none, as under a view; the optimizer then decides.
 */
export function chooseIndex(
  source: ResolvedTable,
  shape: Pick<ListShape, 'event' | 'statuses'>,
): Index | undefined {
  const fixed = listFixedColumns(source, shape)
  const workspace = source.workspace.column.name.toLowerCase()
  const order = [source.updatedAt.column, source.id.column].map((column) => column.name.toLowerCase())
  const serving = source.indexes.flatMap((index) => {
    const depth = index.columns.findIndex((column) => !fixed.has(column))
    const before = index.columns.slice(0, depth)
    const serves = before.includes(workspace) && order.every((name, at) => index.columns[depth + at] === name)
    return serves ? [{ index, depth }] : []
  })
  return serving.reduce<(typeof serving)[number] | undefined>(
    (best, next) => (best !== undefined && best.depth >= next.depth ? best : next),
    undefined,
  )?.index
}

function listFixedColumns(
  source: ResolvedTable,
  shape: Pick<ListShape, 'event' | 'statuses'>,
): ReadonlySet<string> {
  const archived = source.archived.flatMap(({ column, equals }) => (equals === undefined ? [column] : []))
  const columns = [
    source.workspace.column,
    ...archived,
    ...(shape.event && 'column' in source.eventId ? [source.eventId.column] : []),
    ...(shape.statuses === 1 ? [source.status.column] : []),
  ]
  return new Set(columns.map((column) => column.name.toLowerCase()))
}
