import type { Index } from '../database/column.js'
import { isLookedUp } from './resolved-table.js'
import type { FoundColumn, IdentifierColumn, ResolvedTable, RowTest, StatusCases } from './resolved-table.js'
import { selectFound } from './lookup.js'
import { equals, hint, Hole, join, quote, quoteColumn, sql, toBytes, toOperand } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import { listVisibilityTests, testCell, testCondition } from './row-test.js'
import { cut } from './select-column.js'

/** The conditions of every statement that answers a request, on the row itself: its workspace, and not archived. */
export function listVisible(table: ResolvedTable): readonly Sql[] {
  return [isInWorkspace(table), ...listUnarchived(table)]
}

/** The conditions of records of any workspace that are not archived; none where the mapping has no test. */
export function listUnarchived(table: ResolvedTable): readonly Sql[] {
  return listVisibilityTests(table).map((test) => testRow(test, table))
}

/** A test of a row of the table; columns of a row that a lookup does not find count as NULL. */
export function testRow(test: RowTest, table: Pick<ResolvedTable, 'name'>): Sql {
  return isLookedUp(test) ? testValue(test, table) : testCondition(test, quote(test.column.name))
}

/** The same as a value, in which IS NULL finds no zero date. */
export function testValue(test: RowTest, table: Pick<ResolvedTable, 'name'>): Sql {
  const holdsForNull = (test.is === null) !== test.isNegated
  return testFound(table, test, (quoted) => testCell(test, quoted), holdsForNull)
}

function isInWorkspace(table: ResolvedTable): Sql {
  const { workspace } = table
  if (workspace.kind === 'constant')
    return sql`cast(${own} as binary) = cast(${workspace.constant} as binary)`
  return testFound(table, workspace, testWorkspace(workspace))
}

/** A test of a column of a row, or of the row that a lookup finds. */
export function testFound(
  { name }: Pick<ResolvedTable, 'name'>,
  found: FoundColumn,
  test: (quoted: Sql) => Sql,
  holdsForNull = false,
): Sql {
  return isLookedUp(found)
    ? selectFound(found, (column) => quoteColumn(name, column), test, holdsForNull)
    : test(quote(found.column.name))
}

const own = new Hole('workspace')

/** The test that a cell is the workspace of the request. */
export function testWorkspace({ column }: IdentifierColumn): (quoted: Sql) => Sql {
  return (quoted) => equals(column, quoted, own)
}

/** A table behind FROM, with an index hint where an index is given. */
export function from({ name }: ResolvedTable, index?: Index): Sql {
  return sql`${quote(name)}${hint(index?.name)}`
}

/** The order of lists. @param quoted the column of the id */
export function orderBy(time: Sql, { column }: IdentifierColumn, quoted: Sql): Sql {
  const id = cut(column, quoted)
  const bytes = id === quoted ? sql`` : sql`, ${toBytes(column, id)} asc`
  return sql`order by ${time} asc, ${id} asc${bytes}`
}

/**
 * The condition that an id stands behind another one of the same time. Of an id that can be too long to be shown, a cursor has as
 * much as the reader of its cell: the bytes order it before or behind a short one that the collation finds equal to that.
 */
export function isBehindId({ column }: IdentifierColumn, quoted: Sql, other: Hole): Sql {
  const [id, last] = [cut(column, quoted), toOperand(column, other)]
  if (id === quoted) return sql`${id} > ${last}`
  return sql`(${id} > ${last} or (${id} = ${last} and ${toBytes(column, id)} > cast(${other} as binary)))`
}

/** The word of the first case that holds. */
export function selectCases({ cases, otherwise }: StatusCases, toCondition: (test: RowTest) => Sql): Sql {
  const all = cases.map(({ test, then }) => sql`when ${toCondition(test)} then ${then}`)
  return sql`case ${join(all, ' ')}${otherwise === undefined ? sql`` : sql` else ${otherwise}`} end`
}
