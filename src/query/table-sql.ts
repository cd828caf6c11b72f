import type { Knex } from 'knex'
import type { Column, Index } from '../database/column.js'
import {
  constant,
  equalsExactly,
  placeholder,
  quoteColumn,
  quoteName,
  raw,
  slot,
  toTemplate,
} from '../database/fragments-sql.js'
import type { Template } from '../database/fragments-sql.js'
import type { ResolvedTable } from '../resources/resolved-table.js'

/**
 * The mapped columns under the names that the readers use. Times are selected as text, because the server writes it
 * faster than the driver makes it from the binary form.
 */
export function listProjection({ projection }: ResolvedTable): readonly Knex.Raw[] {
  return projection.map(({ as, column }) =>
    raw(isTime(column) ? 'cast(? as char) as ?' : '? as ?', quoteName(column.name), quoteName(as)),
  )
}

function isTime({ kind }: Column): boolean {
  return kind === 'date' || kind === 'datetime' || kind === 'timestamp'
}

/** A column for ORDER BY, with its table: the bare name could be the alias of a selected value. */
export function quoteOrder(table: ResolvedTable, column: Column): Knex.Raw {
  return quoteColumn(table.name, column)
}

/** Restricts a query to the workspace of the slot `workspace` and to records that are not archived. */
export function applyVisibility(query: Knex.QueryBuilder, table: ResolvedTable): void {
  const { column } = table.workspace
  query.where(equalsExactly(column, quoteName(column.name), slot('workspace')))
  applyUnarchived(query, table)
}

/** Restricts a query to records that are not archived, of any workspace. */
export function applyUnarchived(query: Knex.QueryBuilder, { archived }: ResolvedTable): void {
  for (const { column, equals } of archived) {
    const name = quoteName(column.name)
    if (equals === undefined) query.where(raw('? is null', name))
    else query.where(raw('not (? <=> ?)', name, placeholder(column, constant(equals))))
  }
}

/** A table behind FROM, with an index hint where an index is given; knex has no index hints. */
export function renderFrom({ name }: ResolvedTable, index: Index | undefined): Knex.Raw {
  const quoted = quoteName(name)
  return index === undefined ? quoted : raw('? force index (?)', quoted, quoteName(index.name))
}

/**
 * The template of a query over a table, with an index hint where an index is given.
 *
 * @param build makes the query over what stands behind FROM.
 */
export function compileWithIndex(
  table: ResolvedTable,
  index: Index | undefined,
  build: (from: Knex.Raw) => Knex.QueryBuilder,
  limitSlot?: string,
): Template {
  const plain = toTemplate(build(renderFrom(table, undefined)), limitSlot)
  if (index === undefined) return plain
  return { ...toTemplate(build(renderFrom(table, index)), limitSlot), withoutIndexHint: plain.sql }
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
