import type { Column, Index } from '../database/column.js'
import { findEventColumn, findOwnColumn, isLookedUp, isSum, listProjectedColumns } from './resolved-table.js'
import type {
  FoundColumn,
  IdentifierColumn,
  Projected,
  ProjectedColumn,
  ResolvedTable,
  RowTest,
  StatusCases,
} from './resolved-table.js'
import { joinLookups, listLookups, nameInPage, selectFound, selectSum } from './lookup.js'
import {
  equals,
  hint,
  Hole,
  join,
  prepare,
  quote,
  quoteColumn,
  Sql,
  sql,
  toBytes,
  toOperand,
} from '../database/sql.js'
import type { Given, Prepared } from '../database/sql.js'
import { listVisibilityTests, testCell, testCondition, zeroOf } from './row-test.js'
import { cut, isCut, selectColumn } from './select-column.js'

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
  if ('constant' in workspace) return sql`cast(${own} as binary) = cast(${workspace.constant} as binary)`
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

/**
 * A statement of rows that shows the types of the columns that decide on them: NULL for each row, but with a type in the
 * definitions of the result, which an empty result has too.
 *
 * @param given what the statement compares with.
 * @param rest as of `selectRows`, like `proof`.
 */
export function prepareRows(table: ResolvedTable, given: Given, rest: Sql, proof?: readonly Sql[]): Prepared {
  const types = listTypes(table, given)
  const showing = { ...table, projection: [...table.projection, ...(types ?? [])] }
  return prepare(selectRows(showing, rest, proof), types !== undefined)
}

/** A column whose type alone is shown. */
interface TypeColumn extends FoundColumn {
  readonly as: string
  readonly isType: true
}

/** The columns that decide and whose types no cell shows; undefined where not only columns of the table itself decide. */
function listTypes(table: ResolvedTable, given: Given): readonly TypeColumn[] | undefined {
  const { workspace, updatedAt, id, eventId, status, projection } = table
  const deciding = [
    ...('constant' in workspace ? [] : [workspace]),
    // Whether a cell is NULL does not depend on its type.
    ...listVisibilityTests(table).filter((test) => isLookedUp(test) || test.is !== null),
    ...(given.has('since0') || given.has('time') ? [updatedAt] : []),
    id,
    ...(given.has('event') && eventId !== undefined ? [findEventColumn(table)] : []),
    ...(given.has('status') ? [status] : []),
  ]
  const columns = deciding.flatMap((one) =>
    one === undefined || 'cases' in one || isLookedUp(one) ? [] : [one.column],
  )
  if (columns.length < deciding.length || updatedAt.untilChanged !== undefined) return undefined
  const bare = quote('')
  const shown = projection.flatMap((one) =>
    'cases' in one || isLookedUp(one) || selectColumn(one, bare) !== bare ? [] : [one.column.name],
  )
  const hidden = columns.filter(({ name }) => !shown.includes(name))
  const types = hidden.map((column) => ({ column, as: `type of ${column.name}`, isType: true as const }))
  return [...new Map(types.map((one) => [one.as, one])).values()]
}

/**
 * Rows with their lookups. The rows are chosen in a derived table, which reads no other table and has the limit, so that
 * lookups read at most one row for each of them whatever the optimizer estimates.
 *
 * @param rest what follows the table behind FROM, with its conditions, order and limit.
 * @param proof what a page selects beside the cells of its records; its rows stand in the order of lists, others in none.
 */
export function selectRows(table: ResolvedTable, rest: Sql, proof?: readonly Sql[]): Sql {
  const { projection } = table
  if (listProjectedColumns(projection).some(isLookedUp))
    return selectFromPage(table, sql`(${selectOwn(table, rest)})`, proof)
  const cells = projection.map((one) => selectCell(one, nameOwn))
  return sql`select ${join([...cells, ...(proof ?? [])], ', ')} from ${rest}`
}

/** The time of change of the rows of a page, where two columns have it. */
export const timeName = 'vitrine time'

