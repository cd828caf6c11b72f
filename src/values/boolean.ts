import { RowFault } from '../errors.js'

/**
 * A BIT or integer cell as MySQL judges it: zero is false, all else true.
 *
 * @param cell an integer (number, or text beyond 2^53), or the bytes of a BIT.
 * @throws RowFault when the cell is NULL or of another type.
 */
export function readBoolean(cell: unknown): boolean {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  if (Buffer.isBuffer(cell)) return cell.some((byte) => byte !== 0)
  if (typeof cell === 'number') return cell !== 0
  if (typeof cell === 'string' && /^-?\d+$/.test(cell)) return !/^-?0+$/.test(cell)
  throw new RowFault('is not a boolean')
}
