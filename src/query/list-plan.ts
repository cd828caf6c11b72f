import type { BoundValue } from '../database/statement.js'
import type { ResolvedTable, StatusCases, StatusColumn, TimeColumn } from '../resources/resolved-table.js'
import { listPublicStatuses, listStoredStatuses } from '../resources/status-words.js'
import { toEpoch } from '../values/epoch.js'
import { toDatabaseTime } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { bindEvent, bindIdentifier, bindWorkspace } from './bound-values.js'
import type { Position } from './cursor.js'
import { createInvalidCursor } from './list-query.js'
import type { ListQuery } from './list-query.js'

/**
 * How the rows of a page are found: `direct` by their own columns, `rows` through all rows of the workspace, or through
 * the pages of each of some parent rows.
 */
export type ReadingWay = 'direct' | 'rows' | readonly BoundValue[]

/**
 * How a status is filtered. `equal`: the column has one of some values; `other`: it has none of them; `case`: the case of
 * this public word holds.
 */
export type StatusFilter =
  | { readonly form: 'equal' | 'other'; readonly count: number }
  | { readonly form: 'case'; readonly word: string }

/** What the text of a list statement depends on; its values are bound separately. */
export interface ListShape {
  readonly since: boolean
  readonly event: boolean
  readonly status: StatusFilter | undefined
  /** What the row has behind which the page begins; undefined at the start of the list. */
  readonly position: { readonly hasTime: boolean; readonly hasId: boolean } | undefined
  /** Whether each row has the database's clock, which a crawl's first page needs. */
  readonly clock: boolean
  /** Whether a column cannot hold some value, so that no row can match. */
  readonly impossible: boolean
  /** How the rows are found, with the number of parent rows that the statement names. */
  readonly way: 'direct' | 'rows' | number
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
 * @param way what `chooseWay` chose for the same query.
 * @throws Problem `invalid_cursor` for a position that the table cannot have.
 */
export function planList(
  table: ResolvedTable,
  workspaceId: string,
  query: ListQuery,
  way: ReadingWay = 'direct',
): ListPlan {
  const { filters, crawl } = query
  const values = new Map<string, BoundValue>()
  const unbound: string[] = []
  const bind = (slot: string, value: BoundValue | undefined): void => {
    if (value === undefined) unbound.push(slot)
    else values.set(slot, value)
  }
  bind('workspace', bindWorkspace(table, workspaceId))
  const count = bindParents(bind, way)
  if (filters.eventId !== undefined) bind('event', bindEvent(table.eventId, filters.eventId))
  const status = bindStatus(bind, table, filters.status)
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
      position: crawl && {
        hasTime: crawl.position.updatedAt !== null,
        hasId: crawl.position.id !== null,
      },
      clock: crawl === undefined,
      impossible: unbound.length > 0 || count === 0,
      way: count,
    },
  }
}

/** Sets the value of a slot; undefined is a value that the column cannot hold. */
type Bind = (slot: string, value: BoundValue | undefined) => void

function bindParents(bind: Bind, way: ReadingWay): ListShape['way'] {
  if (way === 'direct' || way === 'rows') return way
  const count = roundUp(way.length)
  // NULL equals no parent.
  for (let at = 0; at < count; at += 1) bind(`parent${at}`, way[at] ?? null)
  return count
}

/** The numbers of parent rows that a statement is built for, so that there are few texts for each table. */
const parentCounts = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]

function roundUp(count: number): number {
  return parentCounts.find((one) => one >= count) ?? count
}

function bindStatus(
  bind: Bind,
  { status }: ResolvedTable,
  word: string | undefined,
): StatusFilter | undefined {
  if (word === undefined) return undefined
  const { filter, values, isImpossible } = planStatus(status, word)
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
function planStatus(status: StatusColumn | StatusCases, word: string): PlannedStatus {
  if ('cases' in status) {
    // A cursor can hold a status of an earlier mapping.
    const isImpossible = listPublicStatuses(status)?.includes(word) === false
    return { filter: { form: 'case', word }, values: [], isImpossible }
  }
  const { stored, isOther } = listStoredStatuses(status, word)
  const values = stored.map((one) => bindIdentifier(status, one)).filter((value) => value !== undefined)
  const isImpossible = values.length === 0 && !isOther
  return { filter: { form: isOther ? 'other' : 'equal', count: values.length }, values, isImpossible }
}

function bindSince(bind: Bind, column: TimeColumn, since: Instant | undefined): void {
  if (since !== undefined) bind('since', toStoredTime(column, since))
}

/** The stored form of an instant, so that `>=` holds for exactly the times at or after it. */
export function toStoredTime({ column, zone, epoch }: TimeColumn, instant: Instant): string | undefined {
  if (epoch !== undefined) return column.unsigned && instant.seconds < 0 ? '0' : toEpoch(instant, epoch)
  return toDatabaseTime(instant, zone, column.fractionDigits)
}

/** Behind a position `since` is not needed: every later row is past it too. */
function bindPosition(bind: Bind, table: ResolvedTable, { updatedAt, id }: Position): void {
  // The column may have changed from a time to an integer, or back, since the cursor was made.
  if (updatedAt !== null && /^-?\d+$/.test(updatedAt) !== (table.updatedAt.epoch !== undefined))
    throw createInvalidCursor()
  if (updatedAt !== null) bind('positionTime', updatedAt)
  if (id === null) return
  const stored = bindIdentifier(table.id, id)
  if (stored === undefined) throw createInvalidCursor()
  bind('positionId', stored)
}
