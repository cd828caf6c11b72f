import type { Knex } from 'knex'
import {
  bindTemplate,
  builder,
  columnsEqualExactly,
  equalsExactly,
  placeholder,
  quoteColumn,
  quoteName,
  raw,
  slot,
} from '../database/fragments-sql.js'
import type { Template } from '../database/fragments-sql.js'
import type { Statement } from '../database/statement.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import { chooseIndex } from './list-plan.js'
import type { ListPlan, ListShape } from './list-plan.js'
import {
  applyVisibility,
  compileWithIndex,
  createTemplateCache,
  listProjection,
  quoteOrder,
} from './table-sql.js'

/** As text, like every time, because the server writes it faster than the driver does. */
const clock = 'cast(utc_timestamp(6) as char) as `startedAt`'

/** The database's clock, read before a list that may be empty. */
export const clockStatement: Statement = { sql: `select ${clock}`, values: [] }

const findTemplate = createTemplateCache()

/** The statement of a page. Its text is built once for each table and shape. */
export function renderList({ table, shape, values }: ListPlan): Statement {
  const template = findTemplate(table, JSON.stringify(shape), () => compileList(table, shape))
  return bindTemplate(template, values)
}

function compileList(table: ResolvedTable, shape: ListShape): Template {
  if (shape.impossible)
    return compileWithIndex(table, undefined, (from) => select(table, shape, from).whereRaw('1 = 0'))
  const build = (from: Knex.Raw): Knex.QueryBuilder => buildList(table, shape, from)
  return compileWithIndex(table, chooseIndex(table, shape), build, 'limit')
}

function select(table: ResolvedTable, shape: ListShape, from: Knex.Raw): Knex.QueryBuilder {
  return builder.select([...listProjection(table), ...(shape.clock ? [raw(clock)] : [])]).from(from)
}

function buildList(table: ResolvedTable, shape: ListShape, from: Knex.Raw): Knex.QueryBuilder {
  const [updatedAt, id] = [table.updatedAt.column, table.id.column]
  const query = select(table, shape, from)
  applyVisibility(query, table)
  if (shape.event) query.where(renderEvent(table))
  if (shape.statuses > 0) query.where(renderStatus(table, shape.statuses))
  if (shape.since) query.where(quoteName(updatedAt.name), '>=', placeholder(updatedAt, slot('since')))
  if (shape.position !== 'start') query.where(renderPosition(table, shape.position))
  return query.orderBy([
    { column: quoteOrder(table, updatedAt), order: 'asc' },
    { column: quoteOrder(table, id), order: 'asc' },
  ])
}

function renderEvent({ name, id, eventId }: ResolvedTable): Knex.Raw {
  if ('column' in eventId) return equalsExactly(eventId.column, quoteName(eventId.column.name), slot('event'))
  const { table, invoice, event } = eventId
  // A scalar subquery, because both servers turn EXISTS into a join that begins at the link table, and then sort.
  return raw(
    '(select 1 from ? as `link` where ? and ? limit 1) = 1',
    quoteName(table),
    columnsEqualExactly(
      [invoice.column, quoteColumn('link', invoice.column)],
      [id.column, quoteColumn(name, id.column)],
    ),
    equalsExactly(event.column, quoteColumn('link', event.column), slot('event')),
  )
}

function renderStatus({ status: { column } }: ResolvedTable, count: number): Knex.Raw {
  const tests = Array.from({ length: count }, (_, at) =>
    equalsExactly(column, quoteName(column.name), slot(`status${at}`)),
  )
  return raw(`(${tests.map(() => '?').join(' or ')})`, ...tests)
}

/**
 * Rows behind the last row of the page before. Written out, because `(a, b) > (?, ?)` reads an index from its first
 * entry. MySQL manual, "Row Constructor Expression Optimization".
 */
function renderPosition({ updatedAt, id }: ResolvedTable, position: 'time' | 'null'): Knex.Raw {
  const time = quoteName(updatedAt.column.name)
  const behindId = raw('? > ?', quoteName(id.column.name), placeholder(id.column, slot('positionId')))
  // Both servers sort NULL before every time.
  if (position === 'null') return raw('((? is null and ?) or ? is not null)', time, behindId, time)
  const last = placeholder(updatedAt.column, slot('positionTime'))
  return raw('(? >= ? and (? > ? or ?))', time, last, time, last, behindId)
}