/** A column of the table itself, or the first of two that has a time. */
function nameOwn({ column, untilChanged }: FoundColumn): Sql {
  const cell = quote(column.name)
  if (untilChanged === undefined) return cell
  const other = quote(untilChanged.name)
  const zero = zeroOf(column)
  // In the condition of a row, a zero date of a column that is NOT NULL is NULL; in a cell it is not.
  return zero === undefined || (column.nullable && column.mayBeZero !== true)
    ? sql`coalesce(${cell}, ${other})`
    : sql`case when ${cell} > ${zero} then ${cell} else ${other} end`
}

/**
 * The columns of the table itself that the projection, its lookups and the order need, each once. Of a long text and of a
 * document it has the part that is shown, because the server keeps these rows in memory too.
 */
export function selectOwn({ projection, id, updatedAt }: ResolvedTable, rest: Sql): Sql {
  const own = [...listProjectedColumns(projection.filter((one) => !isPart(one))), id, updatedAt]
  const toOwn = (column: Column): Sql => {
    const cell = quote(column.name)
    const isLongId = column.name === id.column.name && cut(column, cell) !== cell
    return isLongId ? sql`${cut(column, cell)} as ${cell}` : cell
  }
  const names = new Map(own.map(findOwnColumn).map((column) => [column.name.toLowerCase(), toOwn(column)]))
  const parts = projection
    .filter(isPart)
    .map((one) => sql`${selectColumn(one, nameOwn(one))} as ${namePart(one)}`)
  const times = updatedAt.untilChanged === undefined ? [] : [sql`${nameOwn(updatedAt)} as ${quote(timeName)}`]
  return sql`select ${join([...names.values(), ...parts, ...times], ', ')} from ${rest}`
}

/** Whether a derived table has the part of a column that is shown, and not the column. */
function isPart(one: Projected | TypeColumn): one is ProjectedColumn {
  return !('cases' in one) && !('isType' in one) && !isLookedUp(one) && isCut(one)
}

function namePart({ as }: Pick<ProjectedColumn, 'as'>): Sql {
  return quote(`vitrine ${as}`)
}

/** The same for a derived table that is already complete. */
export function selectFromPage(
  { projection, updatedAt, id }: ResolvedTable,
  page: Sql,
  proof?: readonly Sql[],
): Sql {
  const lookups = listLookups(listProjectedColumns(projection.filter((one) => !isSum(one))))
  const inPage = nameInPage(lookups)
  const name = (found: FoundColumn): Sql =>
    found.untilChanged === undefined ? inPage(found) : sql`${quote('page')}.${quote(timeName)}`
  const cells = projection.map((one) =>
    isPart(one) ? sql`${quote('page')}.${namePart(one)} as ${quote(one.as)}` : selectCell(one, name),
  )
  const tables = join([sql`${page} as ${quote('page')}`, ...joinLookups(lookups)], ' ')
  const order = proof === undefined ? sql`` : sql` ${orderBy(name(updatedAt), id, name(id))}`
  return sql`select ${join([...cells, ...(proof ?? [])], ', ')} from ${tables}${order}`
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

/** A cell of a statement, under its name. */
export function selectCell(one: Projected | TypeColumn, name: (found: FoundColumn) => Sql): Sql {
  const toCell = (): Sql => {
    if ('cases' in one) return selectCases(one, (test) => testCell(test, name(test)))
    if ('isType' in one) return sql`if(false, ${name(one)}, null)`
    return isSum(one) ? selectSum(one, name(one.lookup.on)) : selectColumn(one, name(one))
  }
  return sql`${toCell()} as ${quote(one.as)}`
}

/** The word of the first case that holds. */
export function selectCases({ cases, otherwise }: StatusCases, toCondition: (test: RowTest) => Sql): Sql {
  const all = cases.map(({ test, then }) => sql`when ${toCondition(test)} then ${then}`)
  return sql`case ${join(all, ' ')}${otherwise === undefined ? sql`` : sql` else ${otherwise}`} end`
}
