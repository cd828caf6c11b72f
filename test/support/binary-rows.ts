import type { ResultColumn } from '../../src/database/cells.js'
import { Cells } from '../../src/database/cells.js'
import type { Row, RowReader } from '../../src/database/statement.js'
import type { BoundCollection } from '../../src/collections/collection.js'
import { JsonBytes } from '../../src/values/json-bytes.js'

/*
 * Rows as the server sends them for a prepared statement: text as VARCHAR, a number as INT, a bigint as BIGINT, bytes as
 * BLOB, and text in the form of a time, `2026-03-01 09:30:00.123`, as DATETIME, or as DATE without a time of day.
 */

const time = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?$/

/** Gives rows of a collection to a reader, and returns its result. */
export function readBy<Result>(reader: RowReader<Result>, table: Projection, rows: readonly Row[]): Result {
  for (const row of rows) reader.read(toCells(sortCells(table, row)))
  return reader.end()
}

/** The JSON of the record of a row of a collection. */
export function writeRecord({ table, record }: Pick<BoundCollection, 'table' | 'record'>, row: Row): string {
  const out = new JsonBytes(8)
  record.write(toCells(sortCells(table, row)), out)
  return out.end().toString()
}

type Projection = Pick<BoundCollection['table'], 'projection'>

/** In the order in which statements select them; any other cell is behind them. */
function sortCells({ projection }: Projection, row: Row): Row {
  return { ...Object.fromEntries(projection.map(({ as }) => [as, row[as] ?? null])), ...row }
}

/** The cells of one row, in the order of its names. */
export function toCells(row: Row): Cells {
  const columns = Object.entries(row).map(([name, cell]) => describe(name, cell))
  const cells = new Cells(columns)
  const values = Object.values(row)
  const nulls = Buffer.alloc((values.length + 9) >> 3)
  for (const [at, cell] of values.entries())
    if (cell === null) nulls[(at + 2) >> 3] = (nulls[(at + 2) >> 3] ?? 0) | (1 << ((at + 2) & 7))
  const bytes = [Buffer.from([0]), nulls, ...values.filter((cell) => cell !== null).map(encode)]
  cells.scan(Buffer.concat(bytes), 0)
  return cells
}

function describe(name: string, cell: unknown): ResultColumn {
  const match = typeof cell === 'string' ? time.exec(cell) : null
  const columnType = match === null ? findType(cell) : match[4] === undefined ? 10 : 12
  const characterSet = columnType === 253 ? 255 : 63
  return { name, columnType, characterSet, flags: 0, decimals: match?.[7]?.length ?? 0 }
}

function findType(cell: unknown): number {
  if (Buffer.isBuffer(cell)) return 252
  if (typeof cell === 'number') return 3
  return typeof cell === 'bigint' ? 8 : 253
}

function encode(cell: unknown): Buffer {
  const match = typeof cell === 'string' ? time.exec(cell) : null
  if (match !== null) return encodeTime(match)
  if (typeof cell === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32LE(cell)
    return bytes
  }
  if (typeof cell === 'bigint') {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(cell)
    return bytes
  }
  const bytes = Buffer.isBuffer(cell) ? cell : Buffer.from(String(cell))
  return Buffer.concat([encodeLength(bytes.length), bytes])
}

function encodeLength(length: number): Buffer {
  if (length < 251) return Buffer.from([length])
  const bytes = Buffer.alloc(4)
  bytes[0] = 253
  bytes.writeUIntLE(length, 1, 3)
  return bytes
}

/** With as few bytes as the server sends. */
function encodeTime([, year, month, day, hour, minute, second, fraction]: RegExpExecArray): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16LE(Number(year), 1)
  for (const [at, part] of [month, day, hour, minute, second].entries()) bytes[3 + at] = Number(part ?? 0)
  bytes.writeUInt32LE(Number((fraction ?? '').padEnd(6, '0')), 8)
  const size = bytes.findLastIndex((byte, at) => at > 0 && byte !== 0)
  const length = size >= 8 ? 11 : size >= 5 ? 7 : size >= 1 ? 4 : 0
  bytes[0] = length
  return bytes.subarray(0, length + 1)
}
