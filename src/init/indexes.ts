import { renderCreateIndex } from '../database/quote.js'
import { findColumn, isSameName } from './description.js'
import type { DescribedColumn, DescribedTable } from './description.js'

/** An index that a proposed mapping needs. */
export interface MissingIndex {
  readonly table: string
  readonly ddl: string
  readonly reason: string
  /** From the server's estimate of the rows. */
  readonly estimatedBytes: number
}

/** What the rows of an index are found and sorted by. */
export interface IndexNeed {
  readonly table: DescribedTable
  readonly name: string
  /** Compared with one value each, in any order; they stand before the others. */
  readonly equal: readonly string[]
  /** In this order. */
  readonly sorted: readonly string[]
  readonly reason: string
}

/** The index for a need; undefined where the table has one, or is a view. */
export function findMissingIndex(need: IndexNeed): MissingIndex | undefined {
  const { table, name, equal, sorted, reason } = need
  const columns = [...equal, ...sorted.filter((column) => !equal.some((one) => isSameName(one, column)))]
  if (table.isView || columns.length === 0 || hasIndex(need)) return undefined
  return {
    table: table.name,
    ddl: renderCreateIndex(name, table.name, columns),
    reason,
    estimatedBytes: estimateBytes(table, columns),
  }
}

/** InnoDB keeps the primary key in every index, after its own columns. */
function hasIndex({ table, equal, sorted }: IndexNeed): boolean {
  return table.indexes.some((index) => {
    const own = index.isPartial ? index.columns : [...index.columns, ...table.primary]
    const columns = own.map((column) => column.toLowerCase())
    const first = columns.slice(0, equal.length)
    const rest = columns.slice(equal.length)
    return (
      equal.every((column) => first.includes(column.toLowerCase())) &&
      sorted.every((column, at) => rest[at] === column.toLowerCase())
    )
  })
}

const recordBytes = 6
/** Pages are filled to 15/16, and the pages above them take a little. */
const pageFill = 0.9

/** The size of an index: its columns and the primary key, for each row. */
export function estimateBytes(table: DescribedTable, columns: readonly string[]): number {
  const stored = [...new Set([...columns, ...table.primary].map((column) => column.toLowerCase()))]
  const bytes = stored.reduce((sum, name) => {
    const column = findColumn(table, name)
    return sum + (column === undefined ? 0 : countBytes(column))
  }, recordBytes)
  return Math.ceil((table.rows * bytes) / pageFill)
}

const fixedBytes: readonly (readonly [type: RegExp, bytes: number])[] = [
  [/^tinyint/i, 1],
  [/^smallint/i, 2],
  [/^(?:mediumint|date$)/i, 3],
  [/^(?:int|float)/i, 4],
  [/^(?:bigint|double|decimal|datetime|timestamp)/i, 8],
  [/^enum/i, 2],
]

function countBytes({ type, length, bytes }: DescribedColumn): number {
  const fixed = fixedBytes.find(([name]) => name.test(type))?.[1]
  if (fixed !== undefined) return fixed
  // Identifiers and words of a status are short, however long the column may be.
  return /^(?:char|binary)/i.test(type) ? Math.max(length, Math.min(bytes, length)) : Math.min(length, 32) + 2
}

/** Such as `12 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.ceil(bytes / 1024))} KiB`
  const mebibytes = bytes / 1024 / 1024
  return mebibytes < 1024 ? `${Math.ceil(mebibytes)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`
}
