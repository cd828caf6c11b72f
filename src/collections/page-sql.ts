import { proofNames, selectBeats } from '../database/heartbeat.js'
import type { Column } from '../database/column.js'
import { all, clock, Hole, join, prepare, quote, quoteColumn, sql, toOperand } from '../database/sql.js'
import type { Given, Prepared, Sql } from '../database/sql.js'
import { chooseIndex } from './choose-index.js'
import { hasStatus, isEventInWorkspace, isOfEvent } from './filters.js'
import type { ListQuery } from './list-query.js'
import { fromParents, isOfParent } from './parents.js'
import type { Parents } from './parents.js'
import { listTimeRanges } from './resolved-table.js'
import type { ResolvedTable, TimeRange } from './resolved-table.js'
import { isNull, zeroOf } from './row-test.js'
import {
  from,
  isBehindId,
  listVisible,
  orderBy,
  prepareRows,
  selectFromPage,
  selectOwn,
  timeName,
} from './rows.js'

/** A page that is asked for. */
export interface PageRequest {
  readonly table: ResolvedTable
  readonly workspaceId: string
  readonly query: ListQuery
  readonly parents?: Parents
}

/**
 * A page, one row longer than it, which tells whether more rows follow. With a heartbeat each row has it, else each row of the
 * first page of a crawl the clock of the database.
 */
export function preparePage(request: PageRequest, given: Given): Prepared {
  const { table, query } = request
  const { heartbeat, updatedAt, id } = table
  const clocks = query.crawl === undefined ? [sql`${clock} as ${quote(proofNames.clock)}`] : []
  const proof = heartbeat === undefined ? clocks : [selectBeats(heartbeat)]
  const parts = listParts(request, given)
  const [first, ...others] = parts
  if (first !== undefined && others.length === 0) return prepareRows(table, given, first, proof)
  const time = quote(updatedAt.untilChanged === undefined ? updatedAt.column.name : timeName)
  const rows = join(
    parts.map((part) => sql`(${selectOwn(table, part)})`),
    ' union all ',
  )
  const page = sql`(${rows} ${orderBy(time, id, quote(id.column.name))} limit ${new Hole('limit')})`
  return prepare(selectFromPage(table, page, proof))
}

/** The heartbeat, in a snapshot in which the page is empty; no row where it is not any more. */
export function prepareEmpty(request: PageRequest, given: Given): Prepared {
  const { heartbeat } = request.table
  if (heartbeat === undefined) throw new Error('The mapping has no heartbeat')
  const conditions = listParts(request, given).map((part) => sql`not exists (select 1 from ${part})`)
  return prepare(sql`select ${selectBeats(heartbeat)} from dual where ${all(conditions)}`)
}

/**
 * What a page is merged of: each range of times, and in it each access path, read by its own index. Rows in the order of lists,
 * up to the limit.
 */
function listParts({ table, query, parents }: PageRequest, given: Given): readonly Sql[] {
  const { name, id, updatedAt, lookedUp } = table
  const ofEvent =
    parents === undefined ? [isOfEvent(table), ...isEventInWorkspace(table)] : [isOfEvent(table)]
  const conditions = [
    ...listVisible(table),
    ...(given.has('event') ? ofEvent : []),
    ...(given.has('status') ? [hasStatus(table, given)] : []),
  ]
  return listTimeRanges(updatedAt).flatMap((range, at) => {
    const { column } = range
    const since = `since${at}`
    const ofRange = all([
      ...listRange(table, range),
      ...conditions,
      ...(given.has(since) ? [sql`${quote(column.name)} >= ${toOperand(column, new Hole(since))}`] : []),
      ...(query.crawl === undefined ? [] : [isBehind(table, column, given)]),
    ])
    const order = orderBy(quoteColumn(name, column), id, quoteColumn(name, id.column))
    const read = (source: Sql): Sql => sql`${source}${ofRange} ${order} limit ${new Hole('limit')}`
    const indexed = sql`${from(table, chooseIndex(table, query.filters, range))} where `
    if (lookedUp === undefined || parents === undefined) return [read(indexed)]
    const holes = parents.map((_, place) => new Hole(`parent${place}`))
    const own = holes.map((hole) => read(sql`${indexed}${isOfParent(lookedUp, hole)} and `))
    return [read(sql`${fromParents(table, lookedUp, holes)} where `), ...own]
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

/**
 * Rows behind the last row of the page before. Written out, because `(a, b) > (?, ?)` reads an index from its first
 * entry. MySQL manual, "Row Constructor Expression Optimization".
 */
function isBehind({ id }: ResolvedTable, column: Column, given: Given): Sql {
  const [time, name] = [quote(column.name), quote(id.column.name)]
  // Both servers sort NULL before every value.
  const behindId = given.has('id') ? isBehindId(id, name, new Hole('id')) : sql`${name} is not null`
  if (!given.has('time')) return sql`((${time} is null and ${behindId}) or ${time} is not null)`
  const last = toOperand(column, new Hole('time'))
  return sql`(${time} >= ${last} and (${time} > ${last} or ${behindId}))`
}
