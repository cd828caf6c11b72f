import { proofNames, selectBeats } from '../database/heartbeat.js'
import type { Heartbeat } from '../database/heartbeat.js'
import type { Column } from '../database/column.js'
import type { BoundValue, Statement } from '../database/statement.js'
import {
  bindEvent,
  bindIdentifier,
  bindStatus,
  bindWorkspace,
  hasStatus,
  isEventInWorkspace,
  isOfEvent,
} from './filters.js'
import type { Wanted } from './filters.js'
import { chooseIndex } from './choose-index.js'
import type { IndexedShape } from './choose-index.js'
import type { Position } from './cursor.js'
import { createInvalidCursor } from './list-query.js'
import type { ListQuery } from './list-query.js'
import { isNull, zeroOf } from './row-test.js'
import { findEventColumn, findOwnColumn, listTimeRanges } from './resolved-table.js'
import type { FoundColumn, ResolvedTable, TimeColumn, TimeRange } from './resolved-table.js'
import { toEpoch } from '../values/epoch.js'
import { toDatabaseTime, toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { fromParents, pad } from './parents.js'
import type { AccessPath } from './parents.js'
import {
  createStatementCache,
  from,
  listVisible,
  orderBy,
  selectFromPage,
  selectOwn,
  selectRows,
  showsTypes,
  timeName,
} from './rows.js'
import {
  all,
  bind,
  clock,
  Hole,
  join,
  prepare,
  quote,
  quoteColumn,
  sql,
  toOperand,
  toStatement,
} from '../database/sql.js'
import type { Given, Prepared, Sql } from '../database/sql.js'

/** The longest text of a statement; the server keeps memory in proportion to it. */
const textLengthMax = 65_536

const findBuilt = createStatementCache()

/** The statement of a page, and what proves an empty one. */
export interface PagePlan {
  readonly statement: Statement
  /** For an empty result: the heartbeat, in a snapshot in which the page is empty; no row where it is not any more. */
  readonly renderEmpty: (() => Statement) | undefined
}

/**
 * The plan of a page, one row longer than it, which tells whether more rows follow. On the first page of a crawl, each row
 * has the clock of the database.
 *
 * @param path what `chooseAccessPath` chose for the same query.
 * @throws Problem `invalid_cursor` for a position that the table cannot have.
 */
export function planPage(
  table: ResolvedTable,
  workspaceId: string,
  query: ListQuery,
  path: AccessPath = 'direct',
): PagePlan {
  const parents = path === 'direct' ? path : pad(path)
  const given = toGiven(table, workspaceId, query, parents)
  const request = { table, query, given, path: parents }
  const { heartbeat } = table
  const statement = findStatement(request)
  if (statement.sql.text.length > textLengthMax && path !== 'direct')
    return planPage(table, workspaceId, query, path.slice(0, path.length >> 1))
  return {
    statement: bind(statement, given),
    renderEmpty: heartbeat && (() => toStatement(selectEmpty(request, heartbeat), given)),
  }
}

/** What a list compares with one value beside what every list does, for the index that serves it. */
export function toShape(table: ResolvedTable, workspaceId: string, query: ListQuery): IndexedShape {
  return toFixed(toGiven(table, workspaceId, query, 'direct'))
}

/** Built anew: few answers are empty. */
function selectEmpty(request: PageRequest, heartbeat: Heartbeat): Sql {
  const parts = listParts(request).map((part) => sql`not exists (select 1 from ${part.sql})`)
  return sql`select ${selectBeats(heartbeat)} from dual where ${all(parts)}`
}

/** The statement of a form of request, built at the first request of it. */
function findStatement(request: PageRequest): Prepared {
  const { table, query, given, path } = request
  const isNull = query.crawl?.position.updatedAt === null
  const key = `${path === 'direct' ? path : ''} ${isNull ? 'null' : ''} ${Object.keys(given).join()}`
  return findBuilt(table, key, () => {
    const compared = listCompared(table, query)
    return prepare(selectPage(request, compared), showsTypes(table, compared))
  })
}

/** What a request compares with, as it is stored. What a column cannot hold is NULL and in no row: then none is read. */
function toGiven(
  table: ResolvedTable,
  workspaceId: string,
  { limit, filters: { eventId, status, updatedSince }, crawl }: ListQuery,
  path: AccessPath,
): Given {
  const given = crawl === undefined ? {} : bindPosition(table, crawl.position)
  let rows = String(limit + 1)
  const add = (wanted: Wanted): void => {
    for (const [name, value] of Object.entries(wanted)) {
      given[name] = value ?? null
      if (value === undefined) rows = '0'
    }
  }
  add({ workspace: bindWorkspace(table, workspaceId) })
  if (eventId !== undefined) add(bindEvent(table, eventId))
  if (status !== undefined) add(bindStatus(table, status))
  // Behind a position it is not needed: every later row is past it too.
  if (crawl === undefined && updatedSince !== undefined) add(bindSince(table.updatedAt, updatedSince))
  if (path !== 'direct') for (const [at, parent] of path.entries()) given[`parent${at}`] = parent
  given['limit'] = rows
  return given
}

/** The stored form for each column of times: the digits of their fractions can differ. */
function bindSince(time: TimeColumn, since: Instant): Wanted {
  const ranges = listTimeRanges(time).map(
    ({ column }, at) => [`since${at}`, toStoredTime({ ...time, column }, since)] as const,
  )
  return Object.fromEntries(ranges)
}

/** @throws Problem `invalid_cursor` */
function bindPosition(table: ResolvedTable, { updatedAt, id: text }: Position): Record<string, BoundValue> {
  // The column may have changed from a time to an integer, or back, since the cursor was made.
  const isKind = updatedAt === null || /^-?\d+$/.test(updatedAt) === (table.updatedAt.epoch !== undefined)
  const id = text === null ? null : bindIdentifier(table.id, text)
  if (!isKind || id === undefined) throw createInvalidCursor()
  const position: Record<string, BoundValue> = {}
  if (updatedAt !== null) position['time'] = updatedAt
  if (id !== null) position['id'] = id
  return position
}

/** The stored form of an instant, so that `>=` holds for exactly the times at or after it; undefined after the year 9999. */
export function toStoredTime({ column, zone, epoch }: TimeColumn, instant: Instant): string | undefined {
  // No record is shown with a later time, and no cursor could hold it.
  if (instant.seconds > 0 && toInstantText(instant) === undefined) return undefined
  if (epoch !== undefined) return column.unsigned && instant.seconds < 0 ? '0' : toEpoch(instant, epoch)
  return toDatabaseTime(instant, zone, column.fractionDigits)
}

interface PageRequest {
  readonly table: ResolvedTable
  readonly query: ListQuery
  readonly given: Given
  readonly path: AccessPath
}

function selectPage(
  { table, query, given, path }: PageRequest,
  compared: readonly FoundColumn[] | null,
): Sql {
  const { heartbeat } = table
  const clocks = query.crawl === undefined ? [sql`${clock} as ${quote(proofNames.clock)}`] : []
  const also = heartbeat === undefined ? clocks : [selectBeats(heartbeat)]
  const reading = { table, also, isOrdered: true, compared }
  const parts = listParts({ table, query, given, path })
  const [first, ...others] = parts
  if (first !== undefined && others.length === 0) return selectRows(reading, first.sql)
  const union = parts.map((part) => sql`(${selectOwn(table, part.sql, part.time)})`)
  const order = orderBy(table, ({ column, untilChanged }) =>
    quote(untilChanged === undefined ? column.name : timeName),
  )
  return selectFromPage(reading, sql`(${join(union, ' union all ')} ${order} limit ${new Hole('limit')})`)
}

/** Rows in the order of lists, up to the limit, and the column that has their time. */
interface Part {
  readonly sql: Sql
  readonly time: Column
}

/** What a page is merged of: each range of times, and in it each access path, read by its own index. */
function listParts(request: PageRequest): readonly Part[] {
  const { table, given, path } = request
  const fixed = toFixed(given)
  const holes = path === 'direct' ? [] : path.map((_, at) => new Hole(`parent${at}`))
  return listTimeRanges(table.updatedAt).flatMap((range, at) => {
    const conditions = [...listRange(table, range), ...listConditions(request, range, at)]
    const order = orderBy({ ...table, updatedAt: { column: range.column, zone: undefined } }, ({ column }) =>
      quoteColumn(table.name, column),
    )
    const read = (source: Sql, more: readonly Sql[] = []): Part => ({
      sql: sql`${source} where ${all([...more, ...conditions])} ${order} limit ${new Hole('limit')}`,
      time: range.column,
    })
    const indexed = from(table, chooseIndex(table, fixed, range))
    return path === 'direct'
      ? [read(indexed)]
      : [read(fromParents(table, holes)), ...holes.map((hole) => read(indexed, [isOfParent(table, hole)]))]
  })
}

/** The condition of the rows whose time is in one of two columns; none where there is one. */
function listRange(
  { updatedAt: { column, untilChanged } }: ResolvedTable,
  { unchanged }: TimeRange,
): readonly Sql[] {
  const [cell, zero] = [quote(column.name), zeroOf(column)]
  if (untilChanged === undefined) return []
  if (unchanged === 'null') return [isNull(column, cell)]
  if (zero === undefined) return [sql`${cell} is not null`]
  return [unchanged === 'zero' ? sql`${cell} = ${zero}` : sql`${cell} > ${zero}`]
}

/** The columns that the filters and the position compare; null where they are not columns of rows alone. */
function listCompared(table: ResolvedTable, { filters, crawl }: ListQuery): readonly FoundColumn[] | null {
  const { updatedAt, eventId, status, id } = table
  const isByEvent = filters.eventId !== undefined && eventId !== undefined
  const filtered = [
    ...(isByEvent ? [findEventColumn(table)] : []),
    ...(filters.status === undefined ? [] : [status]),
  ]
  if (!filtered.every((one) => one !== undefined && 'column' in one)) return null
  const order = crawl === undefined && filters.updatedSince === undefined ? [] : [updatedAt]
  return [...order, ...(crawl === undefined ? [] : [id]), ...filtered]
}

/** What the index may fix: the event, and a status that one stored value stands for. */
function toFixed(given: Given): IndexedShape {
  return { event: 'event' in given, status: 'equal0' in given && !('equal1' in given) }
}

/** The condition that a row refers to a parent row. */
function isOfParent({ workspace }: ResolvedTable, parent: Hole): Sql {
  if ('constant' in workspace) throw new Error('A constant workspace has no parent rows')
  const on = findOwnColumn(workspace)
  return sql`${quote(on.name)} = ${toOperand(on, parent)}`
}

/** @param at the place of the range among those of the page. */
function listConditions(
  { table, query: { filters, crawl }, given, path }: PageRequest,
  { column }: TimeRange,
  at: number,
): readonly Sql[] {
  const since = `since${at}`
  return [
    ...listVisible(table),
    ...('event' in given ? [isOfEvent(table, given)] : []),
    ...('event' in given && path === 'direct' ? isEventInWorkspace(table) : []),
    ...(filters.status === undefined ? [] : [hasStatus(table, given)]),
    ...(since in given ? [sql`${quote(column.name)} >= ${toOperand(column, new Hole(since))}`] : []),
    ...(crawl === undefined ? [] : [isBehind(table, column, given)]),
  ]
}

/**
 * Rows behind the last row of the page before. Written out, because `(a, b) > (?, ?)` reads an index from its first
 * entry. MySQL manual, "Row Constructor Expression Optimization".
 */
function isBehind({ id }: ResolvedTable, column: Column, given: Given): Sql {
  const [time, name] = [quote(column.name), quote(id.column.name)]
  // Both servers sort NULL before every value.
  const behindId =
    'id' in given ? sql`${name} > ${toOperand(id.column, new Hole('id'))}` : sql`${name} is not null`
  if (!('time' in given)) return sql`((${time} is null and ${behindId}) or ${time} is not null)`
  const last = toOperand(column, new Hole('time'))
  return sql`(${time} >= ${last} and (${time} > ${last} or ${behindId}))`
}
