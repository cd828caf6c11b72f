import type { BoundValue } from '../database/statement.js'
import type {
  EventLink,
  IdentifierColumn,
  ResolvedTable,
  StatusCases,
  StatusColumn,
  TimeColumn,
} from '../resources/resolved-table.js'
import { toEpoch } from '../values/epoch.js'
import { toStoredIdentifier } from '../values/identifier.js'
import { toDatabaseTime } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import type { Position } from './cursor.js'
import { createInvalidCursor } from './list-query.js'
import type { ListQuery } from './list-query.js'

/** What a list needs to know of other tables before it reads its own; without lookups there is nothing. */
export interface References {
  /** Where the workspace is found by a lookup: the values of its first column, or `many` beyond `parentsMax`. */
  readonly parents?: readonly BoundValue[] | 'many'
  /** Where a status is found by a lookup and filtered: the keys of its rows with this status, or `many` rows. */
  readonly statusKeys?: readonly BoundValue[] | 'many'
}

/**
 * How a status is filtered. `equal`: the column has one of some values; `other`: it has none of them; `case`: the case of
 * this public word holds; `key`: the column that refers to the lookup has one of some values; `row`: the lookup is read
 * for each row, and its column has one of the values, or none of them.
 */
export type StatusFilter =
  | { readonly form: 'equal' | 'other' | 'key'; readonly count: number }
  | { readonly form: 'case'; readonly word: string }
  | { readonly form: 'row'; readonly count: number; readonly isOther: boolean }

/** What the text of a list statement depends on; its values are bound separately. */
export interface ListShape {
  readonly since: boolean
  readonly event: boolean
  readonly status: StatusFilter | undefined
  /** Where the page begins: at the start, behind a time, or behind a row without a time. */
  readonly position: 'start' | 'time' | 'null'
  /** Whether each row has the database's clock, which a crawl's first page needs. */
  readonly clock: boolean
  /** Whether a column cannot hold some value, so that no row can match. */
  readonly impossible: boolean
  /**
   * Where the workspace is found by a lookup: how many parent rows the statement is built for, or `many` where there are
   * too many to name them.
   */
  readonly parents: number | 'many' | undefined
}

/** A list as data, from which `renderList` makes its statement. */
export interface ListPlan {
  readonly table: ResolvedTable
  readonly shape: ListShape
  readonly values: ReadonlyMap<string, BoundValue>
}

/**
 * The plan of one page, one row longer than the page, which tells whether more rows follow.
 *
 * @param references what `readReferences` read for the same query.
 */
export function planList(
  table: ResolvedTable,
  workspaceId: string,
  query: ListQuery,
  references: References = {},
): ListPlan {
  const { filters, crawl } = query
  const values = new Map<string, BoundValue>()
  const unbound: string[] = []
  const bind = (slot: string, value: BoundValue | undefined): void => {
    if (value === undefined) unbound.push(slot)
    else values.set(slot, value)
  }
  bind('workspace', bindWorkspace(table, workspaceId))
  const parents = bindParents(bind, references)
  if (filters.eventId !== undefined) bind('event', bindEvent(table.eventId, filters.eventId))
  const status = bindStatus(bind, table, filters.status, references)
  if (crawl === undefined) bindSince(bind, table.updatedAt, filters.updatedSince)
  else bindPosition(bind, table, crawl.position)
  bind('limit', String(query.limit + 1))
  return {
    table,
    values,
    shape: {
      since: values.has('since'),
      event: filters.eventId !== undefined,
      status,
      position: toPositionShape(crawl?.position),
      clock: crawl === undefined,
      impossible: unbound.length > 0 || parents === 0,
      parents,
    },
  }
}

function toPositionShape(position: Position | undefined): ListShape['position'] {
  if (position === undefined) return 'start'
  return position.updatedAt === null ? 'null' : 'time'
}

/** Sets the value of a slot; undefined is a value that the column cannot hold. */
type Bind = (slot: string, value: BoundValue | undefined) => void

/** The stored form of a workspace, or undefined where the column cannot hold it. */
export function bindWorkspace({ workspace }: ResolvedTable, workspaceId: string): BoundValue | undefined {
  return 'constant' in workspace ? workspaceId : bindIdentifier(workspace, workspaceId)
}

/** The stored form of a caller's text, or undefined where the column cannot hold it. */
export function bindIdentifier(
  { column, identifier }: IdentifierColumn,
  text: string,
): BoundValue | undefined {
  // A CHAR is read without spaces at its end, but a comparison ignores them.
  if (text.endsWith(' ') && /^char\b/i.test(column.type)) return undefined
  return toStoredIdentifier(text, identifier)
}

