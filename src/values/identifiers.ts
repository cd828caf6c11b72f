import { RowFault } from '../errors.js'
import { requireText } from './cells.js'

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
  if ((kind === 'signed' || kind === 'unsigned') && typeof cell === 'number') return String(cell)
  return requireText(cell, 'is not an identifier')
}

/**
 * The stored form of an identifier's public text, so that only exactly the text that the API shows matches.
 *
 * @returns undefined when no stored value can be shown as this text.
 */
export function toStoredIdentifier(text: string, kind: IdentifierKind): string | Buffer | undefined {
  if (isText(kind)) return texts[kind].test(text) ? text : undefined
  switch (kind) {
    case 'signed':
    case 'unsigned':
      return integer.test(text) && fitsColumn(text, kind) ? text : undefined
    case 'uuid':
      return toBytes(text)
    case 'uuid-swapped': {
      const bytes = toBytes(text)
      return bytes && swap(bytes, [6, 8], [4, 6], [0, 4])
    }
  }
}

function isText(kind: IdentifierKind): kind is TextKind {
  return kind in texts
}

/** Whether the integer fits into BIGINT or BIGINT UNSIGNED: MySQL's CAST would change others to fit. */
function fitsColumn(text: string, kind: 'signed' | 'unsigned'): boolean {
  if (text.length > 20) return false
  const value = BigInt(text)
  return kind === 'unsigned' ? value >= 0n && value < 2n ** 64n : value >= -(2n ** 63n) && value < 2n ** 63n
}

function toBytes(text: string): Buffer | undefined {
  return uuid.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined
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

/** Whether two raw identifiers are one. */
export function isSame(cell: unknown, other: unknown): boolean {
  if (Buffer.isBuffer(cell)) return Buffer.isBuffer(other) && cell.equals(other)
  return cell === other && cell !== null
}
