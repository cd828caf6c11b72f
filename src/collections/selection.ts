import type { Column } from '../database/column.js'
import { join, prepare, quote, Sql, sql } from '../database/sql.js'
import type { Prepared } from '../database/sql.js'
import type { ResultColumn } from '../database/statement.js'
import { findOwnColumn, isLong, isLookedUp, listProjectedColumns, selectColumn } from './found-column.js'
import type { FoundColumn, NameColumn, Projected } from './found-column.js'
import { joinLookups, listLookups } from './lookup.js'
import { listRecordColumns, orderBy } from './resolved-table.js'
import type { ResolvedTable } from './resolved-table.js'
import { zeroOf } from './row-test.js'
import { listColumns } from './identifier-fields.js'
import { listEventColumns } from './event-filter.js'

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
  const proof = listColumns(workspace).map((column) => ({ ...selectColumn(column), as: workspaceName }))
  const projection = [...table.projection, ...proof]
  const bare = listProjectedColumns(projection.filter(isBare)).map(toReadColumn)
  const shown = new Set(bare.map(toKey))
  const all = listReadColumns(table)
  return {
    ...table,
    projection,
    types: all.filter((column) => !shown.has(toKey(column))),
    ascii: all.flatMap((read) => (read.table === undefined && isAscii(read) ? [read.column] : [])),
    isBehind: isBehind && id.column.collation !== null,
  }
}

function isAscii({ column }: ReadColumn): boolean {
  return column.characterSet === 'ascii' && !isLong(column)
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
  return [...new Map(all.map((column) => [toKey(column), column])).values()]
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
  const { name: inPage, joins } = joinLookups(projection)
  const name: NameColumn = (found) =>
    found.untilChanged === undefined ? inPage(found) : sql`${quote('page')}.${quote(timeName)}`
  const tables = join([sql`${page} as ${quote('page')}`, ...joins], ' ')
  const order = proof === undefined ? sql`` : sql` ${orderBy(name(updatedAt), name(id))}`
  return [[...(proof ?? []), ...listCells(shown, name, true)], sql`${tables}${order}`]
}

/** The cells of a row. The last one is that of a record, so that a row that was cut cannot be read as a whole one. */
export function listCells(shown: ShownTable, name: NameColumn, isInPage = false): readonly Cell[] {
  const { types, ascii, isBehind, id, projection } = shown
  const toType = ({ column, table }: ReadColumn): Cell => {
    if (table === undefined && !(isInPage && isLong(column))) return toTypeCell(name({ column }), column)
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
    ...projection.map((cell) =>
      isInPage && cell.kind === 'part'
        ? toCell(cell.as, sql`${quote('page')}.${namePart(cell)}`)
        : toCell(cell.as, cell.select(name), isBare(cell) ? cell.columns[0]?.column : undefined),
    ),
  ]
}

/** The collation of a column where it is not the one that it had; most rows have NULL, which the driver reads at once. */
function toOtherCollation({ collation }: Column, quoted: Sql): Sql {
  return sql`nullif(collation(${quoted}), ${new Sql(`'${collation ?? ''}'`)})`
}

/** Whether a column is selected as it is, so that its cell shows its type. */
function isBare({ columns: [found], select }: Projected): boolean {
  const quoted = quote('')
  return found !== undefined && found.untilChanged === undefined && select(() => quoted) === quoted
}

/** The time of change of the rows of a page, where two columns have it. */
export const timeName = 'vitrine time'

/** A column of the table itself, or the first of two that has a time. */
function nameOwn({ column, untilChanged }: FoundColumn): Sql {
  const cell = quote(column.name)
  if (untilChanged === undefined) return cell
  const created = quote(untilChanged.name)
  const zero = zeroOf(column)
  // In the condition of a row, a zero date of a column that is NOT NULL is NULL; in a cell it is not.
  return zero === undefined || (column.nullable && column.mayBeZero !== true)
    ? sql`coalesce(${cell}, ${created})`
    : sql`case when ${cell} > ${zero} then ${cell} else ${created} end`
}

/**
 * The columns of the table itself that the projection, its lookups, the types and the order need, each once. Of a long text and of a
 * document it has the part that is shown, because the server keeps these rows in memory too.
 */
export function selectOwn({ projection, types, id, updatedAt }: ShownTable, rest: Sql): Sql {
  const columns = [
    ...listProjectedColumns(projection.filter(({ kind }) => kind !== 'part')),
    ...types.filter(({ table, column }) => table === undefined && !isLong(column)),
    ...[id, updatedAt],
  ]
  const names = new Map(columns.map(findOwnColumn).map(({ name }) => [name.toLowerCase(), quote(name)]))
  const parts = projection
    .filter(({ kind }) => kind === 'part')
    .map((part) => sql`${part.select(nameOwn)} as ${namePart(part)}`)
  const times = updatedAt.untilChanged === undefined ? [] : [sql`${nameOwn(updatedAt)} as ${quote(timeName)}`]
  return sql`select ${join([...names.values(), ...parts, ...times], ', ')} from ${rest}`
}

function namePart({ as }: Projected): Sql {
  return quote(`vitrine ${as}`)
}
