import type { Knex } from 'knex'
import type { Column, Index } from '../database/column.js'
import {
  bindTemplate,
  builder,
  clockText,
  equalsExactly,
  join,
  placeholder,
  quoteColumn,
  quoteName,
  raw,
  repeatQuery,
  slot,
  toTemplate,
} from '../database/fragments-sql.js'
import type { Template } from '../database/fragments-sql.js'
import type { Statement } from '../database/statement.js'
import { findLookedUpWorkspace, findOwnColumn } from '../resources/resolved-table.js'
import type { ResolvedTable, StatusCases } from '../resources/resolved-table.js'
import { chooseIndex } from './choose-index.js'
import {
  applyVisibility,
  isIndexable,
  listVisibilityTests,
  renderTest,
  toWorkspaceTest,
} from './condition-sql.js'
import type { ListPlan, ListShape, StatusFilter } from './list-plan.js'
import { listChain, renderInLookup, renderKeyEquals, renderLookup } from './lookup-sql.js'
import { renderFromParents } from './parents-sql.js'
import {
  compileWithIndex,
  createTemplateCache,
  listOwnColumns,
  quoteOrder,
  selectFromPage,
  selectRows,
} from './table-sql.js'
import { negate, splitUnset } from './test-sql.js'

const clock = raw('? as `startedAt`', clockText)

/** The statement of a page that no row can match. */
const noRows = bindTemplate(toTemplate(builder.select(clock).limit(0)))

/** The longest text of a statement; the server keeps memory in proportion to it. */
const textLengthMax = 65_536

const findTemplate = createTemplateCache()

/**
 * The statement of a page. Its text is built once for each table and shape. On the first page of a crawl, each row has the
 * clock of the database. A row of its own would need a UNION, for which MySQL reads up to 100 rows ahead.
 */
export function renderList({ table, shape, values }: ListPlan): Statement {
  if (shape.impossible) return noRows
  const template = findTemplate(table, JSON.stringify(shape), () => compileList(table, shape))
  if (template.sql.length <= textLengthMax || shape.way === 'rows') return bindTemplate(template, values)
  return renderList({ table, shape: { ...shape, way: 'rows' }, values })
}

function compileList(table: ResolvedTable, shape: ListShape): Template {
  const index = shape.way === 'rows' ? undefined : chooseIndex(table, shape)
  return compileWithIndex(table, index, (from, isHinted) =>
    selectPage({ table, shape, index, from, isHinted }),
  )
}

interface PageInput {
  readonly table: ResolvedTable
  readonly shape: ListShape
  readonly index: Index | undefined
  /** The table behind FROM. */
  readonly from: Knex.Raw
  readonly isHinted: boolean
}

function selectPage({ table, shape, index, from, isHinted }: PageInput): Knex.QueryBuilder {
  const also = shape.clock ? [clock] : []
  const shared = { table, also, isHinted, isOrdered: true }
  const restrict = (query: Knex.QueryBuilder, conditions: readonly Knex.Raw[]): Knex.QueryBuilder => {
    for (const condition of conditions) query.where(condition)
    applyVisibility(query, table)
    applyFilters(query, table, shape)
    return applyOrder(query, table)
  }
  const splits = listSplits(table, index)
  const [first = [], ...others] = splits
  if (others.length === 0 && typeof shape.way !== 'number') {
    const behind = shape.way === 'rows' ? renderFromParents(table) : from
    return selectRows({ ...shared, from: behind, restrict: (query) => restrict(query, first) })
  }
  const parent = typeof shape.way === 'number' ? [renderParent(table)] : []
  const slots = Array.from(
    { length: typeof shape.way === 'number' ? shape.way : 1 },
    (_, at) => `parent${at}`,
  )
  const parts = splits.flatMap((conditions) => {
    const part = restrict(builder.select(listOwnColumns(table)).from(from), [...parent, ...conditions])
    return repeatQuery(part, 'parent', slots)
  })
  const order = [table.updatedAt.column, table.id.column].map(({ name }) => quoteName(name))
  const page = raw('(? order by ? asc, ? asc limit ?)', join(parts, ' union all '), ...order, slot('limit'))
  return selectFromPage({ ...shared, page })
}

/**
 * The conditions of the parts of a page that an index gives in the order of lists: rows without a time are apart from those
 * with a zero date. Without such a column in the index, the page is one part without conditions.
 */
function listSplits(table: ResolvedTable, index: Index | undefined): readonly (readonly Knex.Raw[])[] {
  const before = index?.columns.slice(0, index.columns.indexOf(table.updatedAt.column.name.toLowerCase()))
  return listVisibilityTests(table)
    .filter((test) => test.is === 'unset' && isIndexable(test))
    .filter(({ column }) => before?.includes(column.name.toLowerCase()))
    .map(({ column }) => splitUnset(column))
    .reduce<readonly (readonly Knex.Raw[])[]>(
      (parts, split) => parts.flatMap((part) => split.map((condition) => [...part, condition])),
      [[]],
    )
}

/** The condition that a row refers to the parent row of the slot `parent`. */
function renderParent({ workspace }: ResolvedTable): Knex.Raw {
  if ('constant' in workspace) throw new Error('A constant workspace has no parent rows')
  const on = findOwnColumn(workspace)
  return raw('? = ?', quoteName(on.name), placeholder(on, slot('parent')))
}

