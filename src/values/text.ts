import { RowFault } from '../errors.js'

/**
 * A text cell as it stands.
 *
 * @throws RowFault when the cell is NULL or not text.
 */
export function readText(cell: unknown): string {
  if (cell === null || cell === undefined) throw new RowFault('is NULL')
  if (typeof cell !== 'string') throw new RowFault('is not text')
  return cell
}

/**
 * Several text cells as one, for a name that is stored in parts; a part that is NULL or blank is left out.
 *
 * @throws RowFault when every part is NULL, or one is not text.
 */
export function joinTexts(cells: readonly unknown[], separator: string): string {
  const parts = cells.filter((cell) => cell !== null && cell !== undefined).map(readText)
  if (parts.length === 0) throw new RowFault('is NULL in every part')
  return parts.filter((part) => part.trim() !== '').join(separator)
}
