import { isLookup, toOptions } from './mapping.js'
import type { Given, Option, TestValue } from './mapping.js'
import { isUnset } from './oracle-times.js'
import { findPlace, findTable } from './product.js'
import type { Cell, Column, Table } from './product.js'
import type { Ranks } from './server.js'

/** Everything that is stored, and how the server compares its texts. */
export interface World {
  readonly tables: readonly Table[]
  readonly ranks: Ranks
  readonly zone: string
}

/** A row with its table. */
export interface Place {
  readonly table: Table
  readonly row: readonly Cell[]
}

/** A cell with its column. */
export interface Found {
  readonly column: Column
  readonly cell: Cell
}

/** A lookup that points to several rows: nothing can be said of the row that has it. */
export class Several extends Error {}

/** The cell of a column of this row. */
function findOwn({ table, row }: Place, name: string): Found {
  const at = findPlace(table, name)
  return { column: table.columns[at]!, cell: row[at]! }
}

/** The cell of a column that an option names, NULL where a lookup finds no row. @throws Several */
export function findCell(world: World, place: Place, given: Given): Found {
  const option = toOptions(given)
  const name = option.column!
  if (!isLookup(option)) return findOwn(place, name)
  const row = follow(world, place, option)
  if (row !== undefined) return findOwn(row, name)
  const table = findTable(world.tables, option.from!)
  return { column: table.columns[findPlace(table, name)]!, cell: null }
}

function follow(world: World, place: Place, option: Option): Place | undefined {
  const table = findTable(world.tables, option.from!)
  const on = findCell(world, place, option.on!)
  const key = option.key ?? table.primary[0]!
  const rows = table.rows
    .map((row) => ({ table, row }))
    .filter((one) => isMatch(world, on, findOwn(one, key)))
    .filter((one) => (option.where ?? []).every((test) => holds(world, one, test)))
  if (rows.length > 1 && option.where === undefined && option.last !== true) throw new Several()
  return rows.sort((one, other) => comparePrimary(world, one, other)).at(option.last === true ? -1 : 0)
}

function comparePrimary(world: World, one: Place, other: Place): number {
  for (const name of one.table.primary) {
    const order = compareCells(world, findOwn(one, name), findOwn(other, name))
    if (order !== 0) return order
  }
  return 0
}

/** As a foreign key would: by the collation where both columns have the same, else byte for byte. */
export function isMatch(world: World, one: Found, other: Found): boolean {
  if (one.cell === null || other.cell === null) return false
  if (one.column.kind === 'integer') return BigInt(one.cell) === BigInt(other.cell)
  const isSame = one.column.collation !== undefined && one.column.collation === other.column.collation
  return isSame ? compareCells(world, one, other) === 0 : one.cell === other.cell
}

/** The order in which the server sorts two cells of one column: of an ENUM, that of its labels. */
export function compareCells(world: World, one: Found, other: Found): number {
  if (one.cell === null || other.cell === null) return Number(one.cell !== null) - Number(other.cell !== null)
  if (one.column.kind === 'integer') return compare(BigInt(one.cell), BigInt(other.cell))
  const labels = /^enum\((.*)\)$/.exec(one.column.type)?.[1]
  if (labels !== undefined) return labels.indexOf(`'${one.cell}'`) - labels.indexOf(`'${other.cell}'`)
  const ranks = one.column.collation === undefined ? undefined : world.ranks.get(one.column.collation)
  if (ranks === undefined) return compare(one.cell, other.cell)
  const [a, b] = [ranks.get(one.cell), ranks.get(other.cell)]
  if (a === undefined || b === undefined) throw new Error(`No rank for ${one.column.name}`)
  return a - b
}

function compare<Value extends bigint | string>(one: Value, other: Value): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Whether a condition holds for a row. @throws Several */
export function holds(world: World, place: Place, test: Option): boolean {
  if (test.column === undefined) return (follow(world, place, test) !== undefined) === (test.is === 'set')
  const found = findCell(world, place, test)
  if (test.is === 'set') return !isUnset(found.cell, found.column)
  if (test.is === 'unset') return isUnset(found.cell, found.column)
  if (test.is !== undefined) return isValue(found, test.is.equals)
  if (test.equals !== undefined) return isValue(found, test.equals)
  if (test.in !== undefined) return test.in.some((value) => isValue(found, value))
  if (test.notEquals !== undefined) return !isValue(found, test.notEquals)
  return !(test.notIn ?? []).some((value) => isValue(found, value))
}

/** Byte for byte, as everywhere; a boolean is 1 or 0. */
function isValue({ cell, column }: Found, value: TestValue): boolean {
  if (value === null) return isUnset(cell, column)
  if (cell === null) return false
  return column.kind === 'text' ? cell === value : Number(cell) === Number(value)
}
