import type { Knex } from 'knex'
import {
  bindTemplate,
  columnsEqualExactly,
  equalsExactly,
  join,
  placeholder,
  quoteColumn,
  quoteName,
  raw,
  slot,
} from '../database/fragments-sql.js'
import type { Template } from '../database/fragments-sql.js'
import type { Statement } from '../database/statement.js'
import type {
  IdentifierColumn,
  ResolvedTable,
  StatusCases,
  StatusColumn,
} from '../resources/resolved-table.js'
import { chooseIndex } from './choose-index.js'
import type { ListPlan, ListShape, StatusFilter } from './list-plan.js'
import { renderInLookup } from './lookup-sql.js'
import { applyParents, renderParentPages } from './parents-sql.js'
import {
  applyUnarchived,
  applyVisibility,
  compileWithIndex,
  createTemplateCache,
  quoteOrder,
  renderTest,
  selectFromPage,
  selectRows,
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
  const also = shape.clock ? [raw(clock)] : []
  if (shape.impossible)
    return compileWithIndex(table, undefined, (from, isHinted) => {
      const restrict = (query: Knex.QueryBuilder): Knex.QueryBuilder => query.whereRaw('1 = 0')
      return selectRows({ table, from, restrict, also, isHinted, isOrdered: false })
    })
  const index = shape.parents === 'many' ? undefined : chooseIndex(table, shape)
  return compileWithIndex(table, index, (from, isHinted) => {
    const isOrdered = true
    if (typeof shape.parents !== 'number') {
      const restrict = (query: Knex.QueryBuilder): Knex.QueryBuilder => restrictList(query, table, shape)
      return selectRows({ table, from, restrict, also, isHinted, isOrdered })
    }
    const restrict = (query: Knex.QueryBuilder): Knex.QueryBuilder => {
      applyUnarchived(query, table)
      return applyFilters(query, table, shape)
    }
    const page = renderParentPages({ table, from, count: shape.parents, restrict })
    return selectFromPage({ table, page, also, isHinted, isOrdered })
  })
}

function restrictList(query: Knex.QueryBuilder, table: ResolvedTable, shape: ListShape): Knex.QueryBuilder {
  if (shape.parents === 'many') {
    applyParents(query, table)
    applyUnarchived(query, table)
  } else applyVisibility(query, table)
  return applyFilters(query, table, shape)
}

function applyFilters(query: Knex.QueryBuilder, table: ResolvedTable, shape: ListShape): Knex.QueryBuilder {
  const [updatedAt, id] = [table.updatedAt.column, table.id.column]
  if (shape.event) query.where(renderEvent(table))
  if (shape.status !== undefined) query.where(renderStatus(table, shape.status))
  if (shape.since) query.where(quoteName(updatedAt.name), '>=', placeholder(updatedAt, slot('since')))
  if (shape.position !== 'start') query.where(renderPosition(table, shape.position))
  const order = [updatedAt, id].map((column) => quoteOrder(table, column))
  return query.orderByRaw(raw('? asc, ? asc limit ?', ...order, slot('limit')))
}

/** Not called where there is no event: such a list is impossible. */
function renderEvent({ name, id, eventId }: ResolvedTable): Knex.Raw {
  if (eventId === undefined) return raw('1 = 0')
  if ('column' in eventId) {
    const { column, lookup } = eventId
    if (lookup === undefined) return equalsExactly(column, quoteName(column.name), slot('event'))
    const toTest = (quoted: Knex.Raw): Knex.Raw => equalsExactly(column, quoted, slot('event'))
    return renderInLookup({ column, lookup }, (on) => quoteColumn(name, on), toTest)
  }
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

function renderStatus({ name, status }: ResolvedTable, filter: StatusFilter): Knex.Raw {
  if ('cases' in status) return renderCase(status, filter.form === 'case' ? filter.word : '')
  if (filter.form === 'case') return raw('1 = 0')
  const { column, lookup } = status
  if (lookup === undefined) return renderValues(status, quoteName(column.name), filter)
  if (filter.form !== 'key')
    return renderInLookup(
      { column, lookup },
      (on) => quoteColumn(name, on),
      (quoted) => renderValues(status, quoted, filter),
    )
  const on = lookup.on.column
  const tests = Array.from({ length: filter.count }, (_, at) =>
    raw('? = ?', quoteName(on.name), placeholder(on, slot(`status${at}`))),
  )
  return raw('(?)', join(tests, ' or '))
}

function renderValues(
  { column }: StatusColumn | IdentifierColumn,
  quoted: Knex.Raw,
  filter: Exclude<StatusFilter, { form: 'case' }>,
): Knex.Raw {
  const isOther = filter.form === 'other' || (filter.form === 'row' && filter.isOther)
  if (filter.count === 0) return raw('? is not null', quoted)
  const tests = Array.from({ length: filter.count }, (_, at) =>
    equalsExactly(column, quoted, slot(`status${at}`)),
  )
  const any = raw('(?)', join(tests, ' or '))
  return isOther ? raw('not ?', any) : any
}

/** The rows of which the first case that holds has a public word, or of which none holds. */
function renderCase({ cases, otherwise }: StatusCases, word: string): Knex.Raw {
  const tests = cases.map(({ test }) => renderTest(test, quoteName(test.column.name)))
  const alternatives = [...cases.map(({ then }) => then), otherwise].flatMap((then, at) => {
    if (then !== word) return []
    const own = tests[at]
    const parts = [
      ...tests.slice(0, at).map((test) => raw('not (?)', test)),
      ...(own === undefined ? [] : [own]),
    ]
    return [join(parts, ' and ')]
  })
  return raw('(?)', join(alternatives, ' or '))
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
