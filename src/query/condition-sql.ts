import type { Knex } from 'knex'
import { constant, equalsExactly, quoteName, raw, slot } from '../database/fragments-sql.js'
import { isLookedUp } from '../resources/resolved-table.js'
import type { IdentifierColumn, ResolvedTable, RowTest } from '../resources/resolved-table.js'
import { renderInLookup } from './lookup-sql.js'
import { negate, renderCellTest } from './test-sql.js'

/**
 * Restricts a query to the records of the workspace of the slot `workspace` that are not archived. Every statement that
 * answers a request has these conditions, on the row itself.
 */
export function applyVisibility(query: Knex.QueryBuilder, table: ResolvedTable): void {
  query.where(renderWorkspace(table))
  applyUnarchived(query, table)
}

function renderWorkspace(table: ResolvedTable): Knex.Raw {
  const { workspace } = table
  if ('constant' in workspace)
    return raw('cast(? as binary) = cast(? as binary)', slot('workspace'), constant(workspace.constant))
  const isInWorkspace = toWorkspaceTest(workspace)
  if (isLookedUp(workspace)) return raw('? = 1', renderInLookup(table, workspace, isInWorkspace))
  return isInWorkspace(quoteName(workspace.column.name))
}

/** The test that a cell is the workspace of the slot `workspace`. */
export function toWorkspaceTest({ column }: IdentifierColumn): (quoted: Knex.Raw) => Knex.Raw {
  return (quoted) => equalsExactly(column, quoted, slot('workspace'))
}

/** Restricts a query to records that are not archived, of any workspace. */
export function applyUnarchived(query: Knex.QueryBuilder, table: ResolvedTable): void {
  for (const test of listVisibilityTests(table)) query.where(renderTest(test, table))
}

/** The tests that a record passes: those of `where`, and that none of `archived` holds. */
export function listVisibilityTests({ where, archived }: ResolvedTable): readonly RowTest[] {
  return [...where, ...archived.map(negate)]
}

/**
 * A test as a condition, in words that an index can serve where it compares with one value. NULL instead of false where
 * the column is NULL and the test names values.
 */
export function renderTest(test: RowTest, table: Pick<ResolvedTable, 'name' | 'id'>): Knex.Raw {
  if (!isLookedUp(test)) return renderCellTest(test, quoteName(test.column.name))
  return renderInLookup(table, test, (quoted) => renderCellTest(test, quoted), holdsForNull(test) ? '1' : '0')
}

/** What a test says of a row that is missing, whose columns count as NULL. */
function holdsForNull({ is, isNegated }: RowTest): boolean {
  return is === 'unset' || (is !== 'set' && isNegated === true)
}

/** Whether a test is one comparison for an index, or two for a column of times. */
export function isIndexable({ lookup, is, isNegated }: RowTest): boolean {
  if (lookup !== undefined || is === 'set') return false
  return is === 'unset' || (is.length === 1 && isNegated !== true)
}
