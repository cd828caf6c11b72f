import type { Column } from '../database/column.js'
import { join, prepare, quote, Sql, sql } from '../database/sql.js'
import type { Prepared } from '../database/sql.js'
import type { ResultColumn } from '../database/statement.js'
import { joinLookups, listLookups, nameInPage, selectSum } from './lookup.js'
import {
  findOwnColumn,
  isLookedUp,
  isSum,
  listColumns,
  listEventColumns,
  listProjectedColumns,
  listRecordColumns,
} from './resolved-table.js'
import type { FoundColumn, Projected, ProjectedColumn, ResolvedTable } from './resolved-table.js'
import { testCell, zeroOf } from './row-test.js'
import { orderBy, selectCases } from './rows.js'
import { cut, isCut, selectColumn } from './select-column.js'

/*
 * What a statement of rows selects, and what its result has to say of it. Every column that decides which rows are read, or that a
 * record is made of, shows its type in the definitions of the result, which an empty result has too.
 */

/** What a statement selects. */
export interface Cell extends ResultColumn {
  readonly sql: Sql
}

/** A value with a name. @param column whose type it has; without one, the statement makes it */
export function toCell(name: string, value: Sql, column?: Column): Cell {
  return { name, column, sql: sql`${value} as ${quote(name)}` }
}

/** NULL with the type of a column. */
export function toTypeCell(quoted: Sql, column: Column): Cell {
  return toCell(`type of ${column.name}`, sql`if(false, ${quoted}, null)`, column)
}

/** A statement that selects cells. @param source what follows FROM */
export function prepareCells(cells: readonly Cell[], source: Sql): Prepared {
  return prepare(selectCells(cells, source), cells)
}

function selectCells(cells: readonly Cell[], source: Sql): Sql {
  const selected = cells.map((cell) => cell.sql)
  return sql`select ${join(selected, ', ')} from ${source}`
}

/** A column, and its table where it is not that of the collection. */
interface ReadColumn {
  readonly column: Column
  readonly table: string | undefined
}

/** A table, as a statement selects it that shows the types. */
export interface ShownTable extends ResolvedTable {
  /** The columns whose type no other cell shows. */
  readonly types: readonly ReadColumn[]
  /** The table's own columns of ASCII: a request for other text asks them for NULL. */
  readonly ascii: readonly Column[]
  /** Whether each row has the collation of its id, if it is another one: the rows behind a position are in its order. */
  readonly isBehind: boolean
}

/** The cell of the workspace. */
export const workspaceName = 'workspace'

/** A table with the workspace of each row, and with the types of all columns that its statements depend on. */
export function show(table: ResolvedTable, isBehind = false): ShownTable {
  const { workspace, id } = table
  const own = listColumns(workspace).map((column) => ({ ...column, as: workspaceName }))
  const projection = [...table.projection, ...own]
  const bare = listProjectedColumns(projection.filter(isBare)).map(toReadColumn)
  const shown = new Set(bare.map(toKey))
  const all = listReadColumns(table)
  return {
    ...table,
    projection,
    types: all.filter((one) => !shown.has(toKey(one))),
    ascii: all.flatMap((one) => (one.table === undefined && isAscii(one) ? [one.column] : [])),
    isBehind: isBehind && id.column.collation !== null,
  }
}

function isAscii({ column }: ReadColumn): boolean {
  return column.characterSet === 'ascii' && !isLong({ column })
}

/** Every column that the statements of a collection read, compare or order by, each once. */
function listReadColumns(table: ResolvedTable): readonly ReadColumn[] {
  const { workspace, id, updatedAt, eventId, status } = table
  const found: readonly FoundColumn[] = [
    ...listRecordColumns(table),
    ...listColumns(workspace),
    ...listEventColumns(eventId),
    ...(status.kind === 'cases' ? [] : [status]),
    ...[id, updatedAt],
    ...(updatedAt.untilChanged === undefined ? [] : [{ column: updatedAt.untilChanged }]),
  ]
  const lookups = listLookups(found)
  const ofLookups = lookups.flatMap(({ table: name, key, tests, order }) =>
    [key, ...tests.map(({ column }) => column), ...order].map((column) => ({ column, table: name })),
  )
  const ofLink =
    eventId?.kind === 'link'
      ? [eventId.invoice, eventId.event].map(({ column }) => ({ column, table: eventId.table }))
      : []
  const all = [...[...found, ...lookups.map(({ on }) => on)].map(toReadColumn), ...ofLookups, ...ofLink]
  return [...new Map(all.map((one) => [toKey(one), one])).values()]
}

function toReadColumn({ column, lookup }: FoundColumn): ReadColumn {
  return { column, table: lookup?.table }
}

function toKey({ column, table = '' }: ReadColumn): string {
  return `${table}\0${column.name.toLowerCase()}`
}

/** A statement of rows, whose result shows the types; its parameters as of `choose`. */
export function prepareRows(...parameters: Parameters<typeof choose>): Prepared {
  return prepareCells(...choose(...parameters))
}

/** The same as a part of another statement, without types. */
export function selectRows(table: ResolvedTable, rest: Sql): Sql {
  return selectCells(...choose({ ...table, types: [], ascii: [], isBehind: false }, rest))
}

