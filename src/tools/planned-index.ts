import type { Column } from '../database/column.js'
import { toQuotedName } from '../database/sql.js'

/** An index that a table does not have. */
export interface PlannedIndex {
  readonly name: string
  readonly table: string
  readonly columns: readonly Column[]
}

/** The statement that makes an index. */
export function renderCreateIndex({ name, table, columns }: PlannedIndex): string {
  const names = columns.map((column) => toQuotedName(column.name)).join(', ')
  return `CREATE INDEX ${toQuotedName(name)} ON ${toQuotedName(table)} (${names});`
}

/** Bytes of an entry beside its columns: header, transaction and the space that pages leave empty. */
const entryOverhead = { bytes: 13, fill: 1.4 } as const

/** The size of an index, from the server's estimate of the rows. */
export function estimateIndexBytes({ columns }: Pick<PlannedIndex, 'columns'>, rows: number): number {
  const width = columns.reduce((sum, column) => sum + estimateWidth(column), 0)
  return Math.ceil(rows * (width + entryOverhead.bytes) * entryOverhead.fill)
}

/** The size in words, such as `about 12 MB`. */
export function describeBytes(bytes: number | undefined): string {
  if (bytes === undefined) return 'of unknown size'
  return bytes < 1e6 ? 'less than 1 MB' : `about ${Math.round(bytes / 1e6)} MB`
}

/** Longer texts are usually not filled; identifiers are. */
const textLengthMax = 40

const integerBytes: Readonly<Record<string, number>> = { tinyint: 1, smallint: 2, mediumint: 3, int: 4 }

/** The bytes of a stored value. */
function estimateWidth({ kind, type, length, fractionDigits }: Column): number {
  const word = /^[a-z]+/.exec(type.toLowerCase())?.[0] ?? ''
  const fraction = Math.ceil(fractionDigits / 2)
  if (kind === 'datetime') return 5 + fraction
  if (kind === 'timestamp') return 4 + fraction
  if (word === 'enum') return 2
  if (kind === 'text' || kind === 'binary') return Math.min(length, textLengthMax) + 1
  return integerBytes[word] ?? 8
}
