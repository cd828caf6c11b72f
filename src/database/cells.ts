import { formatDateTime, formatDay, readDateTime } from '../values/date-time.js'
import type { DateTime } from '../values/date-time.js'

/** Types of cells on the wire. Source: MySQL manual, "enum_field_types". */
const wire = {
  tiny: 1,
  short: 2,
  long: 3,
  float: 4,
  double: 5,
  timestamp: 7,
  longlong: 8,
  int24: 9,
  date: 10,
  datetime: 12,
  year: 13,
  bit: 16,
  json: 245,
  decimal: 246,
} as const

/** The size of a cell in bytes, where it is the same for every cell of the type. Other cells begin with their length. */
const sizes: Readonly<Record<number, number>> = {
  [wire.tiny]: 1,
  [wire.short]: 2,
  [wire.year]: 2,
  [wire.long]: 4,
  [wire.int24]: 4,
  [wire.float]: 4,
  [wire.double]: 8,
  [wire.longlong]: 8,
}
/** A length from this one on does not fit into its first byte, which says then how many bytes follow. */
const longLengthMin = 251
/** Of eight bytes the last two are 0: no cell is so long. */
const lengthWidths: Readonly<Record<number, number>> = { 252: 2, 253: 3, 254: 8 }
const unsignedFlag = 32
const binaryCharacterSet = 63

/** A column of a result, as the server describes it. */
export interface ResultColumn {
  /** The name under which the statement selects it. */
  readonly name: string
  readonly columnType: number
  /** The id of a collation. */
  readonly characterSet: number
  readonly flags: number
  /** Of a time, the number of its fractional digits; 31 where it is not fixed. */
  readonly decimals: number
}

/** The cells of the current row of a result, by their position; `scan` goes to a row. */
export class Cells {
  /** The bytes that hold the row, until the next one is scanned. */
  bytes: Buffer = Buffer.alloc(0)
  readonly #columns: readonly ResultColumn[]
  readonly #areText: readonly boolean[]
  readonly #sizes: Uint8Array
  readonly #starts: Int32Array
  /** -1 for NULL. */
  readonly #lengths: Int32Array

  constructor(columns: readonly ResultColumn[]) {
    this.#columns = columns
    this.#areText = columns.map(isText)
    this.#sizes = new Uint8Array(columns.map(({ columnType }) => sizes[columnType] ?? 0))
    this.#starts = new Int32Array(columns.length)
    this.#lengths = new Int32Array(columns.length)
  }

  /** Goes to a row in binary form. Source: MySQL manual, "Binary Protocol Resultset Row". */
  scan(bytes: Buffer, start: number): void {
    this.bytes = bytes
    const nulls = start + 1
    let at = nulls + ((this.#sizes.length + 9) >> 3)
    for (let column = 0; column < this.#sizes.length; column += 1) {
      const size = this.#sizes[column] ?? 0
      const bit = column + 2
      if (((bytes[nulls + (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0) {
        this.#lengths[column] = -1
        continue
      }
      let length = size
      if (size === 0) {
        length = bytes[at] ?? 0
        at += 1
        if (length >= longLengthMin) {
          const width = lengthWidths[length] ?? 0
          length = bytes.readUIntLE(at, Math.min(width, 6))
          at += width
        }
      }
      this.#starts[column] = at
      this.#lengths[column] = length
      at += length
    }
  }

  /** The position of a column by the name under which it is selected. */
  find(name: string): number | undefined {
    const at = this.#columns.findIndex((column) => column.name === name)
    return at === -1 ? undefined : at
  }

  /** The cells of the row by the names under which they are selected. */
  toRow(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#columns.map(({ name }, at) => [name, this.value(at)]))
  }

  isNull(at: number): boolean {
    return this.length(at) < 0
  }

  /** Where the cell begins in `bytes`. */
  start(at: number): number {
    return this.#starts[at] ?? 0
  }

  /** In bytes; -1 for NULL. */
  length(at: number): number {
    return this.#lengths[at] ?? -1
  }

  /** Whether the cells of a column are text, as UTF-8. */
  isText(at: number): boolean {
    return this.#areText[at] === true
  }

  /** The cell of a DATETIME or TIMESTAMP; undefined for one of another type. */
  time(at: number): DateTime | undefined {
    const { columnType } = this.#column(at)
    if (columnType !== wire.datetime && columnType !== wire.timestamp) return undefined
    return readDateTime(this.bytes, this.start(at), this.length(at))
  }

  /** The cell of a DATE; undefined for one of another type. */
  day(at: number): DateTime | undefined {
    if (this.#column(at).columnType !== wire.date) return undefined
    return readDateTime(this.bytes, this.start(at), this.length(at))
  }

  /** The cell as text, a number or bytes, whatever its type is; a time and a BIGINT as text, NULL as null. */
  value(at: number): string | number | Buffer | null {
    const [start, end] = [this.start(at), this.start(at) + this.length(at)]
    if (end < start) return null
    const column = this.#column(at)
    const [time, day] = [this.time(at), this.day(at)]
    if (time !== undefined) return formatDateTime(time, Math.min(column.decimals, 6))
    if (day !== undefined) return formatDay(day)
    if (sizes[column.columnType] !== undefined) return readNumber(this.bytes, start, column)
    if (column.columnType === wire.decimal) return this.bytes.toString('latin1', start, end)
    const isBytes = column.characterSet === binaryCharacterSet && column.columnType !== wire.json
    return isBytes ? Buffer.from(this.bytes.subarray(start, end)) : this.bytes.toString('utf8', start, end)
  }

  #column(at: number): ResultColumn {
    const column = this.#columns[at]
    if (column === undefined) throw new Error(`The result has no column ${at}`)
    return column
  }
}

function isText({ columnType, characterSet }: ResultColumn): boolean {
  return sizes[columnType] === undefined && !isOther.has(columnType) && characterSet !== binaryCharacterSet
}

const isOther: ReadonlySet<number> = new Set([
  wire.date,
  wire.datetime,
  wire.timestamp,
  wire.decimal,
  wire.bit,
])

function readNumber(bytes: Buffer, start: number, { columnType, flags }: ResultColumn): number | string {
  const isUnsigned = (flags & unsignedFlag) !== 0
  if (columnType === wire.float) return bytes.readFloatLE(start)
  if (columnType === wire.double) return bytes.readDoubleLE(start)
  if (columnType === wire.longlong)
    return String(isUnsigned ? bytes.readBigUInt64LE(start) : bytes.readBigInt64LE(start))
  const size = sizes[columnType] ?? 1
  return isUnsigned || columnType === wire.year ? bytes.readUIntLE(start, size) : bytes.readIntLE(start, size)
}
