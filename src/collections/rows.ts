import { LRUCache } from 'lru-cache'
import type { Column, ColumnKind, Index } from '../database/column.js'
import { findOwnColumn, isLookedUp, isSum, listProjectedColumns } from './resolved-table.js'
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
import { equals, hint, Hole, join, padZeros, quote, quoteColumn, Sql, sql } from '../database/sql.js'
import type { Prepared } from '../database/sql.js'
import { listVisibilityTests, testCell, testCondition, zeroOf } from './row-test.js'

/** The most statements that are kept for a table. A list has one for each combination of filters and status. */
const statementsMax = 500

/** Keeps the statements of each table, so that each is built once for its key. */
export function createStatementCache(): (
  table: ResolvedTable,
  key: string,
  build: () => Prepared,
) => Prepared {
  const built = new WeakMap<ResolvedTable, LRUCache<string, Prepared>>()
  return (table, key, build) => {
    let known = built.get(table)
    if (known === undefined) {
      known = new LRUCache({ max: statementsMax })
      built.set(table, known)
    }
    let statement = known.get(key)
    if (statement === undefined) {
      statement = build()
      known.set(key, statement)
    }
    return statement
  }
}

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
  const holdsForNull = test.is === 'unset' || (test.is !== 'set' && test.isNegated === true)
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

/** What a statement reads beside the rows that it chooses. */
export interface Reading {
  readonly table: ResolvedTable
  /** Other values to select, behind the cells of the record. */
  readonly also?: readonly Sql[]
  /** Whether the rows stand in the order of lists. */
  readonly isOrdered: boolean
  /** The columns that a request compares beside those that every statement does; null where other tables decide too. */
  readonly compared?: readonly FoundColumn[] | null
}

/**
 * Rows with their lookups. The rows are chosen in a derived table, which reads no other table and has the limit, so that
 * lookups read at most one row for each of them whatever the optimizer estimates.
 *
 * @param rest what follows the table behind FROM, with its conditions, order and limit.
 */
export function selectRows(reading: Reading, rest: Sql): Sql {
  const { table, also = [], compared = [] } = reading
  if (!listProjectedColumns(table.projection).some(isLookedUp)) {
    const cells = table.projection.map((one) => selectCell(one, nameOwn))
    return sql`select ${join([...cells, ...selectTypes(table, compared), ...also], ', ')} from ${rest}`
  }
  return selectFromPage(reading, sql`(${selectOwn(table, rest)})`)
}

/**
 * The columns that decide on rows and whose types no cell shows: NULL for each row, but with their types in the definitions of
 * the result, which an empty result has too. None where another table decides: then the definitions do not say enough.
 */
function selectTypes(table: ResolvedTable, compared: readonly FoundColumn[] | null): readonly Sql[] {
  if (compared === null || !showsTypes(table, compared)) return []
  const shown = new Set(
    table.projection.flatMap((one) => ('cases' in one || isTime(one) ? [] : [one.column.name])),
  )
  const columns = new Set([...listDeciding(table), ...compared].map(({ column }) => column.name))
  return [...columns]
    .filter((name) => !shown.has(name))
    .map((name) => sql`if(false, ${quote(name)}, null) as ${quote(`type of ${name}`)}`)
}

/** Whether the definitions of a result have the types of all columns by which its rows are found. */
export function showsTypes(table: ResolvedTable, compared: readonly FoundColumn[] | null = []): boolean {
  const isOne = table.updatedAt.untilChanged === undefined
  return isOne && compared !== null && ![...listDeciding(table), ...compared].some(isLookedUp)
}

/** The columns by which every list and single record is found; whether a cell is NULL does not depend on its type. */
function listDeciding(table: ResolvedTable): readonly FoundColumn[] {
  const { workspace } = table
  const tests = listVisibilityTests(table).filter(
    (test) => isLookedUp(test) || (test.is !== 'set' && test.is !== 'unset'),
  )
  return ['column' in workspace ? [workspace] : [], tests].flat()
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
 * The columns of the table itself that the projection, its lookups and the order need, each once.
 *
 * @param time the column that has the time of change of these rows, where one of two has it.
 */
export function selectOwn({ projection, id, updatedAt }: ResolvedTable, rest: Sql, time?: Column): Sql {
  const own = [...listProjectedColumns(projection), id, updatedAt].map(findOwnColumn)
  const names = new Map(own.map(({ name }) => [name.toLowerCase(), quote(name)]))
  const timeOf = time === undefined ? nameOwn(updatedAt) : quote(time.name)
  const times = updatedAt.untilChanged === undefined ? [] : [sql`${timeOf} as ${quote(timeName)}`]
  return sql`select ${join([...names.values(), ...times], ', ')} from ${rest}`
}

/** The same for a derived table that is already complete. */
export function selectFromPage({ table, also = [], isOrdered }: Reading, page: Sql): Sql {
  const { projection } = table
  const ordered = isOrdered ? [table.updatedAt] : []
  const lookups = listLookups([...listProjectedColumns(projection.filter((one) => !isSum(one))), ...ordered])
  const inPage = nameInPage(lookups)
  const name = (found: FoundColumn): Sql =>
    found.untilChanged === undefined ? inPage(found) : sql`${quote('page')}.${quote(timeName)}`
  const cells = projection.map((one) => selectCell(one, name))
  const behind = join([sql`${page} as ${quote('page')}`, ...joinLookups(lookups)], ' ')
  const order = isOrdered ? sql` ${orderBy(table, name)}` : sql``
  return sql`select ${join([...cells, ...also], ', ')} from ${behind}${order}`
}

/** The order of lists. */
export function orderBy({ updatedAt, id }: ResolvedTable, name: (found: FoundColumn) => Sql): Sql {
  return sql`order by ${name(updatedAt)} asc, ${name(id)} asc`
}

function selectCell(one: Projected, name: (found: FoundColumn) => Sql): Sql {
  const toCell = (): Sql => {
    if ('cases' in one) return selectCases(one, (test) => testCell(test, name(test)))
    if (isSum(one)) return selectSum(one, name(one.lookup.on))
    return one.json === undefined ? selectText(one, name(one)) : selectJson(name(one), one.json)
  }
  return sql`${toCell()} as ${quote(one.as)}`
}

/** The word of the first case that holds. */
export function selectCases({ cases, otherwise }: StatusCases, toCondition: (test: RowTest) => Sql): Sql {
  const all = cases.map(({ test, then }) => sql`when ${toCondition(test)} then ${then}`)
  return sql`case ${join(all, ' ')} else ${otherwise} end`
}

const timeKinds = new Set<ColumnKind>(['date', 'datetime', 'timestamp'])

/** A time as text, because the server writes it for a quarter of what the driver takes; an integer with its zeros. */
function selectText(found: ProjectedColumn, quoted: Sql): Sql {
  // The bytes, because MariaDB writes what is no UTF-8 as question marks.
  if (found.charset !== undefined) return sql`cast(convert(${quoted} using latin1) as binary)`
  if (found.column.showsZeros === true) return padZeros(found.column, quoted)
  return isTime(found) ? sql`cast(${quoted} as char)` : quoted
}

function isTime({ column: { kind } }: FoundColumn): boolean {
  return timeKinds.has(kind)
}

/**
 * The JSON of a value in a document; in the place of a text that is no JSON, one that no value has. A JSON column can become
 * one of text meanwhile.
 */
function selectJson(quoted: Sql, path: string): Sql {
  const value = sql`cast(json_extract(${quoted}, ${path}) as char)`
  return sql`case when json_valid(${quoted}) then ${value} when ${quoted} is not null then '{' end`
}
