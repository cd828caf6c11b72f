import { ResultError } from '../database/errors.js'
import type { Row } from '../database/statement.js'
import { orUndefined, RowFault } from '../errors.js'
import type { BoundCollection } from './collection.js'
import { isSame, readIdentifier } from '../values/identifiers.js'
import { readProof } from '../database/heartbeat.js'
import type { Proof } from '../database/heartbeat.js'
import type { Position } from './cursor.js'
import { matchName } from './entries-sql.js'
import type { ReadField, ResolvedField } from './field.js'
import { requireWorkspace } from './workspace.js'

/** The records of a result. */
export interface Records {
  /** The JSON of the records, separated by commas. */
  readonly json: string
  readonly count: number
  /** The number of rows that were read, with the one beyond a page. */
  readonly rows: number
  readonly invalid: readonly InvalidRow[]
  /** The place of the last row, if more rows follow. */
  readonly last: Position | undefined
  /** What the statement proves of its rows; undefined where it selects no clock or no row. */
  readonly proof: Proof | undefined
}

/** A stored row that cannot be represented. */
export interface InvalidRow {
  readonly collection: string
  /** Null if it cannot be read. */
  readonly id: string | null
  readonly reason: string
  /** The stored code of a status that the mapping does not list. */
  readonly code: string | undefined
}

/** An answer without a record. */
export const noRecords: Records = {
  json: '',
  count: 0,
  rows: 0,
  invalid: [],
  last: undefined,
  proof: undefined,
}

/** What rows are read for. */
export interface RecordsInput {
  readonly collection: BoundCollection
  readonly limit: number
  readonly behind?: Position | undefined
  readonly workspaceId: string
  /** Whether the schema was compared because this result, or another one, does not show all of it. */
  readonly isCompared: boolean
}

/**
 * The records of rows in the order of lists, up to one more than a page holds. Rows with one id that follow each other are one
 * record, which is not unique: its id, or the key of a lookup, occurs twice.
 *
 * @throws ResultError for rows of another workspace.
 */
export function toRecords(rows: readonly Row[], input: RecordsInput): Records {
  const { collection, limit, behind, workspaceId } = input
  const { table } = collection
  const [first] = rows
  if (first === undefined) return noRecords
  // Of an entry without an id no row is found, and none is shown.
  requireWorkspace(rows, { table, workspaceId }, (row) => isRecord(row) && row['id'] !== null)
  requireOrder(first, input)
  const { json, count, invalid, end } = showRows(rows, input)
  // Rows are counted, not records: rows with one id can fill the page and still not be the last ones.
  const hasMore = rows.length > limit
  return {
    json,
    count,
    invalid,
    rows: rows.length,
    last: hasMore ? findEnd(collection, rows.slice(0, end), behind) : undefined,
    // Without a heartbeat, only the first page of a crawl selects the clock.
    proof: readProof(first),
  }
}

/** A definition does not show the collation of the id, by which the rows behind a position are found. */
function requireOrder(first: Row, { collection: { table }, isCompared }: RecordsInput): void {
  const { collation = null } = first
  if (collation !== null && !isCompared)
    throw new ResultError('types', `the ids of ${table.name} have another collation`)
}

interface Shown extends Pick<Records, 'json' | 'count' | 'invalid'> {
  /** The place of the first row that was not read. */
  readonly end: number
}

function showRows(rows: readonly Row[], { collection, limit, isCompared }: RecordsInput): Shown {
  const invalid: InvalidRow[] = []
  let json = ''
  let count = 0
  let end = 0
  for (let places = 0; places < limit; places += 1) {
    const row = rows[end]
    if (row === undefined) break
    const next = findNext(rows, end)
    const isOne = next === end + 1
    end = next
    if (!isRecord(row)) continue
    if (!isOne && !isCompared) throw new ResultError('types', 'a row was found twice')
    const found = isOne ? show(collection, row) : toInvalid(collection, row, repeated)
    if (typeof found !== 'string') invalid.push(found)
    else {
      json = count === 0 ? found : `${json},${found}`
      count += 1
    }
  }
  return { json, count, invalid, end }
}

/** Whether a row is of the workspace, and not only an entry that was visited. */
function isRecord(row: Row): boolean {
  return !(matchName in row) || Number(row[matchName]) === 1
}

