import { RowFault } from '../errors.js'
import { beginsWithRealDay } from './calendar.js'

const databaseDate = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/**
 * A DATE cell as it stands, `2026-03-01`.
 *
 * @throws RowFault when the cell is NULL or a day that does not exist, as a zero date.
 */
export function readDate(cell: unknown): string {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  if (typeof cell !== 'string' || !databaseDate.test(cell) || !beginsWithRealDay(cell)) {
    throw new RowFault('is not a real date')
  }
  return cell
}
