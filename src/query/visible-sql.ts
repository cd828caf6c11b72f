import type { Knex } from 'knex'
import {
  constant,
  equalsExactly,
  placeholder,
  quoteColumn,
  quoteName,
  raw,
  slot,
} from '../database/fragments-sql.js'
import type { Column } from '../database/column.js'
import type { ResolvedTable } from '../resources/resolved-table.js'

/**
 * The mapped columns under the names that the mappers read, each written out. Times come as text: the server writes
 * it for less than the driver, which would put together a text from the binary form.
 */
export function listProjection(source: ResolvedTable): readonly Knex.Raw[] {
  return source.projection.map(({ as, column }) =>
    raw(isTime(column) ? 'cast(? as char) as ?' : '? as ?', quoteName(column.name), quoteName(as)),
  )
}

function isTime({ kind }: Column): boolean {
  return kind === 'date' || kind === 'datetime' || kind === 'timestamp'
}

/** A column of the list's order, by its table: a bare name could be that of what is selected, which is another value. */
export function quoteOrder(source: ResolvedTable, column: Column): Knex.Raw {
  return quoteColumn(source.name, column)
}

/** Keeps to the workspace of the slot `workspace`, and to records that are not archived. */
export function applyVisibility(query: Knex.QueryBuilder, source: ResolvedTable): void {
  query.where(
    equalsExactly(source.workspace.column, quoteName(source.workspace.column.name), slot('workspace')),
  )
  applyUnarchived(query, source)
}

/** Keeps to records that are not archived, of whatever workspace. */
export function applyUnarchived(query: Knex.QueryBuilder, source: ResolvedTable): void {
  for (const { column, equals } of source.archived) {
    const name = quoteName(column.name)
    if (equals === undefined) query.where(raw('? is null', name))
    else query.where(raw('not (? <=> ?)', name, placeholder(column, constant(equals))))
  }
}
