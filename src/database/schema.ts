import { toKind } from './column.js'
import type { Column, Index, Table } from './column.js'
import { isAccessDenied } from './errors.js'
import { renderColumns, renderIndexes, renderTables } from './schema-sql.js'
import type { Row, RunQuery } from './statement.js'
import { toQuotedName } from './sql.js'

/** Tables and views by the name they were requested with; those that the user cannot see are absent. */
export type Schema = ReadonlyMap<string, Table>

/*
 * What `information_schema` shows, which this file and the audit rely on:
 * - `tables` has all tables on which the account has any privilege; `columns` and `key_column_usage` have only the columns that it
 *   may read. Without SHOW VIEW, MariaDB leaves out an index with another column.
 * - MariaDB has `longtext` for JSON, writes defaults as SQL (`'a'`, `NULL`), and has the types SYSTEM VERSIONED and SEQUENCE.
 * - In `statistics`, `sub_part` is a prefix, `collation` D a descending part, NULL a hash, and an expression has no `column_name`.
 *   `is_visible`, `ignored` or the comment `disabled` hide an index.
 * - Each key of a system-versioned table ends with the column of ROW END, which only SHOW CREATE TABLE names.
 */

/** The columns and indexes of tables and views. Source: `information_schema`. */
export async function readSchema(runQuery: RunQuery, tables: readonly string[]): Promise<Schema> {
  const names = [...new Set(tables)]
  const columns = groupRows(await runQuery(renderColumns(names)), 'tableName')
  const indexes = groupRows(await runQuery(renderIndexes(names)), 'tableName')
  const listed = await readTables(runQuery, { names })
  const types = new Map(listed.map((table) => [table.name, table]))
  const rowEnds = await readRowEnds(runQuery, listed)
  const schema = new Map<string, Table>()
  for (const name of names) {
    const rows = findStored(columns, name)
    if (rows === undefined) continue
    const rowEnd = findStored(rowEnds, name)
    schema.set(name, {
      name,
      isView: findStored(types, name)?.isView === true,
      columns: new Map(rows.map(toColumn).map((column) => [column.name.toLowerCase(), column])),
      indexes: toIndexes(findStored(indexes, name) ?? [], rowEnd?.toLowerCase()),
      rowEnd,
    })
  }
  return schema
}

/** The columns of the primary key of a table, in the spelling of the server; none for a view. */
export function listPrimaryKey({ indexes, columns }: Table): readonly string[] {
  const primary = indexes.find(({ name }) => name === 'PRIMARY')?.columns ?? []
  return primary.map((column) => columns.get(column)?.name ?? column)
}

/** A table or view as `information_schema` lists it. */
export type ListedTable = ReturnType<typeof toListedTable>

/** The tables and views that the user may see, by name. */
export async function readTables(
  runQuery: RunQuery,
  only: Parameters<typeof renderTables>[0] = {},
): Promise<readonly ListedTable[]> {
  const rows = await runQuery(renderTables(only))
  return rows.map(toListedTable)
}

function toListedTable({ tableName, type, engine, rowCount }: Row) {
  const isView = String(type).includes('VIEW')
  return {
    name: String(tableName),
    /** Such as `BASE TABLE` or `VIEW`. */
    type: String(type),
    isView,
    /** The storage engine, `unknown` where the server cannot open the table; undefined for a view. */
    engine: isView ? undefined : typeof engine === 'string' ? engine : 'unknown',
    /** The estimate of the server; undefined for a view. */
    rows: rowCount === null || rowCount === undefined ? undefined : Number(rowCount),
  }
}

/**
 * The column with the end of each row, which MariaDB adds to every key of a system-versioned table. Only the statement that
 * makes the table says which one it is, and only where the product named it.
 */
