import { RowFault } from '../errors.js'
import { isRealDay } from './calendar.js'
import { parseDatabaseTime, toInstantText } from './instant.js'

const utcTime = /^(\d{4})-(\d{2})-(\d{2}) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,6}))?$/

/**
 * A DATETIME or TIMESTAMP cell as a UTC timestamp with three fractional digits, cut and never rounded up.
 *
 * @param cell `YYYY-MM-DD HH:MM:SS` with up to six fractional digits.
 * @param offsetMinutes minutes east of UTC that the cell is written in; 0 for a TIMESTAMP in a UTC session.
 * @throws RowFault when the cell is NULL or no real instant.
 */
export function readTimestamp(cell: unknown, offsetMinutes: number): string {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  if (typeof cell !== 'string') throw new RowFault('is not a date and time')
  return offsetMinutes === 0 ? cutUtc(cell) : cutShifted(cell, offsetMinutes)
}

/** The common case, by cutting text alone: there is nothing to shift. */
function cutUtc(cell: string): string {
  const match = utcTime.exec(cell)
  if (match === null || !isRealDay(Number(match[1]), Number(match[2]), Number(match[3]))) {
    throw new RowFault('is not a real date and time')
  }
  return `${cell.slice(0, 10)}T${cell.slice(11, 19)}.${(match[5] ?? '').padEnd(3, '0').slice(0, 3)}Z`
}

function cutShifted(cell: string, offsetMinutes: number): string {
  const instant = parseDatabaseTime(cell, offsetMinutes)
  const text = instant === undefined ? undefined : toInstantText(instant)
  if (text === undefined) throw new RowFault('is not a real date and time')
  return `${text.slice(0, 23)}Z`
}
