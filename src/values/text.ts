import { RowFault } from '../errors.js'

/**
 * Several text cells as one, for a name that is stored in parts; a part that is NULL or blank is omitted.
 *
 * @returns null when every part is NULL.
 * @throws RowFault when one is not text.
 */
export function joinTexts(
  cells: readonly unknown[],
  separator: string,
  readText: (cell: unknown) => string = requireText,
): string | null {
  const parts = cells.filter((cell) => cell !== null && cell !== undefined).map(readText)
  if (parts.length === 0) return null
  return parts.filter((part) => part.trim() !== '').join(separator)
}

/** A cell of text. @throws RowFault for another one. */
export function requireText(cell: unknown): string {
  if (typeof cell !== 'string') throw new RowFault('is not text')
  return cell
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The bytes of a text that was stored as UTF-8 in a column of another character set. @throws RowFault for other bytes */
export function readUtf8(cell: unknown): string {
  try {
    return utf8.decode(cell as Buffer)
  } catch {
    throw new RowFault('is not UTF-8')
  }
}

/**
 * A value of a JSON document as text: a number and a boolean as they are written.
 *
 * @param cell the JSON of the value; NULL and `null` for none.
 * @throws RowFault for an object, an array, and what is no JSON.
 */
export function readJsonText(cell: unknown): string | null {
  if (cell === null || cell === undefined) return null
  const json = requireText(cell)
  if (json.startsWith('"')) return JSON.parse(json) as string
  if (!/^(?:null|true|false|-?\d.*)$/.test(json)) throw new RowFault('is not text in a JSON document')
  return json === 'null' ? null : json
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
