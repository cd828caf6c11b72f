import { isUtf8 } from 'node:buffer'
import type { Option } from './mapping.js'

/* Texts as they are stored, and in JSON documents. */

/** A value that cannot be shown. */
export class Invalid extends Error {}

/** A text has at most 1,000 characters. */
export function requireShort(text: string): string {
  if (Array.from(text).length > 1000) throw new Invalid()
  return text
}

/**
 * The character of each byte in the servers' latin1, which is windows-1252 with controls in its five gaps. Some versions of Node
 * decode windows-1252 as ISO 8859-1.
 */
export const latin1: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) =>
    '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'.charAt(byte - 0x80) ||
    String.fromCharCode(byte),
)
const bytesOf = new Map(latin1.map((character, byte) => [character, byte]))

/** A text as it was stored, or as its bytes in latin1 say. */
export function readStored(cell: string, { charset }: Option): string {
  if (charset === undefined) return requireShort(cell)
  const bytes = Buffer.from(Array.from(cell, (character) => bytesOf.get(character)!))
  if (!isUtf8(bytes)) throw new Invalid()
  return requireShort(bytes.toString())
}

/** The value at a path of a document. @throws Invalid for a text that is not JSON. */
export function findValue(
  document: string,
  path: string,
): object | string | number | boolean | null | undefined {
  let value: unknown
  try {
    value = JSON.parse(document)
  } catch {
    throw new Invalid()
  }
  if (countLevels(value) > 100) throw new Invalid()
  for (const [, name, quoted, at] of path.matchAll(/\.(\w+)|\."([^"]+)"|\[(\d+)\]/g))
    value = at === undefined ? findMember(value, (name ?? quoted)!) : findItem(value, Number(at))
  return value as ReturnType<typeof findValue>
}

function countLevels(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(countLevels))
    : 0
}

function findMember(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/** A value that is not an array is its own first item. */
function findItem(value: unknown, at: number): unknown {
  if (Array.isArray(value)) return value[at]
  return at === 0 ? value : undefined
}
