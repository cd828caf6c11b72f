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
import type { ListQuery, Position } from './conditions.js'

/** What decides a list statement's text; its values are bound apart. */
export interface ListShape {
  readonly since: boolean
  readonly event: boolean
  /** How many stored values the wanted status has; 0 where none is wanted. */
  readonly statuses: number
  /** Where the page begins: at the start, behind a time, or behind a row without one. */
  readonly position: 'start' | 'time' | 'null'
  /** Whether rows bring the database's clock along, which a crawl's first page needs. */
  readonly clock: boolean
  /** Whether some value cannot stand in its column, so that no row can match. */
  readonly impossible: boolean
}

/** A list as data, from which `renderList` makes its statement. */
export interface ListPlan {
  readonly table: ResolvedTable
  readonly shape: ListShape
  readonly values: ReadonlyMap<string, BoundValue>
}

/** The plan of one page, one row longer than the page so that it is known whether more follow. */
export function planList(source: ResolvedTable, workspaceId: string, query: ListQuery): ListPlan {
  const { filters, crawl } = query
  const statuses = filters.status === undefined ? [] : listStoredStatuses(source.status, filters.status)
  const values = new Map<string, BoundValue>()
  let impossible = filters.status !== undefined && statuses.length === 0
  const bind = (slot: string, value: BoundValue | undefined): void => {
    if (value === undefined) impossible = true
    else values.set(slot, value)
  }
  bind('workspace', bindIdentifier(source.workspace, workspaceId))
  if (filters.eventId !== undefined)
    bind('event', bindIdentifier(toEventColumn(source.eventId), filters.eventId))
  for (const [at, status] of statuses.entries()) bind(`status${at}`, bindIdentifier(source.status, status))
  if (crawl === undefined) bindSince(bind, source.updatedAt, filters.updatedSince)
  else bindPosition(bind, source, crawl.position)
  bind('limit', String(query.limit + 1))
  return {
    table: source,
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

/** Binds a value to its slot; undefined is a value that its column cannot hold. */
type Bind = (slot: string, value: BoundValue | undefined) => void

/** The stored form of a caller's text, or undefined where the column cannot hold it. */
export function bindIdentifier(
  { column, identifier }: IdentifierColumn,
  text: string,
): BoundValue | undefined {
  // A CHAR never reads back with a blank at its end, but compares as if it had any number of them.
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

/** Behind a position the start of the crawl says nothing more: every later row is past it too. */
function bindPosition(bind: Bind, source: ResolvedTable, { updatedAt, id }: Position): void {
  if (updatedAt !== null) bind('positionTime', updatedAt)
  bind('positionId', bindIdentifier(source.id, id))
}
