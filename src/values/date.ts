import { RowFault } from '../errors.js'
import { isRealDay } from './calendar.js'

const databaseDate = /^(\d{4})-(\d{2})-(\d{2})$/

/**
 * A DATE cell as it stands, `2026-03-01`.
 *
 * @throws RowFault when the cell is NULL or a day that does not exist, as a zero date.
 */
export function readDate(cell: unknown): string {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  const match = typeof cell === 'string' ? databaseDate.exec(cell) : null
  if (match === null || !isRealDay(Number(match[1]), Number(match[2]), Number(match[3]))) {
    throw new RowFault('is not a real date')
  }
  return match[0]
}
