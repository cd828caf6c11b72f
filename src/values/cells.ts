import { parseJson } from '../client/forms.js'
import { RowFault } from '../errors.js'

/**
 * The longest text that is shown, in characters. Statements select one more at most, so that the rows of a page have a bounded
 * size.
 */
export const textLengthMax = 1000
/** The same in bytes of UTF-8, and in a JSON document, where a character has two escapes of six bytes at most. */
export const bytesMax = { utf8: 4 * textLengthMax, json: 12 * textLengthMax + 2 } as const

/**
 * Several text cells as one, for a name that is stored in parts; a part that is NULL or blank is omitted.
 *
 * @returns null when every part is NULL.
 * @throws RowFault when one is not text, or all are longer than a text that is shown.
 */
export function joinTexts(
  cells: readonly unknown[],
  separator: string,
  readText: (cell: unknown) => string = requireText,
): string | null {
  const parts = cells.filter((cell) => cell !== null && cell !== undefined).map((cell) => readText(cell))
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

/**
 * How an identifier is stored: text of any or of only ASCII characters or of a type of MariaDB, an integer, signed,
 * unsigned or with its leading zeros, or the 16 bytes of a UUID, in order or swapped by UUID_TO_BIN(…, 1).
 */
export type IdentifierKind = TextKind | 'signed' | 'unsigned' | 'uuid' | 'uuid-swapped'
type TextKind = 'text' | 'ascii' | 'uuid-text' | 'inet4' | 'inet6' | 'zerofill'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** What each kind of text can be. */
const texts: Readonly<Record<TextKind, RegExp>> = {
  text: /^/,
  ascii: /^[\x00-\x7f]*$/,
  'uuid-text': uuid,
  inet4: /^\d{1,3}(?:\.\d{1,3}){3}$/,
  inet6: /^[0-9a-f:.]{2,45}$/,
  zerofill: /^\d{1,20}$/,
}
const integer = /^(?:0|-?[1-9]\d*)$/

/**
 * An identifier cell as the text that the API shows.
 *
 * @throws RowFault when the cell is not of its kind.
 */
export function readIdentifier(cell: unknown, kind: IdentifierKind): string {
  if (kind === 'uuid' || kind === 'uuid-swapped') return readUuid(cell, kind)
  if (isInteger(kind) && typeof cell === 'number') return String(cell)
  return requireText(cell, 'is not an identifier')
}

/**
 * The stored form of an identifier's public text, so that only exactly the text that the API shows matches.
 *
 * @returns undefined when no stored value can be shown as this text.
 */
export function toStoredIdentifier(text: string, kind: IdentifierKind): string | Buffer | undefined {
  if (isText(kind)) return texts[kind].test(text) ? text : undefined
  if (isInteger(kind)) return integer.test(text) && fitsColumn(text, kind) ? text : undefined
  if (!uuid.test(text)) return undefined
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex')
  return kind === 'uuid' ? bytes : swap(bytes, [6, 8], [4, 6], [0, 4])
}

function isText(kind: IdentifierKind): kind is TextKind {
  return kind in texts
}

function isInteger(kind: IdentifierKind): kind is 'signed' | 'unsigned' {
  return kind === 'signed' || kind === 'unsigned'
}

/** Whether the integer fits into BIGINT or BIGINT UNSIGNED: MySQL's CAST would change others to fit. */
function fitsColumn(text: string, kind: 'signed' | 'unsigned'): boolean {
  if (text.length > 20) return false
  const value = BigInt(text)
  return kind === 'unsigned' ? value >= 0n && value < 2n ** 64n : value >= -(2n ** 63n) && value < 2n ** 63n
}

function readUuid(cell: unknown, kind: 'uuid' | 'uuid-swapped'): string {
  if (!Buffer.isBuffer(cell) || cell.length !== 16) throw new RowFault('is not 16 bytes')
  const bytes = kind === 'uuid' ? cell : swap(cell, [4, 8], [2, 4], [0, 2])
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

type Span = readonly [from: number, to: number]

/** The first eight bytes in another order; the last eight stay. */
function swap(bytes: Buffer, ...spans: readonly Span[]): Buffer {
  return Buffer.concat([...spans.map(([from, to]) => bytes.subarray(from, to)), bytes.subarray(8)])
}
