import type { Knex } from 'knex'
import type { Column, Index } from '../database/column.js'
import {
  builder,
  constant,
  equalsExactly,
  join,
  placeholder,
  quoteColumn,
  quoteName,
  raw,
  slot,
  toTemplate,
} from '../database/fragments-sql.js'
import type { Template } from '../database/fragments-sql.js'
import { findOwnColumn, isLookedUp, listProjectedColumns } from '../resources/resolved-table.js'
import type { FoundColumn, Projected, ResolvedTable, RowTest } from '../resources/resolved-table.js'
import { listLookups, nameInPage, renderInWorkspace, renderJoins } from './lookup-sql.js'

/** How a query names a column: alone, or with the alias of its table where the query has several. */
type NameColumn = (found: FoundColumn) => Knex.Raw

const nameAlone: NameColumn = ({ column }) => quoteName(column.name)

/** The mapped columns under the names that the readers use, of a query over the table alone. */
export function listProjection({ projection }: ResolvedTable): readonly Knex.Raw[] {
  return renderProjection(projection, nameAlone)
}

/**
 * Times are selected as text, because the server writes it faster than the driver makes it from the binary form.
 */
function renderProjection(projection: readonly Projected[], name: NameColumn): readonly Knex.Raw[] {
  return projection.map((one) => {
    if ('cases' in one) return raw('? as ?', renderCases(one, name), quoteName(one.as))
    const text = isTime(one.column) ? 'cast(? as char) as ?' : '? as ?'
    return raw(text, name(one), quoteName(one.as))
  })
}

function isTime({ kind }: Column): boolean {
  return kind === 'date' || kind === 'datetime' || kind === 'timestamp'
}

function renderCases(
  { cases, otherwise }: Extract<Projected, { cases: unknown }>,
  name: NameColumn,
): Knex.Raw {
  const parts = cases.flatMap(({ test, then }) => [
    renderTest(test, name({ column: test.column })),
    constant(then),
  ])
  return raw(`case ${cases.map(() => 'when ? then ?').join(' ')} else ? end`, ...parts, constant(otherwise))
}

/** A condition that is true or false, and never NULL. */
export function renderTest({ column, is }: RowTest, quoted: Knex.Raw): Knex.Raw {
  if (is === 'set') return raw('? is not null', quoted)
  if (is === 'null') return raw('? is null', quoted)
  const tests = is.map((value) => raw('? <=> ?', quoted, placeholder(column, constant(value))))
  const any = join(tests, ' or ')
  return tests.length === 1 ? any : raw('(?)', any)
}

/** A column for ORDER BY, with its table: the bare name could be the alias of a selected value. */
export function quoteOrder(table: ResolvedTable, column: Column): Knex.Raw {
  return quoteColumn(table.name, column)
}

/** Restricts a query to the records of the workspace of the slot `workspace` that are not archived. */
export function applyVisibility(query: Knex.QueryBuilder, table: ResolvedTable): void {
  query.where(renderWorkspace(table))
  applyUnarchived(query, table)
}

function renderWorkspace({ name, workspace }: ResolvedTable): Knex.Raw {
  if ('constant' in workspace)
    return raw('cast(? as binary) = cast(? as binary)', slot('workspace'), constant(workspace.constant))
  if (isLookedUp(workspace)) return renderInWorkspace(workspace, (on) => quoteColumn(name, on))
  return equalsExactly(workspace.column, quoteName(workspace.column.name), slot('workspace'))
}

/** Restricts a query to records that are not archived, of any workspace. */
export function applyUnarchived(query: Knex.QueryBuilder, { where, archived }: ResolvedTable): void {
  for (const test of where) query.where(renderWhere(test))
  for (const test of archived) {
    const name = quoteName(test.column.name)
    if (test.is === 'set') query.where(raw('? is null', name))
    else query.where(raw('not (?)', renderTest(test, name)))
  }
}