/** The stored form of an event, or undefined where no record can have it. */
export function bindEvent(eventId: ResolvedTable['eventId'], text: string): BoundValue | undefined {
  return eventId === undefined ? undefined : bindIdentifier(toEventColumn(eventId), text)
}

/** The column that the filter `eventId` compares. */
export function toEventColumn(eventId: IdentifierColumn | EventLink): IdentifierColumn {
  return 'event' in eventId ? eventId.event : eventId
}

/** So that there are few texts for each table; the last number is the most parent rows that a statement names. */
const parentCounts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500]

function bindParents(bind: Bind, { parents }: References): ListShape['parents'] {
  if (parents === undefined || parents === 'many' || parents.length === 0)
    return parents === undefined || parents === 'many' ? parents : 0
  const count = parentCounts.find((one) => one >= parents.length) ?? parents.length
  // NULL equals no parent.
  for (let at = 0; at < count; at += 1) bind(`parent${at}`, parents[at] ?? null)
  return count
}

function bindStatus(
  bind: Bind,
  { status }: ResolvedTable,
  word: string | undefined,
  references: References,
): StatusFilter | undefined {
  if (word === undefined) return undefined
  const { filter, values, isImpossible } = planStatus(status, word, references)
  for (const [at, value] of values.entries()) bind(`status${at}`, value)
  if (isImpossible) bind('status0', undefined)
  return filter
}

interface PlannedStatus {
  readonly filter: StatusFilter
  readonly values: readonly BoundValue[]
  /** Whether no stored value is shown as this word. */
  readonly isImpossible: boolean
}

/** A public status in the values that are stored for it. */
function planStatus(
  status: StatusColumn | StatusCases,
  word: string,
  { statusKeys }: References,
): PlannedStatus {
  if ('cases' in status) {
    // A cursor can hold a status of an earlier mapping.
    const isImpossible = ![...status.cases.map(({ then }) => then), status.otherwise].includes(word)
    return { filter: { form: 'case', word }, values: [], isImpossible }
  }
  if (statusKeys !== undefined && statusKeys !== 'many') {
    const values = repeatLast(statusKeys)
    return { filter: { form: 'key', count: values.length }, values, isImpossible: values.length === 0 }
  }
  const { stored, isOther } = listStoredStatuses(status, word)
  const values = stored.map((one) => bindIdentifier(status, one)).filter((value) => value !== undefined)
  const count = values.length
  const isImpossible = count === 0 && !isOther
  if (status.lookup !== undefined) return { filter: { form: 'row', count, isOther }, values, isImpossible }
  return { filter: { form: isOther ? 'other' : 'equal', count }, values, isImpossible }
}

/** Up to a power of two, so that there are few texts for each table. */
function repeatLast(values: readonly BoundValue[]): readonly BoundValue[] {
  const last = values.at(-1)
  if (last === undefined) return []
  const count = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array.from({ length: count - values.length }, () => last)]
}

/** The stored values that are shown as a word, or all those that are not, where every other value is shown so. */
function listStoredStatuses(
  { values, otherwise }: StatusColumn,
  word: string,
): { readonly stored: readonly string[]; readonly isOther: boolean } {
  if (values === undefined) return { stored: [word], isOther: false }
  const isOther = word === otherwise
  return {
    stored: [...values].flatMap(([stored, shown]) => ((shown === word) === isOther ? [] : [stored])),
    isOther,
  }
}

function bindSince(bind: Bind, column: TimeColumn, since: Instant | undefined): void {
  if (since !== undefined) bind('since', toStoredTime(column, since))
}

/** The stored form of an instant, so that `>=` holds for exactly the times at or after it. */
export function toStoredTime(
  { column, offsetMinutes, epoch }: TimeColumn,
  instant: Instant,
): string | undefined {
  if (epoch !== undefined) return column.unsigned && instant.seconds < 0 ? '0' : toEpoch(instant, epoch)
  return toDatabaseTime(instant, offsetMinutes, column.fractionDigits)
}

/** Behind a position `since` is not needed: every later row is past it too. */
function bindPosition(bind: Bind, table: ResolvedTable, { updatedAt, id }: Position): void {
  // The column may have changed from a time to an integer, or back, since the cursor was made.
  if (updatedAt !== null && /^-?\d+$/.test(updatedAt) !== (table.updatedAt.epoch !== undefined))
    throw createInvalidCursor()
  if (updatedAt !== null) bind('positionTime', updatedAt)
  bind('positionId', bindIdentifier(table.id, id))
}
