import mysql from 'mysql2/promise'
import type { Product } from '../product/index.js'
import type { Cell, Rows, View } from '../product/product.js'
import type { Random } from '../product/random.js'
import type { CollectionName } from '../support/expected.js'

/** A row as the administrator's connection reads it: text and small numbers, never a Date. */
export type StoredRow = Readonly<Record<string, string | number | null>>

/** Columns and what is written into them. */
export type Sets = Readonly<Record<string, Cell>>

/** A table of a product as its writers know it; all of it is written without a look at the service's sources. */
export interface ProductTable {
  readonly collection: CollectionName
  /** Tables that a new record reaches; the first is the one that is listed. */
  readonly tables: readonly [string, ...string[]]
  readonly idColumn: string
  readonly timeColumn: string
  readonly timeDigits: number
  /** What the column of times means: minutes that it is ahead of UTC. */
  readonly offsetMinutes: number
  /** An id as it is bound. */
  readonly toStoredId: (id: string) => Cell
  /** What a change of the record's content writes; `mark` makes it unlike any other. */
  readonly change: (mark: number, random: Random) => Sets
  readonly archive: (random: Random) => Sets
  readonly restore: Sets
  /** Selects what must be visible of a workspace; `toView` makes the public record of each row. */
  readonly visibleSql: (workspaceId: string) => string
  readonly toView: (row: StoredRow) => View
}

/** Both tables of a product. */
export type ProductTables = Readonly<Record<CollectionName, ProductTable>>

/** What an administrator's connection needs so that times stay text and big numbers stay exact. */
export async function openConnection(adminUrl: string): Promise<mysql.Connection> {
  const connection = await mysql.createConnection({
    uri: adminUrl,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  })
  await connection.query("SET SESSION time_zone = '+00:00'")
  return connection
}

/** The instant of now in the column's own terms, moved back by some microseconds. */
export function nowSql({ timeDigits, offsetMinutes }: ProductTable, ageMicros: number): string {
  const micros = offsetMinutes * 60_000_000 - ageMicros
  return `CAST(UTC_TIMESTAMP(6) + INTERVAL ${micros} MICROSECOND AS DATETIME(${timeDigits}))`
}

/** The statement that writes columns of one row. */
export function updateSql(table: ProductTable, id: string, sets: Sets): string {
  const list = Object.entries(sets).map(([column, value]) => `${quote(column)} = ${mysql.escape(value)}`)
  return `UPDATE ${quote(table.tables[0])} SET ${list.join(', ')} WHERE ${isRowSql(table, id)}`
}

/** The statement that gives a row the time of now. */
export function touchSql(table: ProductTable, id: string): string {
  return `UPDATE ${quote(table.tables[0])} SET ${quote(table.timeColumn)} = ${nowSql(table, 0)} WHERE ${isRowSql(table, id)}`
}

/** The stored time of a row, as an expression. */
export function storedTimeSql(table: ProductTable, id: string): string {
  return `(SELECT ${quote(table.timeColumn)} FROM ${quote(table.tables[0])} WHERE ${isRowSql(table, id)})`
}

function isRowSql(table: ProductTable, id: string): string {
  return `${quote(table.idColumn)} = ${mysql.escape(table.toStoredId(id))}`
}

/** The statements that write one new record whose time of change is the stamp. */
export function insertSql(table: ProductTable, rows: readonly Rows[], stamp: string): readonly string[] {
  return rows
    .filter((one) => table.tables.includes(one.table) && one.values.length > 0)
    .map((one) => {
      const values = one.values.map((cells) =>
        cells.map((cell, at) => (one.columns[at] === table.timeColumn ? stamp : cell)),
      )
      return `INSERT INTO ${quote(one.table)} (${one.columns.map(quote).join(', ')}) VALUES ${mysql.escape(values)}`
    })
}

/** What the list must show now, as JSON by id: the product's own reading of its table. */
export async function readVisible(
  connection: mysql.Connection,
  table: ProductTable,
  product: Product,
): Promise<ReadonlyMap<string, string>> {
  const [rows] = await connection.query<mysql.RowDataPacket[]>(table.visibleSql(product.workspaceId(0)))
  return new Map(
    rows.map((row) => {
      const view = table.toView(row)
      return [String(view['id']), JSON.stringify(view)]
    }),
  )
}

/** A time in SQL as the API writes it: milliseconds, cut. */
export function publicTimeSql(time: string): string {
  return `CONCAT(LEFT(DATE_FORMAT(${time}, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`
}

/** A name in backquotes. */
export function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
