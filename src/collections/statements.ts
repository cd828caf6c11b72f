import { LRUCache } from 'lru-cache'
import { all, bind, equals, Hole, join, quote, sql, toOperand } from '../database/sql.js'
import type { HoleValues, Prepared } from '../database/sql.js'
import type { BoundValue, Row, Statement } from '../database/statement.js'
import { chooseIdIndex } from './choose-index.js'
import type { Position } from './cursor.js'
import { bindWorkspace, listVisible } from './workspace.js'
import { createInvalidCursor, requireSameOrder } from './cursor.js'
import { prepareEmpty, preparePage } from './page-sql.js'
import type { PageRequest } from './page-sql.js'
import { from } from './resolved-table.js'
import type { ResolvedTable } from './resolved-table.js'
import { prepareRows, show } from './selection.js'
import { bindEvent } from './event-filter.js'
import { bindIdentifier } from './identifier-fields.js'
import { bindSince } from './time-fields.js'
import { bindStatus } from './status-field.js'
import type { Wanted } from './field.js'

/*
 * The statements of requests. The text depends on the form of a request alone, which is the names of the values that it
 * compares with, so each is built once; a request binds its values.
 */

/** The most statements that are kept for a table. A list has one for each combination of filters and status. */
const statementsMax = 500

const built = new WeakMap<ResolvedTable, LRUCache<string, Prepared>>()

/** The statement of a form of request, built at the first request of it. */
function findPrepared(table: ResolvedTable, form: string, prepare: () => Prepared): Prepared {
  const known = built.get(table)
  const found = known?.get(form)
  if (found !== undefined) return found
  const prepared = prepare()
  built.set(table, (known ?? new LRUCache({ max: statementsMax })).set(form, prepared))
  return prepared
}

/**
 * A statement with what makes the result of its rows. By name, because a copy of another object gets a shape of its own in each
 * request, and V8 then looks each member up.
 */
export function withResult<Result, Input>(
  { sql: text, values, secondForm, columns }: Statement,
  toResult: (rows: readonly Row[], input: Input) => Result,
  input: Input,
): Statement<Result> {
  return { sql: text, values, secondForm, columns, toResult, input }
}

/**
 * The statement of a page, one row longer than the page.
 *
 * @throws Problem `invalid_cursor` for a position that the table cannot have.
 */
export function renderPage(request: PageRequest): Statement {
  return render('page', request, preparePage)
}

/** The heartbeat of a page without rows, in a snapshot in which it has none; no row where it is not empty any more. */
export function renderEmptyPage(request: PageRequest): Statement {
  return render('empty', request, prepareEmpty)
}

function render(what: string, request: PageRequest, prepare: typeof preparePage): Statement {
  const { table, query, path } = request
  const values = toGiven(request)
  const form = `${what} ${path?.kind ?? 'own'} ${query.crawl === undefined ? '' : 'behind'} ${[...values.keys()].join()}`
  const prepared = findPrepared(table, form, () => prepare(request, values))
  return bind(prepared, values)
}

/** What a page compares with, as it is stored. What a column cannot hold is NULL and in no row: then none is read. */
function toGiven({ table, workspaceId, query }: PageRequest): HoleValues {
  const { limit, filters, crawl } = query
  const { eventId, status, updatedSince } = filters
  const wanted: Wanted[] = [[['workspace', bindWorkspace(table, workspaceId)]]]
  if (eventId !== undefined) wanted.push(bindEvent(table.eventId, eventId))
  if (status !== undefined) wanted.push(bindStatus(table.status, status))
  // Behind a position, every row is past updatedSince.
  if (crawl !== undefined) wanted.push(bindPosition(table, crawl.position))
  else if (updatedSince !== undefined) wanted.push(bindSince(table.updatedAt, updatedSince))
  const values = new Map<string, BoundValue>()
  let rows = limit + 1
  for (const [name, value] of wanted.flat()) {
    values.set(name, value ?? null)
    if (value === undefined) rows = 0
  }
  return values.set('limit', String(rows))
}

/** @throws Problem `invalid_cursor` */
function bindPosition(table: ResolvedTable, position: Position): Wanted {
  requireSameOrder(table, position)
  const { updatedAt, id: text } = position
  const id = text === null ? null : bindIdentifier(table.id, text)
  if (id === undefined) throw createInvalidCursor()
  return [['time', updatedAt] as const, ['id', id] as const].filter(([, value]) => value !== null)
}

/** Ids up to a power of two, so that there are few texts for each table. NULL equals none. */
function pad(ids: readonly BoundValue[]): readonly BoundValue[] {
  const size = 2 ** Math.ceil(Math.log2(ids.length))
  return [...ids, ...Array<null>(size - ids.length).fill(null)]
}

/**
 * The statement of records of one workspace by their ids. Of one record, a second row tells that the id, or the key of a lookup,
 * is not unique. Of several, a collation can find rows beside those that are asked for: the reader of the rows looks for each id
 * as it is shown. What no row can have is NULL, and still asked for: the definitions of the result say whether it is so.
 */
export function renderRecords(table: ResolvedTable, workspaceId: string, ids: readonly string[]): Statement {
  const { column } = table.id
  const stored = pad(ids.map((id) => bindIdentifier(table.id, id) ?? null))
  const values = new Map([['workspace', bindWorkspace(table, workspaceId) ?? null]])
  for (const [at, id] of stored.entries()) values.set(`id${at}`, id)
  const form = stored.length === 1 ? 'record' : `records ${stored.length}`
  const prepared = findPrepared(table, form, () => {
    const cell = quote(column.name)
    const visible = all(listVisible(table))
    const single = sql`${from(table)} where ${equals(column, cell, new Hole('id0'))} and ${visible} limit ${'2'}`
    const holes = stored.map((_, at) => toOperand(column, new Hole(`id${at}`)))
    // With many ids the optimizer could read the whole workspace.
    const several = sql`${from(table, chooseIdIndex(table))} where ${cell} in (${join(holes, ', ')}) and ${visible}`
    return prepareRows(show(table), stored.length === 1 ? single : several)
  })
  return bind(prepared, values)
}
