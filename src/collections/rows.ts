import type { Index } from '../database/column.js'
import { isLookedUp } from './resolved-table.js'
import type { FoundColumn, ResolvedTable, RowTest, StatusCases } from './resolved-table.js'
import { selectFound } from './lookup.js'
import { hint, join, quote, quoteColumn, sql } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import { listVisibilityTests, testCell, testCondition } from './row-test.js'

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

/** A table behind FROM, with an index hint where an index is given. */
export function from({ name }: ResolvedTable, index?: Index): Sql {
  return sql`${quote(name)}${hint(index?.name)}`
}

/** The order of lists. */
export function orderBy(time: Sql, id: Sql): Sql {
  return sql`order by ${time} asc, ${id} asc`
}

/** The word of the first case that holds. */
export function selectCases({ cases, otherwise }: StatusCases, toCondition: (test: RowTest) => Sql): Sql {
  const all = cases.map(({ test, then }) => sql`when ${toCondition(test)} then ${then}`)
  return sql`case ${join(all, ' ')}${otherwise === undefined ? sql`` : sql` else ${otherwise}`} end`
}
