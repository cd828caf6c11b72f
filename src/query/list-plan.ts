import type { Index } from '../database/column.js'
import type { BoundValue } from '../database/statement.js'
import type {
  EventLink,
  IdentifierColumn,
  ResolvedTable,
  StatusColumn,
  TimeColumn,
} from '../resources/resolved-table.js'
import { toStoredIdentifier } from '../values/identifier.js'
import { toDatabaseTime } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import type { Position } from './cursor.js'
import type { ListQuery } from './list-query.js'

/** What the text of a list statement depends on; its values are bound separately. */
export interface ListShape {
  readonly since: boolean
  readonly event: boolean
  /** How many stored values the status filter has; 0 without the filter. */
  readonly statuses: number
  /** Where the page begins: at the start, behind a time, or behind a row without a time. */
  readonly position: 'start' | 'time' | 'null'
  /** Whether each row has the database's clock, which a crawl's first page needs. */
  readonly clock: boolean
  /** Whether a column cannot hold some value, so that no row can match. */
  readonly impossible: boolean
}

/** A list as data, from which `renderList` makes its statement. */
export interface ListPlan {
  readonly table: ResolvedTable
  readonly shape: ListShape
  readonly values: ReadonlyMap<string, BoundValue>
}

/** The plan of one page, one row longer than the page, which tells whether more rows follow. */
export function planList(table: ResolvedTable, workspaceId: string, query: ListQuery): ListPlan {
  const { filters, crawl } = query
  const statuses = filters.status === undefined ? [] : listStoredStatuses(table.status, filters.status)
  const values = new Map<string, BoundValue>()
  let impossible = filters.status !== undefined && statuses.length === 0
  const bind = (slot: string, value: BoundValue | undefined): void => {
    if (value === undefined) impossible = true
    else values.set(slot, value)
  }
  bind('workspace', bindIdentifier(table.workspace, workspaceId))
  if (filters.eventId !== undefined)
    bind('event', bindIdentifier(toEventColumn(table.eventId), filters.eventId))
  for (const [at, status] of statuses.entries()) bind(`status${at}`, bindIdentifier(table.status, status))
  if (crawl === undefined) bindSince(bind, table.updatedAt, filters.updatedSince)
  else bindPosition(bind, table, crawl.position)
  bind('limit', String(query.limit + 1))
  return {
    table,
    values,
    shape: {
      since: values.has('since'),
      event: filters.eventId !== undefined,
      statuses: statuses.length,
      position: crawl === undefined ? 'start' : crawl.position.updatedAt === null ? 'null' : 'time',
      clock: crawl === undefined,
      impossible,
    },
  }
}

/** Sets the value of a slot; undefined is a value that the column cannot hold. */
type Bind = (slot: string, value: BoundValue | undefined) => void

/** The stored form of a caller's text, or undefined where the column cannot hold it. */
export function bindIdentifier(
  { column, identifier }: IdentifierColumn,
  text: string,
): BoundValue | undefined {
  // A CHAR is read without spaces at its end, but a comparison ignores them.
  if (text.endsWith(' ') && /^char\b/i.test(column.type)) return undefined
  return toStoredIdentifier(text, identifier)
}

function toEventColumn(eventId: IdentifierColumn | EventLink): IdentifierColumn {
  return 'event' in eventId ? eventId.event : eventId
}

/** A public status in the stored values that it is shown for. */
function listStoredStatuses({ values }: StatusColumn, status: string): readonly string[] {
  if (values === undefined) return [status]
  return [...values].flatMap(([stored, shown]) => (shown === status ? [stored] : []))
}

function bindSince(bind: Bind, { column, offsetMinutes }: TimeColumn, since: Instant | undefined): void {
  if (since !== undefined) bind('since', toDatabaseTime(since, offsetMinutes, column.fractionDigits))
}

/** Behind a position `since` is not needed: every later row is past it too. */
function bindPosition(bind: Bind, table: ResolvedTable, { updatedAt, id }: Position): void {
  if (updatedAt !== null) bind('positionTime', updatedAt)
  bind('positionId', bindIdentifier(table.id, id))
}

/**
 * The index whose entries stand in the list's own order once its conditions are met, so that a page reads no
 * more entries than it shows: columns that the list compares with one value, then `updatedAt`, then `id`.
 *
 * @returns undefined where there is none, as under a view; the optimizer then chooses.
 */
export function chooseIndex(
  table: ResolvedTable,
  shape: Pick<ListShape, 'event' | 'statuses'>,
): Index | undefined {
  const fixed = listFixedColumns(table, shape)
  const workspace = table.workspace.column.name.toLowerCase()
  const order = [table.updatedAt.column, table.id.column].map((column) => column.name.toLowerCase())
  const serving = table.indexes.flatMap((index) => {
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
  table: ResolvedTable,
  shape: Pick<ListShape, 'event' | 'statuses'>,
): ReadonlySet<string> {
  const archived = table.archived.flatMap(({ column, equals }) => (equals === undefined ? [column] : []))
  const columns = [
    table.workspace.column,
    ...archived,
    ...(shape.event && 'column' in table.eventId ? [table.eventId.column] : []),
    ...(shape.statuses === 1 ? [table.status.column] : []),
  ]
  return new Set(columns.map((column) => column.name.toLowerCase()))
}
