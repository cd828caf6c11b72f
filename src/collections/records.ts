import type { ColumnDefinitions, Row, RowReader } from '../database/statement.js'
import { orUndefined, RowFault } from '../errors.js'
import type { BoundCollection } from './collection.js'
import { readIdentifier } from '../values/identifier.js'
import { nowNames, readProof } from '../database/heartbeat.js'
import type { Proof } from '../database/heartbeat.js'
import type { Position } from './cursor.js'
import { toTypesText } from '../database/execute.js'
import type { FoundColumn } from './resolved-table.js'
import { rowName, showsTypes } from './rows.js'

/** The records of a result. */
export interface Records {
  /** The JSON of the records, separated by commas. */
  readonly json: string
  readonly count: number
  /** The number of rows that were read, with the one beyond a page. */
  readonly rows: number
  /** The rows that cannot be shown. */
  readonly invalid: readonly InvalidRow[]
  /** The place of the last row, if more rows follow. */
  readonly last: Position | undefined
  /** What the statement proves of its rows; undefined where it selects no clock, or there is no row. */
  readonly proof: Proof | undefined
  /** The definitions of the columns of an empty result, by their names; see `showsTypes`. */
  readonly types?: string | undefined
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

/** A page ends before its limit where its records have so many bytes; the cursor leads to the rest. */
export const pageBytesMax = 4_194_304

/** An answer without a record. */
export const noRecords: Records = {
  json: '',
  count: 0,
  rows: 0,
  invalid: [],
  last: undefined,
  proof: undefined,
}

/**
 * Reads the rows of a page, up to one more than it holds, in their order. Rows with one id that follow each other are one
 * record, which is not unique: its id, or the key of a lookup, occurs twice.
 */
export class PageReader implements RowReader<Records> {
  readonly #collection: BoundCollection
  readonly #limit: number
  readonly #hasProofAlone: boolean
  readonly #compared: readonly FoundColumn[] | null
  readonly #invalid: InvalidRow[] = []
  #json = ''
  #count = 0
  #rows = 0
  #bytes = 0
  /** The place in the page of the record of the last row; it is beyond the page from the limit on. */
  #index = -1
  #isCut = false
  /** The JSON of the last record, or why it cannot be shown; a row with its id can still follow. */
  #found: string | InvalidRow | undefined
  #lastId: string | undefined
  #last: Position | undefined
  #proof: Proof | undefined

  /** @param compared the columns by which rows are found, beside those of every statement; null where columns of other tables decide too */
  constructor(collection: BoundCollection, limit: number, compared: readonly FoundColumn[] | null = []) {
    this.#collection = collection
    this.#limit = limit
    this.#compared = compared
    this.#hasProofAlone = collection.table.heartbeat !== undefined
  }

  read(row: Row): void {
    // Without a heartbeat, only the first page of a crawl selects the clock.
    if (this.#rows === 0 && nowNames.clock in row) this.#proof ??= readProof(row)
    // The row of a page without records has the proof alone.
    if (!this.#hasProofAlone || row[rowName] !== null) this.#add(row)
  }

  end(columns: ColumnDefinitions): Records {
    this.#settle()
    const hasMore = this.#isCut || this.#rows > this.#limit
    return {
      json: this.#json,
      count: this.#count,
      rows: this.#rows,
      invalid: this.#invalid,
      last: hasMore ? this.#last : undefined,
      proof: this.#proof,
      types: this.#rows === 0 && this.#showsTypes() ? toTypesText(columns) : undefined,
    }
  }

  #showsTypes(): boolean {
    return this.#compared !== null && showsTypes(this.#collection.table, this.#compared)
  }

  #add(row: Row): void {
    const id = toRawId(row['id'])
    const isRepeated = id !== undefined && id === this.#lastId
    this.#lastId = id
    this.#rows += 1
    if (isRepeated) {
      this.#repeat(row)
      return
    }
    this.#index += 1
    // The row beyond the page is not shown: it tells that more follow. Rows are counted, not records: rows with one id can
    // fill the page and still not be the last ones.
    this.#isCut ||= this.#bytes > pageBytesMax
    if (this.#isCut || this.#index >= this.#limit) return
    this.#settle()
    const found = show(this.#collection, row)
    this.#found = found
    if (typeof found === 'string') this.#bytes += found.length
    this.#note(row)
  }

  #repeat(row: Row): void {
    if (this.#isCut || this.#index >= this.#limit) return
    this.#found = toInvalid(this.#collection, row, repeated, true)
    this.#note(row)
  }

  /** Notes the place of a row that can be the last one. */
  #note(row: Row): void {
    if (this.#rows >= this.#limit || this.#bytes > pageBytesMax)
      this.#last = toPosition(this.#collection, row)
  }

  #settle(): void {
    const found = this.#found
    if (found === undefined) return
    if (typeof found === 'string') {
      this.#json = this.#count === 0 ? found : `${this.#json},${found}`
      this.#count += 1
    } else this.#invalid.push(found)
    this.#found = undefined
  }
}

const repeated = new RowFault('is found twice: its id, or the key of a lookup, is not unique')

function show(collection: BoundCollection, row: Row): string | InvalidRow {
  try {
    return collection.record(row)
  } catch (error) {
    if (error instanceof RowFault) return toInvalid(collection, row, error)
    throw error
  }
}

function toInvalid(
  collection: BoundCollection,
  row: Row,
  { message: reason, code }: RowFault,
  isRepeated = false,
): InvalidRow {
  return { collection: collection.name, id: readIdOrNull(collection, row), reason, code, isRepeated }
}

function toRawId(cell: unknown): string | undefined {
  if (typeof cell === 'string') return cell
  if (Buffer.isBuffer(cell)) return cell.toString('latin1')
  return typeof cell === 'number' ? String(cell) : undefined
}

function toPosition(collection: BoundCollection, row: Row): Position {
  const updatedAt = row['updatedAt']
  // An integer time is a number or text, depending on its size.
  const isTime = typeof updatedAt === 'string' || typeof updatedAt === 'number'
  return { updatedAt: isTime ? String(updatedAt) : null, id: readIdOrNull(collection, row) }
}

function readIdOrNull({ table }: BoundCollection, row: Row): string | null {
  return orUndefined(() => readIdentifier(row['id'], table.id.identifier)) ?? null
}
