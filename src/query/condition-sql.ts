import type { Knex } from 'knex'
import type { Column } from '../database/column.js'
import {
  constant,
  equalsExactly,
  join,
  placeholder,
  quoteName,
  raw,
  slot,
} from '../database/fragments-sql.js'
import { isLookedUp } from '../resources/resolved-table.js'
import type { IdentifierColumn, ResolvedTable, RowTest } from '../resources/resolved-table.js'
import { renderInLookup } from './lookup-sql.js'

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

/** The test that holds where another does not. */
export function negate(test: RowTest): RowTest {
  if (test.is === 'set') return { ...test, is: 'unset' }
  if (test.is === 'unset') return { ...test, is: 'set' }
  return { ...test, isNegated: test.isNegated !== true }
}

/**
 * A test as a condition, in words that an index can serve where it compares with one value. NULL instead of false where
 * the column is NULL and the test names values.
 */
export function renderTest(test: RowTest, table: Pick<ResolvedTable, 'name' | 'id'>): Knex.Raw {
  if (!isLookedUp(test)) return renderCellTest(test, quoteName(test.column.name))
  const inLookup = renderInLookup(table, test, (quoted) => renderCellTest(test, quoted))
  // A row that is missing is NULL.
  return raw(`ifnull(?, ${holdsForNull(test) ? '1' : '0'})`, inLookup)
}

function holdsForNull({ is, isNegated }: RowTest): boolean {
  return is === 'unset' || (is !== 'set' && isNegated === true)
}

/** A test of a column that is already named. */
export function renderCellTest({ column, is, isNegated }: RowTest, quoted: Knex.Raw): Knex.Raw {
  if (is === 'set') return renderSet(column, quoted)
  if (is === 'unset') return renderUnset(column, quoted)
  const tests = is.map((value) => renderEqual(column, quoted, value))
  const any = tests.length === 1 ? join(tests, '') : raw('(?)', join(tests.map(parenthesize), ' or '))
  return isNegated === true ? raw('not ifnull((?), 0)', any) : any
}

function parenthesize(test: Knex.Raw): Knex.Raw {
  return raw('(?)', test)
}

function renderEqual(column: Column, quoted: Knex.Raw, value: string): Knex.Raw {
  return column.kind === 'text'
    ? equalsExactly(column, quoted, constant(value))
    : raw('? = ?', quoted, placeholder(column, constant(value)))
}

function renderSet(column: Column, quoted: Knex.Raw): Knex.Raw {
  const zero = renderZero(column)
  return zero === undefined
    ? raw('? is not null', quoted)
    : raw('(? is not null and ? <> ?)', quoted, quoted, zero)
}

function renderUnset(column: Column, quoted: Knex.Raw): Knex.Raw {
  const zero = renderZero(column)
  return zero === undefined ? raw('? is null', quoted) : raw('(? is null or ? = ?)', quoted, quoted, zero)
}

/** The zero date of a column of times, which counts as NULL; undefined for other columns. */
function renderZero({ kind }: Column): Knex.Raw | undefined {
  if (kind === 'date') return raw("'0000-00-00'")
  return kind === 'datetime' || kind === 'timestamp' ? raw("'0000-00-00 00:00:00'") : undefined
}

/**
 * The two tests that a column of times without a value is split into, so that an index serves each: NULL, and the zero
 * date. Both servers read a NOT NULL column with `is null` as one that has the zero date, so the first excludes it.
 */
export function splitUnset(column: Column): readonly Knex.Raw[] {
  const [quoted, zero] = [quoteName(column.name), renderZero(column)]
  if (zero === undefined) return [raw('? is null', quoted)]
  return [raw('? is null and (? = ?) is not true', quoted, quoted, zero), raw('? = ?', quoted, zero)]
}

/** Whether a test is one comparison for an index, or two for a column of times. */
export function isIndexable({ lookup, is, isNegated }: RowTest): boolean {
  if (lookup !== undefined || is === 'set') return false
  return is === 'unset' || (is.length === 1 && isNegated !== true)
}
