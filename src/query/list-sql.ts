import type { Knex } from 'knex'
import {
  builder,
  columnsEqualExactly,
  equalsExactly,
  placeholder,
  quoteColumn,
  quoteName,
  raw,
  slot,
  toTemplate,
  bindTemplate,
} from '../database/fragments-sql.js'
import type { Statement } from '../database/statement.js'
import type { Template } from '../database/fragments-sql.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import { chooseIndex } from './choose-index.js'
import type { ListPlan, ListShape } from './list-plan.js'
import { applyVisibility, listProjection, quoteOrder } from './visible-sql.js'

/** As text, like all times, which the server writes for less than the driver would. */
const clock = 'cast(utc_timestamp(6) as char) as `startedAt`'

/** The database's clock, read before a list that may turn out to be empty. */
export const clockStatement: Statement = { sql: `select ${clock}`, values: [] }

const compiled = new WeakMap<ResolvedTable, Map<string, Template>>()

/** The statement of a page: built once for each shape of a source, then only bound. */
export function renderList({ table: source, shape, values }: ListPlan): Statement {
  const templates = compiled.get(source) ?? new Map<string, Template>()
  compiled.set(source, templates)
  const key = JSON.stringify(shape)
  const template = templates.get(key) ?? compileList(source, shape)
  templates.set(key, template)
  return bindTemplate(template, values)
}

function compileList(source: ResolvedTable, shape: ListShape): Template {
  const index = chooseIndex(source, shape)
  const compile = (table: Knex.Raw): Template =>
    toTemplate(buildList(source, shape, table), shape.impossible ? undefined : 'limit')
  const plain = compile(quoteName(source.name))
  if (index === undefined || shape.impossible) return plain
  const hinted = raw('? force index (?)', quoteName(source.name), quoteName(index.name))
  return { ...compile(hinted), withoutIndexHint: plain.sql }
}

function buildList(source: ResolvedTable, shape: ListShape, table: Knex.Raw): Knex.QueryBuilder {
  const order = [source.updatedAt.column, source.id.column].map((column) => quoteOrder(source, column))
  const query = builder.select([...listProjection(source), ...(shape.clock ? [raw(clock)] : [])]).from(table)
  if (shape.impossible) return query.whereRaw('1 = 0')
  applyVisibility(query, source)
  if (shape.event) query.where(renderEvent(source))
  if (shape.statuses > 0) query.where(renderStatus(source, shape.statuses))
  const time = quoteName(source.updatedAt.column.name)
  if (shape.since) query.where(raw('? >= ?', time, placeholder(source.updatedAt.column, slot('since'))))
  if (shape.position !== 'start') query.where(renderPosition(source, shape.position))
  return query.orderByRaw(raw('? asc, ? asc', ...order))
}

function renderEvent(source: ResolvedTable): Knex.Raw {
  const { eventId } = source
  if ('column' in eventId) return equalsExactly(eventId.column, quoteName(eventId.column.name), slot('event'))
  // A scalar subquery, since both servers turn EXISTS into a join, lead it from the link table and then sort.
  return raw(
    '(select 1 from ? as `link` where ? and ? limit 1) = 1',
    quoteName(eventId.table),
    columnsEqualExactly(
      [eventId.invoice.column, quoteColumn('link', eventId.invoice.column)],
      [source.id.column, quoteColumn(source.name, source.id.column)],
    ),
    equalsExactly(eventId.event.column, quoteColumn('link', eventId.event.column), slot('event')),
  )
}

function renderStatus({ status: { column } }: ResolvedTable, count: number): Knex.Raw {
  const tests = Array.from({ length: count }, (_, at) =>
    equalsExactly(column, quoteName(column.name), slot(`status${at}`)),
  )
  return raw(`(${tests.map(() => '?').join(' or ')})`, ...tests)
}

/**
 * Rows behind the last one shown. Written out, because `(a, b) > (?, ?)` reads an index from its first entry.
 * MySQL manual, "Row Constructor Expression Optimization".
 */
function renderPosition(source: ResolvedTable, position: 'time' | 'null'): Knex.Raw {
  const time = quoteName(source.updatedAt.column.name)
  const behindId = raw(
    '? > ?',
    quoteName(source.id.column.name),
    placeholder(source.id.column, slot('positionId')),
  )
  // NULL stands before every time, in the order of both servers.
  if (position === 'null') return raw('((? is null and ?) or ? is not null)', time, behindId, time)
  const bound = placeholder(source.updatedAt.column, slot('positionTime'))
  return raw('(? >= ? and (? > ? or ?))', time, bound, time, bound, behindId)
}