/**
 * Rows with their lookups. The rows are chosen in a derived table, which reads no other table and has the limit, so that
 * lookups read at most one row for each of them whatever the optimizer estimates.
 *
 * @param source what follows the table behind FROM, with its conditions, order and limit; or a derived table that is complete.
 * @param proof what a page selects beside the cells of its records; its rows stand in the order of lists, others in none.
 */
function choose(
  shown: ShownTable,
  source: Sql,
  proof?: readonly Cell[],
  isDerived = false,
): Parameters<typeof prepareCells> {
  const { projection, updatedAt, id } = shown
  if (!isDerived && !listProjectedColumns(projection).some(isLookedUp))
    return [[...(proof ?? []), ...listCells(shown, nameOwn)], source]
  const page = isDerived ? source : sql`(${selectOwn(shown, source)})`
  const lookups = listLookups(listProjectedColumns(projection.filter((one) => !isSum(one))))
  const inPage = nameInPage(lookups)
  const name: NameColumn = (found) =>
    found.untilChanged === undefined ? inPage(found) : sql`${quote('page')}.${quote(timeName)}`
  const tables = join([sql`${page} as ${quote('page')}`, ...joinLookups(lookups)], ' ')
  const order = proof === undefined ? sql`` : sql` ${orderBy(name(updatedAt), name(id))}`
  return [[...(proof ?? []), ...listCells(shown, name, true)], sql`${tables}${order}`]
}

/** A column in a statement. @param found `as` is that of its cell */
export type NameColumn = (found: FoundColumn & Partial<Pick<ProjectedColumn, 'as'>>) => Sql

/** The cells of a row. The last one is that of a record, so that a row that was cut cannot be read as a whole one. */
export function listCells(shown: ShownTable, name: NameColumn, isInPage = false): readonly Cell[] {
  const { types, ascii, isBehind, id, projection } = shown
  const toType = ({ column, table }: ReadColumn): Cell => {
    if (table === undefined && !(isInPage && isLong({ column }))) return toTypeCell(name({ column }), column)
    const none = sql`(select ${quote(column.name)} from ${quote(table ?? shown.name)} limit 0)`
    return toCell(`type of ${column.name}`, none, column)
  }
  // An error where one of them has another character set meanwhile.
  const tests = ascii.map((column) => {
    const collation = new Sql(column.collation ?? '')
    return sql`${name({ column })} collate ${collation} is null`
  })
  return [
    ...types.map(toType),
    ...(tests.length === 0 ? [] : [toCell('ascii', sql`if(false, ${join(tests, ' or ')}, null)`)]),
    ...(isBehind ? [toCell('collation', toOtherCollation(id.column, name(id)))] : []),
    ...projection.map((one) =>
      isInPage && isPart(one)
        ? toCell(one.as, sql`${quote('page')}.${namePart(one)}`)
        : selectCell(one, name),
    ),
  ]
}

/** The collation of a column where it is not the one that it had; most rows have NULL, which the driver reads at once. */
function toOtherCollation({ collation }: Column, quoted: Sql): Sql {
  return sql`nullif(collation(${quoted}), ${new Sql(`'${collation ?? ''}'`)})`
}

function selectCell(one: Projected, name: NameColumn): Cell {
  if (one.kind === 'cases') {
    const word = selectCases(one, (test) => testCell(test, name(test)))
    return toCell(one.as, word)
  }
  if (isSum(one)) return toCell(one.as, selectSum(one, name(one.lookup.on)))
  return toCell(one.as, selectColumn(one, name(one)), isBare(one) ? one.column : undefined)
}

/** Whether a column is selected as it is, so that its cell shows its type. */
function isBare(one: Projected): boolean {
  const quoted = quote('')
  if (one.kind === 'cases' || isSum(one) || one.untilChanged !== undefined) return false
  return selectColumn(one, quoted) === quoted
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
 * The columns of the table itself that the projection, its lookups, the types and the order need, each once. Of a long text and of a
 * document it has the part that is shown, because the server keeps these rows in memory too.
 */
export function selectOwn({ projection, types, id, updatedAt }: ShownTable, rest: Sql): Sql {
  const own = [
    ...listProjectedColumns(projection.filter((one) => !isPart(one))),
    ...types.filter((one) => one.table === undefined && !isLong(one)),
    ...[id, updatedAt],
  ]
  const names = new Map(own.map(findOwnColumn).map(({ name }) => [name.toLowerCase(), quote(name)]))
  const parts = projection
    .filter(isPart)
    .map((one) => sql`${selectColumn(one, nameOwn(one))} as ${namePart(one)}`)
  const times = updatedAt.untilChanged === undefined ? [] : [sql`${nameOwn(updatedAt)} as ${quote(timeName)}`]
  return sql`select ${join([...names.values(), ...parts, ...times], ', ')} from ${rest}`
}

/** Whether a derived table has the part of a column that is shown, and not the column. */
function isPart(one: Projected): one is ProjectedColumn {
  return one.kind !== 'cases' && !isLookedUp(one) && isCut(one)
}

/** Whether a derived table does not have the whole column. */
function isLong({ column }: FoundColumn): boolean {
  const quoted = quote('')
  return cut(column, quoted) !== quoted
}

function namePart({ as }: Pick<ProjectedColumn, 'as'>): Sql {
  return quote(`vitrine ${as}`)
}
