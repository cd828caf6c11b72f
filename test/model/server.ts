import mysql from 'mysql2/promise'
import type { Cell, Column, Product, Table } from './product.js'

/** A connection of the model's own, with which the oracle reads what is stored. */
export type Connection = mysql.Connection

/** Connects as the administrator; the server takes days that do not exist and cuts what does not fit. */
export async function connect(url: string): Promise<Connection> {
  const connection = await mysql.createConnection({
    uri: url,
    charset: 'utf8mb4',
    multipleStatements: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  })
  await connection.query("set sql_mode = 'allow_invalid_dates', time_zone = '+00:00'")
  return connection
}

/** A name in backticks. */
export function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

/** Makes the tables of a product in a new database, which becomes the current one. */
export async function createTables(
  connection: Connection,
  database: string,
  { tables }: Product,
): Promise<void> {
  const made = tables.filter(({ viewOf }) => viewOf === undefined)
  const statements = [
    `create database ${quote(database)} character set utf8mb4`,
    `use ${quote(database)}`,
    ...tables.map(renderCreate),
    ...made.filter(({ rows }) => rows.length > 0).map(renderInsert),
  ]
  await connection.query(statements.join(';\n'))
}

/** The text that makes a table. */
export function renderCreate(table: Table): string {
  const { name, viewOf, columns, primary, unique, indexes } = table
  const list = (names: readonly string[]): string => names.map(quote).join(', ')
  if (viewOf !== undefined)
    return `create view ${quote(name)} as select ${list(columns.map((one) => one.name))} from ${quote(viewOf)}`
  // MySQL rejects an index of a whole long text, which MariaDB makes of its first characters.
  const long = columns.filter(({ type }) => /text|\(\d{4}\)/.test(type)).map((column) => column.name)
  const isLong = (column: string): boolean => long.includes(column)
  const parts = [
    ...columns.map((column) => `${quote(column.name)} ${renderType(column)}`),
    ...(primary.length === 0 ? [] : [`primary key (${list(primary)})`]),
    ...unique.map((column) => `unique (${quote(column)})`),
    ...indexes.filter((index) => !index.some(isLong)).map((index) => `index (${list(index)})`),
  ]
  return `create table ${quote(name)} (\n  ${parts.join(',\n  ')})`
}

/** A type with its collation and nullability. */
export function renderType({ type, collation, nullable, kind }: Column): string {
  const set = collation === undefined ? '' : ` character set ${toCharset(collation)} collate ${collation}`
  // Without a default, the first TIMESTAMP would follow the clock.
  const value = !nullable && kind === 'timestamp' ? " default '2000-01-01 00:00:00'" : ''
  return `${type}${set}${nullable ? ' null' : ` not null${value}`}`
}

function toCharset(collation: string): string {
  return collation.split('_')[0]!
}

/** The text that fills a table; a row that the server does not take is left out. */
export function renderInsert({ name, columns, rows }: Table): string {
  const lines = rows.map((row) => `(${row.map((cell, at) => renderCell(cell, columns[at]!)).join(', ')})`)
  return `insert ignore into ${quote(name)} values\n  ${lines.join(',\n  ')}`
}

function renderCell(cell: Cell, { kind }: Column): string {
  if (cell === null) return 'null'
  if (kind === 'binary') return `x'${cell}'`
  if (kind === 'text' || kind === 'json')
    return cell === '' ? "''" : `_utf8mb4 x'${Buffer.from(cell).toString('hex')}'`
  return kind === 'date' || kind === 'datetime' || kind === 'timestamp' ? `'${cell}'` : cell
}

/** The same product with the rows that are stored, each table in one plain SELECT. */
export async function readTables(
  connection: Connection,
  { tables }: Pick<Product, 'tables'>,
): Promise<readonly Table[]> {
  const sets = await queryAll<readonly Cell[]>(connection, tables.map(renderRead))
  return tables.map((table, at) => ({
    ...table,
    rows: sets[at]!.map((row) => row.map((cell, place) => toCell(cell, table.columns[place]!))),
  }))
}

/** Sends several statements at once. @returns the rows of each */
async function queryAll<Row>(
  connection: Connection,
  statements: readonly string[],
): Promise<readonly (readonly Row[])[]> {
  if (statements.length === 0) return []
  const [results] = await connection.query({ sql: statements.join(';\n'), rowsAsArray: true })
  return (statements.length === 1 ? [results] : results) as unknown as readonly (readonly Row[])[]
}

function renderRead({ name, columns }: Table): string {
  return `select ${columns.map(renderReadCell).join(', ')} from ${quote(name)}`
}

function renderReadCell({ name, kind }: Column): string {
  const quoted = quote(name)
  if (kind === 'text') return `hex(convert(${quoted} using utf8mb4))`
  if (kind === 'binary') return `lower(hex(${quoted}))`
  return `cast(${kind === 'bit' ? `${quoted} + 0` : quoted} as char)`
}

function toCell(cell: Cell, { kind }: Column): Cell {
  return cell === null || kind !== 'text' ? cell : Buffer.from(cell, 'hex').toString()
}

/** The rank of each text in each collation: equal texts have equal ranks, as the server itself compares them. */
export type Ranks = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Asks the server in which order each collation has the texts of the columns that are compared or sorted. */
export async function readRanks(
  connection: Connection,
  columns: readonly { readonly table: string; readonly column: Column }[],
): Promise<Ranks> {
  const groups = new Map<string, Set<string>>()
  for (const { table, column } of columns) {
    if (column.collation === undefined) continue
    const group = groups.get(column.collation) ?? new Set<string>()
    groups.set(column.collation, group.add(`select ${quote(column.name)} as v from ${quote(table)}`))
  }
  const collations = [...groups.keys()]
  const statements = collations.map((one) => renderRanks([...groups.get(one)!]))
  const sets = await queryAll<readonly [string, unknown]>(connection, statements)
  return new Map(
    collations.map((one, at) => [
      one,
      new Map(sets[at]!.map(([hex, rank]) => [Buffer.from(hex, 'hex').toString(), Number(rank)])),
    ]),
  )
}

function renderRanks(selects: readonly string[]): string {
  return `select distinct hex(convert(v using utf8mb4)), dense_rank() over (order by v)
    from (${selects.join(' union all ')}) as texts where v is not null`
}
