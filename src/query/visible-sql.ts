import type { Knex } from 'knex'
import { equalsExactly, placeholder, quoteName, raw } from '../db/column-sql.js'
import { literalSlot } from '../db/template.js'
import type { Source } from '../mapping/source.js'

/** The mapped columns under the names that the mappers read, each written out. */
export function listSelected(source: Source): readonly Knex.Raw[] {
  return source.selected.map(({ as, column }) => raw('? as ?', quoteName(column.name), quoteName(as)))
}

/** Keeps to the workspace of the slot `workspace`, and to records that are not archived. */
export function applyVisibility(query: Knex.QueryBuilder, source: Source): void {
  query.where(equalsExactly(source.workspace.column, quoteName(source.workspace.column.name), 'workspace'))
  applyUnarchived(query, source)
}

/** Keeps to records that are not archived, of whatever workspace. */
export function applyUnarchived(query: Knex.QueryBuilder, source: Source): void {
  for (const { column, equals } of source.archived) {
    const name = quoteName(column.name)
    if (equals === undefined) query.where(raw('? is null', name))
    else query.where(raw('not (? <=> ?)', name, placeholder(column, literalSlot(equals))))
  }
}
