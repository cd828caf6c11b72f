import { RowFault } from '../errors.js'
import { startsWithRealDay } from './calendar.js'
import { parseDatabaseTime, toInstantText } from './instant.js'
import type { Zone } from './instant.js'

/** Whether a cell of a DATE, DATETIME or TIMESTAMP is the zero date, which counts as NULL. */
export function isZeroDate(cell: unknown): boolean {
  return typeof cell === 'string' && cell.startsWith('0000-00-00')
}

const utcTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/

/**
 * A DATETIME or TIMESTAMP cell as a UTC timestamp with three fractional digits, truncated and never rounded up.
 *
 * @param cell `YYYY-MM-DD HH:MM:SS` with up to six fractional digits.
 * @param zone of the cell; undefined for UTC, as of a TIMESTAMP in a UTC session.
 * @throws RowFault when the cell is NULL or not a real instant.
 */
export function readTimestamp(cell: unknown, zone?: Zone): string {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  if (typeof cell !== 'string') throw new RowFault('is not a date and time')
  return zone === undefined ? formatUtc(cell) : convertToUtc(cell, zone)
}

/** The common case: in UTC, the text is only reformatted. */
function formatUtc(cell: string): string {
  if (!utcTime.test(cell) || !startsWithRealDay(cell)) throw new RowFault('is not a real date and time')
  const date = cell.slice(0, 10)
  if (cell.length >= 23) return `${date}T${cell.slice(11, 23)}Z`
  return `${date}T${cell.slice(11, 19)}.${cell.slice(20).padEnd(3, '0')}Z`
}

function convertToUtc(cell: string, zone: Zone): string {
  const instant = parseDatabaseTime(cell, zone)
  const text = instant === undefined ? undefined : toInstantText(instant)
  if (text === undefined) throw new RowFault('is not a real date and time')
  return `${text.slice(0, 23)}Z`
}

const databaseDate = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/**
 * A DATE cell unchanged, `2026-03-01`.
 *
 * @throws RowFault when the cell is NULL or a day that does not exist, such as a zero date.
 */
export function readDate(cell: unknown): string {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  if (typeof cell !== 'string' || !databaseDate.test(cell) || !startsWithRealDay(cell)) {
    throw new RowFault('is not a real date')
  }
  return cell
}
