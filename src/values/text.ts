import { RowFault } from '../errors.js'

/**
 * Several text cells as one, for a name that is stored in parts; a part that is NULL or blank is omitted.
 *
 * @throws RowFault when every part is NULL, or one is not text.
 */
export function joinTexts(cells: readonly unknown[], separator: string): string {
  const parts = cells.filter((cell) => cell !== null && cell !== undefined).map(requireText)
  if (parts.length === 0) throw new RowFault('is NULL in every part')
  return parts.filter((part) => part.trim() !== '').join(separator)
}

function requireText(cell: unknown): string {
  if (typeof cell !== 'string') throw new RowFault('is not text')
  return cell
}

/**
 * A BIT or integer cell as a boolean: zero is false, any other number is true.
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