/**
 * The place of the last row, behind which the next page begins. Behind an entry that is not a record, it is the last record of the
 * same time, or else the start of that time: an id of another workspace is in a cursor only where nothing else leads on.
 */
function findEnd(
  collection: BoundCollection,
  rows: readonly Row[],
  before: Position | undefined,
): Position | undefined {
  const [last, record] = [rows.at(-1), rows.findLast(isRecord)]
  const end = last && toPosition(collection, last)
  if (last === record || end === undefined) return end
  const reached = record === undefined ? before : toPosition(collection, record)
  if (reached?.updatedAt !== end.updatedAt) return { ...end, id: null }
  return record === undefined ? end : reached
}

/** The first row behind those with the id of this one. */
function findNext(rows: readonly Row[], at: number): number {
  const id = rows[at]?.['id']
  let next = at + 1
  while (next < rows.length && isSame(rows[next]?.['id'], id)) next += 1
  return next
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

function toInvalid(collection: BoundCollection, row: Row, { message: reason, code }: RowFault): InvalidRow {
  return { collection: collection.name, id: readIdOrNull(collection, row), reason, code }
}

function toPosition(collection: BoundCollection, row: Row): Position {
  const { updatedAt, id } = row
  // An integer time is a number or text, depending on its size.
  const isTime = typeof updatedAt === 'string' || typeof updatedAt === 'number'
  const { order } = collection.table
  // A page begins behind an id that cannot be shown, too.
  const place = typeof id === 'string' ? id : readIdOrNull(collection, row)
  return { updatedAt: isTime ? String(updatedAt) : null, id: place, order }
}

function readIdOrNull({ table }: BoundCollection, row: Row): string | null {
  return orUndefined(() => readIdentifier(row['id'], table.id.identifier)) ?? null
}

/** What stands in front of a value, with the quotes of texts: a record is made of few long pieces. */
type Lead = readonly [toOther: string, toText: string]

/** A field of a record; objects of one shape, which are read twice as fast. */
interface Written extends Required<Pick<ResolvedField, 'read' | 'isPlain' | 'missing'>> {
  readonly name: string
  readonly behindText: Lead
  readonly behindOther: Lead
}

/** @param fields by their public names, in the order of the contract: exactly these are read. */
export function bindRecord(fields: Readonly<Record<string, ResolvedField>>): BoundCollection['record'] {
  const all = Object.entries(fields).map(([name, field], at): Written => {
    const { read, isPlain = false, missing = 'is NULL' } = field
    const toLead = (behind: string): Lead => [`${behind}"${name}":`, `${behind}"${name}":"`]
    const behindOther = toLead(at === 0 ? '{' : ',')
    return { name, read, isPlain, missing, behindText: toLead('",'), behindOther }
  })
  const byName = new Map(all.map((written) => [written.name, written]))
  const readField: ReadField = (name, row) => {
    const written = byName.get(name)
    if (written === undefined) throw new Error(`There is no field ${name}`)
    return readValue(written, row, readField)
  }
  return (row) => {
    let json = ''
    let isBehindText = false
    for (const written of all) {
      const value = readValue(written, row, readField)
      const lead = isBehindText ? written.behindText : written.behindOther
      isBehindText = typeof value === 'string'
      if (typeof value !== 'string') json += lead[0] + String(value)
      // JSON.stringify takes twice as long for a short text.
      else if (written.isPlain || plain.test(value)) json += lead[1] + value
      else json += lead[1] + JSON.stringify(value).slice(1, -1)
    }
    return isBehindText ? `${json}"}` : `${json}}`
  }
}

/** Text that JSON has as it is: no quote, backslash or control character, and no surrogate, which may have no pair. */
const plain = /^[^"\\\x00-\x1f\ud800-\udfff]*$/

/** Reads the value of a field. The fault of a row begins with the name of the field, for the log. */
function readValue(
  { name, read, missing }: Written,
  row: Row,
  readField: ReadField,
): ReturnType<ResolvedField['read']> {
  try {
    const value = read(row, readField)
    if (value !== null || missing === null) return value
    throw new RowFault(missing)
  } catch (error) {
    throw error instanceof RowFault ? error.of(name) : error
  }
}
