import type { Row, RowReader } from '../database/statement.js'
import { orUndefined, RowFault } from '../errors.js'
import type { BoundCollection } from './collection.js'
import { readIdentifier } from '../values/identifier.js'
import { nowNames, parseHeartbeat } from '../database/heartbeat.js'
import type { Proof } from '../database/heartbeat.js'
import { readServerClock } from '../values/instant.js'
import type { Position } from './cursor.js'
import { toTypesText } from '../database/execute.js'
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
export function createPageReader(collection: BoundCollection, limit: number): RowReader<Records> {
  const invalid: InvalidRow[] = []
  let [json, count, rows, bytes, index, isCut] = ['', 0, 0, 0, -1, false]
  /** The JSON of the last record, or why it cannot be shown; a row with its id can still follow. */
  let found: string | InvalidRow | undefined
  let [lastId, last, proof]: [string | undefined, Position | undefined, Proof | undefined] = [
    undefined,
    undefined,
    undefined,
  ]
  const settle = (): void => {
    if (typeof found === 'string') {
      json = count === 0 ? found : `${json},${found}`
      count += 1
    } else if (found !== undefined) invalid.push(found)
    found = undefined
  }
  const add = (row: Row): void => {
    const id = toRawId(row['id'])
    const isRepeated = id !== undefined && id === lastId
    lastId = id
    rows += 1
    if (!isRepeated) index += 1
    // The row beyond the page is not shown: it tells that more follow. Rows are counted, not records: rows with one id can
    // fill the page and still not be the last ones.
    isCut ||= !isRepeated && bytes > pageBytesMax
    if (isCut || index >= limit) return
    if (!isRepeated) settle()
    found = isRepeated ? toInvalid(collection, row, repeated, true) : show(collection, row)
    if (typeof found === 'string') bytes += found.length
    if (rows >= limit || bytes > pageBytesMax) last = toPosition(collection, row)
  }
  return {
    read: (row) => {
      if (rows === 0) proof ??= readProof(row)
      // The row of a page without records has the proof alone.
      if (row[rowName] !== null) add(row)
    },
    end: (fields) => {
      settle()
      return {
        json,
        count,
        rows,
        invalid,
        last: isCut || rows > limit ? last : undefined,
        proof,
        types:
          rows === 0 && fields !== undefined && showsTypes(collection.table)
            ? toTypesText(fields)
            : undefined,
      }
    },
  }
}

/** Without a heartbeat, only the first page of a crawl selects the clock. */
function readProof(row: Row): Proof | undefined {
  const clock = row[nowNames.clock]
  if (clock === undefined) return undefined
  return {
    clock: readServerClock(clock),
    heartbeat: parseHeartbeat(row[nowNames.heartbeat]),
    oldestOpen: parseHeartbeat(row[nowNames.oldestOpen]),
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
  if (cell === null || cell === undefined) return undefined
  return Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell)
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