function applyFilters(query: Knex.QueryBuilder, table: ResolvedTable, shape: ListShape): void {
  const updatedAt = table.updatedAt.column
  if (shape.event) query.where(renderEvent(table))
  if (shape.event && shape.way === 'direct') applyEventWorkspace(query, table)
  if (shape.status !== undefined) query.where(renderStatus(table, shape.status))
  if (shape.since)
    query.where(raw('? >= ?', quoteName(updatedAt.name), placeholder(updatedAt, slot('since'))))
  if (shape.position !== undefined) query.where(renderPosition(table, shape.position))
}

/** Where the event leads to the workspace, an event of another workspace is found before any row of it is read. */
function applyEventWorkspace(query: Knex.QueryBuilder, table: ResolvedTable): void {
  const workspace = findLookedUpWorkspace(table)
  if (workspace === undefined) return
  const [first] = listChain(workspace.lookup)
  // MySQL rejects a constant that the character set of the key cannot hold, unless a function gives it.
  const toEvent = (on: Column): Knex.Raw => {
    const value = placeholder(on, slot('event'))
    return on.kind === 'text' && on.characterSet !== first?.key.characterSet
      ? raw('cast(? as char)', value)
      : value
  }
  query.where(raw('? = 1', renderLookup(workspace, { toOn: toEvent, toTest: toWorkspaceTest(workspace) })))
}

function applyOrder(query: Knex.QueryBuilder, table: ResolvedTable): Knex.QueryBuilder {
  const order = [table.updatedAt.column, table.id.column].map((column) => quoteOrder(table, column))
  return query.orderByRaw(raw('? asc, ? asc limit ?', ...order, slot('limit')))
}

/** Not called where there is no event: such a list is impossible. */
function renderEvent({ name, id, eventId }: ResolvedTable): Knex.Raw {
  if (eventId === undefined) return raw('1 = 0')
  if ('column' in eventId) {
    const { column, lookup } = eventId
    if (lookup === undefined) return equalsExactly(column, quoteName(column.name), slot('event'))
    const toTest = (quoted: Knex.Raw): Knex.Raw => equalsExactly(column, quoted, slot('event'))
    return raw('? = 1', renderInLookup({ name, id }, { column, lookup }, toTest))
  }
  const { table, invoice, event } = eventId
  // A scalar subquery, because both servers turn EXISTS into a join that begins at the link table, and then sort.
  return raw(
    '(select 1 from ? as `link` where ? and ? limit 1) = 1',
    quoteName(table),
    renderKeyEquals(invoice.column, quoteColumn('link', invoice.column), id, quoteColumn(name, id.column)),
    equalsExactly(event.column, quoteColumn('link', event.column), slot('event')),
  )
}

function renderStatus(table: ResolvedTable, filter: StatusFilter): Knex.Raw {
  const { status } = table
  if ('cases' in status) return renderCase(table, status, filter.form === 'case' ? filter.word : '')
  if (filter.form === 'case') return raw('1 = 0')
  const { column, lookup } = status
  const toTest = (quoted: Knex.Raw): Knex.Raw => renderValues(column, quoted, filter)
  if (lookup === undefined) return toTest(quoteName(column.name))
  return raw('? = 1', renderInLookup(table, { column, lookup }, toTest))
}

function renderValues(
  column: Column,
  quoted: Knex.Raw,
  { form, count }: Exclude<StatusFilter, { form: 'case' }>,
): Knex.Raw {
  if (count === 0) return raw('? is not null', quoted)
  const tests = Array.from({ length: count }, (_, at) => equalsExactly(column, quoted, slot(`status${at}`)))
  const any = raw('(?)', join(tests, ' or '))
  return form === 'other' ? raw('not ?', any) : any
}

/** The rows of which the first case that holds has a public word, or of which none holds. */
function renderCase(table: ResolvedTable, { cases, otherwise }: StatusCases, word: string): Knex.Raw {
  const alternatives = [...cases.map(({ then }) => then), otherwise].flatMap((then, at) => {
    if (then !== word) return []
    // None of the cases before it holds, and its own does; `otherwise` comes last and has none.
    const tests = [
      ...cases.slice(0, at).map(({ test }) => negate(test)),
      ...cases.slice(at, at + 1).map(({ test }) => test),
    ]
    return [
      join(
        tests.map((test) => renderTest(test, table)),
        ' and ',
      ),
    ]
  })
  return raw('(?)', join(alternatives, ' or '))
}

/**
 * Rows behind the last row of the page before. Written out, because `(a, b) > (?, ?)` reads an index from its first
 * entry. MySQL manual, "Row Constructor Expression Optimization".
 */
function renderPosition(
  { updatedAt, id }: ResolvedTable,
  { hasTime, hasId }: NonNullable<ListShape['position']>,
): Knex.Raw {
  const [time, name] = [quoteName(updatedAt.column.name), quoteName(id.column.name)]
  // Both servers sort NULL before every value.
  const behindId = hasId
    ? raw('? > ?', name, placeholder(id.column, slot('positionId')))
    : raw('? is not null', name)
  if (!hasTime) return raw('((? is null and ?) or ? is not null)', time, behindId, time)
  const last = placeholder(updatedAt.column, slot('positionTime'))
  return raw('(? >= ? and (? > ? or ?))', time, last, time, last, behindId)
}