/** With `=`, by which an index serves. */
function renderWhere(test: RowTest): Knex.Raw {
  const { column, is } = test
  const name = quoteName(column.name)
  if (typeof is === 'string') return renderTest(test, name)
  const values = is.map((value) => placeholder(column, constant(value)))
  return values.length === 1 ? raw('? = ?', name, ...values) : raw('? in (?)', name, join(values, ', '))
}

/** A table behind FROM, with an index hint where an index is given; knex has no index hints. */
export function renderFrom({ name }: ResolvedTable, index: Index | undefined): Knex.Raw {
  const quoted = quoteName(name)
  return index === undefined ? quoted : raw('? force index (?)', quoted, quoteName(index.name))
}

/** What a query over a table selects beside the projection, and the part of it that chooses the rows. */
interface RowsInput {
  readonly table: ResolvedTable
  /** The table behind FROM. */
  readonly from: Knex.Raw
  /** Adds the conditions, the order and the limit. */
  readonly restrict: (query: Knex.QueryBuilder) => Knex.QueryBuilder
  /** Other values to select. */
  readonly also?: readonly Knex.Raw[]
  /** Whether an index hint belongs into the text. */
  readonly isHinted: boolean
  /** Whether the rows stand in the order of lists. */
  readonly isOrdered: boolean
}

/**
 * A query for rows with their lookups. The rows are chosen in a derived table, which reads no other table and has the
 * limit, so that lookups read at most one row for each of them whatever the optimizer estimates.
 */
export function selectRows({ table, from, restrict, also = [], ...input }: RowsInput): Knex.QueryBuilder {
  if (listLookups(table.projection).length === 0)
    return restrict(builder.select([...listProjection(table), ...also]).from(from))
  const page = restrict(builder.select(listOwnColumns(table)).from(from))
  return selectFromPage({ table, page, also, ...input })
}

/** The same for a derived table that is already complete. */
export function selectFromPage({
  table,
  page,
  also,
  isHinted,
  isOrdered,
}: Pick<RowsInput, 'table' | 'isHinted' | 'isOrdered'> & {
  readonly page: Knex.Raw | Knex.QueryBuilder
  readonly also: readonly Knex.Raw[]
}): Knex.QueryBuilder {
  const query = builder
    .select([...renderProjection(table.projection, nameInPage(table.projection)), ...also])
    .from(raw('? as `page` ?', page, renderJoins(table.projection, isHinted)))
  if (!isOrdered) return query
  const order = [table.updatedAt.column, table.id.column].map((column) => quoteColumn('page', column))
  return query.orderByRaw(raw('? asc, ? asc', ...order))
}

/** The columns of the table itself that the projection, its lookups and the order need, each once. */
export function listOwnColumns({ projection, id, updatedAt }: ResolvedTable): readonly Knex.Raw[] {
  const own = [...listProjectedColumns(projection), id, updatedAt].map(findOwnColumn)
  const unique = new Map(own.map((column) => [column.name.toLowerCase(), column]))
  return [...unique.values()].map((column) => quoteName(column.name))
}

/**
 * The template of a query over a table, with an index hint where an index is given.
 *
 * @param build makes the query over what stands behind FROM.
 */
export function compileWithIndex(
  table: ResolvedTable,
  index: Index | undefined,
  build: (from: Knex.Raw, isHinted: boolean) => Knex.QueryBuilder,
): Template {
  const plain = toTemplate(build(renderFrom(table, undefined), false))
  if (index === undefined && listLookups(table.projection).length === 0) return plain
  return { ...toTemplate(build(renderFrom(table, index), true)), withoutIndexHint: plain.sql }
}

/** Keeps the templates of each table, so that a statement is built once for each key. */
export function createTemplateCache(): (
  table: ResolvedTable,
  key: string,
  compile: () => Template,
) => Template {
  const cache = new WeakMap<ResolvedTable, Map<string, Template>>()
  return (table, key, compile) => {
    const templates = cache.get(table) ?? new Map<string, Template>()
    cache.set(table, templates)
    const template = templates.get(key) ?? compile()
    templates.set(key, template)
    return template
  }
}