async function readRowEnds(
  runQuery: RunQuery,
  tables: readonly ListedTable[],
): Promise<ReadonlyMap<string, string>> {
  const ends = new Map<string, string>()
  for (const { name } of tables.filter(({ type }) => type === 'SYSTEM VERSIONED')) {
    const text = await readDefinition(runQuery, name)
    const [, end] = /PERIOD FOR SYSTEM_TIME \(`(?:[^`]|``)*`, `((?:[^`]|``)*)`\)/i.exec(text) ?? []
    if (end !== undefined) ends.set(name, end.replaceAll('``', '`'))
  }
  return ends
}

/** The statement that makes a table; empty without SHOW VIEW on it, which the audit then misses. */
async function readDefinition(runQuery: RunQuery, name: string): Promise<string> {
  try {
    const [row] = await runQuery({ sql: `show create table ${toQuotedName(name)}`, values: [] })
    return String(row?.['Create Table'])
  } catch (error) {
    if (isAccessDenied(error)) return ''
    throw error
  }
}

/** By the exact name, or else in lower case, which some servers store for every table. */
function findStored<Value>(stored: ReadonlyMap<string, Value>, name: string): Value | undefined {
  return stored.get(name) ?? stored.get(name.toLowerCase())
}

/** Rows of `information_schema` by one of their cells. */
export function groupRows(rows: readonly Row[], cell: string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const name = String(row[cell])
    const group = groups.get(name) ?? []
    groups.set(name, group)
    group.push(row)
  }
  return groups
}

/** The column of a row of `information_schema.columns`. */
export function toColumn(row: Row): Column {
  // MariaDB says of a view's time in which form it is stored.
  const type = toText(row['columnType']).replace(/ \/\*.*\*\//, '')
  return {
    name: String(row['name']),
    kind: toKind(String(row['dataType'])),
    type,
    nullable: row['nullable'] === 'YES',
    unsigned: /unsigned/i.test(type),
    length: Number(row['length']),
    fractionDigits: Number(row['fractionDigits']),
    characterSet: toTextOrNull(row['characterSet']),
    collation: toTextOrNull(row['collation']),
    zerofill: /zerofill/i.test(type),
  }
}

/** The indexes of one table. Names are in lower case; an index ends before the first part that is not a whole column. */
export function toIndexes(rows: readonly Row[], rowEnd?: string): readonly Index[] {
  const isPart = (row: Row): boolean => toText(row['partName']).toLowerCase() !== rowEnd
  const groups = groupRows(rows.filter(isPart), 'name')
  const listNames = (parts: readonly Row[], cell: 'columnName' | 'partName'): readonly (string | null)[] =>
    parts.map((part) => toTextOrNull(part[cell])?.toLowerCase() ?? null)
  const primary = takeWhole(listNames(groups.get('PRIMARY') ?? [], 'columnName'))
  return [...groups].map(([name, parts]) => {
    const columns = listNames(parts, 'columnName')
    const whole = takeWhole(columns)
    const complete = whole.length === columns.length
    const isUnique = parts.length === 1 && Number(parts[0]?.['nonUnique']) === 0
    const uniqueOn = isUnique ? (listNames(parts, 'partName')[0] ?? undefined) : undefined
    const ordered = complete ? [...whole, ...primary.filter((column) => !whole.includes(column))] : whole
    const alter = findAlter(name, parts[0])
    if (alter === undefined) return { name, uniqueOn, columns: ordered }
    // It makes its column unique all the same, and no statement can name it.
    return { name: '', uniqueOn, columns: [], unused: { alter, columns: ordered } }
  })
}

/** How an index is put into use again that the optimizer does not use; undefined for one that it uses. */
function findAlter(name: string, part: Row = {}): string | undefined {
  const index = `ALTER INDEX ${toQuotedName(name)}`
  if (part['IS_VISIBLE'] === 'NO') return `${index} VISIBLE`
  if (part['IGNORED'] === 'YES') return `${index} NOT IGNORED`
  return part['COMMENT'] === 'disabled' ? 'ENABLE KEYS' : undefined
}

function takeWhole(columns: readonly (string | null)[]): readonly string[] {
  const end = columns.indexOf(null)
  return columns.slice(0, end === -1 ? columns.length : end).filter((column) => column !== null)
}

/** Some cells are text on one server and bytes on another. */
export function toText(cell: unknown): string {
  return Buffer.isBuffer(cell) ? cell.toString() : typeof cell === 'string' ? cell : ''
}

function toTextOrNull(cell: unknown): string | null {
  return cell === null || cell === undefined ? null : toText(cell)
}
