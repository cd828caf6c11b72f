import type { Cells } from '../database/cells.js'
import type { RowReader } from '../database/statement.js'
import { orUndefined, RowFault } from '../errors.js'
import type { BoundCollection } from './collection.js'
import { readIdentifier } from '../values/identifier.js'
import { readServerClock } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { JsonBytes } from '../values/json-bytes.js'
import type { Position } from './cursor.js'

/** The records of a result. */
export interface Records {
  /** The records, separated by commas, behind the head that the reader began with. */
  readonly json: JsonBytes
  readonly count: number
  /** The number of rows that were read, with the one beyond a page. */
  readonly rows: number
  /** The rows that cannot be shown. */
  readonly invalid: readonly InvalidRow[]
  /** The place of the last row, if more rows follow. */
  readonly last: Position | undefined
  /** The clock of the database, where the statement selects it and there is a row. */
  readonly clock: Instant | undefined
}

/** A stored row that cannot be represented. */
export interface InvalidRow {
  readonly collection: string
  /** Null if it cannot be read. */
  readonly id: string | null
  readonly reason: string
  /** The stored code of a status that the mapping does not list. */
  readonly code: string | undefined
  /** Whether a statement returned the row more than once. */
  readonly isRepeated: boolean
}

/** The name under which a statement selects the clock of the database. */
export const clockName = 'startedAt'

/**
 * Reads the rows of a page, up to one more than it holds.
 *
 * @param head what stands before the records, in ASCII characters.
 */
export function createPageReader(collection: BoundCollection, limit: number, head = ''): RowReader<Records> {
  const set = new RecordSet(collection, limit, head)
  let clock: Instant | undefined
  let isFirst = true
  return {
    read: (cells) => {
      if (isFirst) clock = readClock(cells)
      isFirst = false
      set.add(cells)
    },
    byteLength: () => set.byteLength(),
    end: () => ({ ...set.toRecords(), clock }),
  }
}

/** Only the first page of a crawl selects it. */
function readClock(cells: Cells): Instant | undefined {
  const at = cells.find(clockName)
  return at === undefined ? undefined : readServerClock(cells.value(at))
}

/** Reads the rows of several records, by their ids as they are shown. */
export function createBatchReader(collection: BoundCollection): RowReader<ReadonlyMap<string, Records>> {
  const sets = new Map<string, RecordSet>()
  return {
    read: (cells) => {
      const id = readIdOrNull(collection, cells)
      if (id === null) return
      const set = sets.get(id) ?? new RecordSet(collection, 1)
      sets.set(id, set)
      set.add(cells)
    },
    byteLength: () => [...sets.values()].reduce((sum, set) => sum + set.byteLength(), 0),
    end: () => new Map([...sets].map(([id, set]) => [id, set.toRecords()])),
  }
}

/** An answer without a record. */
export const noRecords: Records = {
  json: new JsonBytes(0),
  count: 0,
  rows: 0,
  invalid: [],
  last: undefined,
  clock: undefined,
}

/** The usual size of a record, and of what stands around the records, in bytes. */
const [recordSize, frameSize] = [320, 512]
/** The largest first buffer, in bytes. */
const firstSizeMax = 16_384

/**
 * Makes records from rows, in their order. Rows with one id that follow each other are one record, which is not unique: its
 * id, or the key of a lookup, occurs twice.
 */
class RecordSet {
  readonly #collection: BoundCollection
  readonly #limit: number
  readonly #out: JsonBytes
  readonly #idAt: number
  #rows = 0
  #count = 0
  readonly #invalid: InvalidRow[] = []
  #last: Position | undefined
  /** The id of the row before, byte for byte: different bytes can be shown as the same text. */
  #id: string | undefined
  /** How many records there were before that of the row before, with the invalid ones, and the length of their JSON. */
  #before = { records: -1, length: 0 }

  constructor(collection: BoundCollection, limit: number, head = '') {
    this.#collection = collection
    this.#limit = limit
    this.#idAt = collection.record.at('id')
    this.#out = new JsonBytes(Math.min(limit * recordSize + frameSize, firstSizeMax))
    this.#out.ascii(head)
  }

  add(cells: Cells): void {
    const id = toRawText(cells, this.#idAt)
    const isRepeated = id !== undefined && id === this.#id
    if (!isRepeated) this.#before = { records: this.#before.records + 1, length: this.#out.length }
    this.#id = id
    this.#rows += 1
    // The row beyond the page is not shown: it tells that more follow. Rows are counted, not records: rows with one id can
    // fill the page and still not be the last ones.
    if (this.#before.records >= this.#limit) return
    if (this.#rows >= this.#limit) this.#last = toPosition(this.#collection, cells)
    if (isRepeated) this.#repeat(cells)
    else this.#write(cells)
  }

  byteLength(): number {
    return this.#out.length
  }

  toRecords(): Records {
    return {
      json: this.#out,
      count: this.#count,
      rows: this.#rows,
      invalid: this.#invalid,
      last: this.#rows > this.#limit ? this.#last : undefined,
      clock: undefined,
    }
  }

  #write(cells: Cells): void {
    const out = this.#out
    const { length } = out
    try {
      if (this.#count > 0) out.ascii(',')
      this.#collection.record.write(cells, out)
      this.#count += 1
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      out.length = length
      this.#invalid.push(this.#toInvalid(cells, error))
    }
  }

  #repeat(cells: Cells): void {
    const shown = this.#count
    const { length } = this.#before
    if (this.#out.length > length) this.#count = shown - 1
    this.#out.length = length
    const fault = new RowFault('is found twice: its id, or the key of a lookup, is not unique')
    if (this.#count === shown) this.#invalid.pop()
    this.#invalid.push({ ...this.#toInvalid(cells, fault), isRepeated: true })
  }

  #toInvalid(cells: Cells, { message: reason, code }: RowFault): InvalidRow {
    const id = readIdOrNull(this.#collection, cells)
    return { collection: this.#collection.name, id, reason, code, isRepeated: false }
  }
}

function toRawText(cells: Cells, at: number): string | undefined {
  if (cells.isNull(at)) return undefined
  return cells.bytes.toString('latin1', cells.start(at), cells.start(at) + cells.length(at))
}

function toPosition(collection: BoundCollection, cells: Cells): Position {
  const updatedAt = cells.value(collection.record.at('updatedAt'))
  // An integer time is a number or text, depending on its size.
  const isTime = typeof updatedAt === 'string' || typeof updatedAt === 'number'
  return { updatedAt: isTime ? String(updatedAt) : null, id: readIdOrNull(collection, cells) }
}

function readIdOrNull({ table, record }: BoundCollection, cells: Cells): string | null {
  return orUndefined(() => readIdentifier(cells.value(record.at('id')), table.id.identifier)) ?? null
}
