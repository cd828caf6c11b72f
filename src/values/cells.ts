import { parseJson } from '../client/forms.js'
import { RowFault } from '../errors.js'

/**
 * The longest text that is shown, in characters. Statements select one more at most, so that the rows of a page have a bounded
 * size.
 */
export const textLengthMax = 1000
/** The same in bytes of UTF-8, and in a JSON document, where a character has two escapes of six bytes at most. */
export const bytesMax = { utf8: 4 * textLengthMax, json: 12 * textLengthMax + 2 } as const

/** Texts as one, without those that are blank; null where there is none. @throws RowFault where it is longer than one that is shown */
export function joinTexts(texts: readonly (string | null)[], separator: string): string | null {
  const parts = texts.filter((text) => text !== null)
  if (parts.length === 0) return null
  return requireText(parts.filter((part) => part.trim() !== '').join(separator))
}

/** A cell of text. @throws RowFault for another one, and for a text that is longer than any that is shown. */
export function requireText(cell: unknown, problem = 'is not text'): string {
  if (typeof cell !== 'string') throw new RowFault(problem)
  // A character can have two UTF-16 units.
  if (cell.length > textLengthMax && Array.from(cell).length > textLengthMax) throw createTooLong()
  return cell
}

function createTooLong(): RowFault {
  return new RowFault(`is longer than ${textLengthMax.toLocaleString('en')} characters`)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The bytes of a text that was stored as UTF-8 in a column of another character set. @throws RowFault for other bytes */
export function readUtf8(cell: unknown): string {
  return requireText(decode(cell, bytesMax.utf8))
}

/** @throws RowFault for bytes that are not UTF-8, and for too many: statements select one more at most. */
function decode(cell: unknown, max: number): string {
  if (!Buffer.isBuffer(cell)) throw new RowFault('is not UTF-8')
  if (cell.length > max) throw createTooLong()
  try {
    return utf8.decode(cell)
  } catch {
    throw new RowFault('is not UTF-8')
  }
}

/**
 * A value of a JSON document as text: a number and a boolean as they are written.
 *
 * @param cell the bytes of the JSON of the value; `null` for none.
 * @throws RowFault for an object, an array, and what is not JSON.
 */
export function readJsonText(cell: unknown): string | null {
  const json = decode(cell, bytesMax.json)
  // MariaDB takes for JSON what is none, such as an escape \q or the number 1., and returns it as it stands.
  const value = parseJson(json)
  if (typeof value === 'string') return requireText(value)
  if (value === undefined || (typeof value === 'object' && value !== null))
    throw new RowFault('is not text in a JSON document')
  return value === null ? null : requireText(json)
}

/**
 * A BIT or integer cell as a boolean: zero is false, any other number is true.
 *
 * @param cell an integer (number, or text beyond 2^53), or the bytes of a BIT.
 * @throws RowFault when the cell is of another type.
 */
export function readBoolean(cell: unknown): boolean {
  if (Buffer.isBuffer(cell)) return cell.some((byte) => byte !== 0)
  if (typeof cell === 'number') return cell !== 0
  if (typeof cell === 'string' && /^-?\d+$/.test(cell)) return !/^-?0+$/.test(cell)
  throw new RowFault('is not a boolean')
}
