import type { Row } from '../database/statement.js'
import { RowFault } from '../errors.js'
import type { Instant } from '../values/instant.js'
import { parseDatabaseTime } from '../values/instant.js'
import { readIdentifier } from '../values/identifier.js'
import type { IdentifierKind } from '../values/identifier.js'

/** What a key may be given. */
export type Scope = 'registration.read' | 'invoices.read'

/** What the cache holds of a key: never the key, nor its hash. */
export interface KeyRow {
  /** What logs call the key. */
  readonly keyId: string
  readonly workspaceId: string
  readonly scopes: readonly string[]
  readonly expiresAt: Instant | undefined
  readonly revoked: boolean
}

/** How the cells of the key table are read. */
export interface KeyReaders {
  readonly workspace: IdentifierKind
  readonly scopes: { readonly format: 'space' | 'comma' | 'json' } | { readonly grant: readonly Scope[] }
  /** Minutes east of UTC of the expiry's text. */
  readonly expiryOffsetMinutes: number
}

/**
 * A row of the key table as the cache keeps it.
 *
 * @throws RowFault when it cannot be read truthfully; such a key is not accepted.
 */
export function toKeyRow(row: Row, keyId: string, readers: KeyReaders): KeyRow {
  return {
    keyId,
    workspaceId: readWorkspace(row['workspace'], readers.workspace),
    scopes:
      'grant' in readers.scopes ? readers.scopes.grant : readScopes(row['scopes'], readers.scopes.format),
    expiresAt: readExpiry(row['expiresAt'], readers.expiryOffsetMinutes),
    revoked: row['revokedAt'] !== null && row['revokedAt'] !== undefined,
  }
}

function readWorkspace(cell: unknown, kind: IdentifierKind): string {
  if (cell === null || cell === undefined) throw new RowFault('workspace is NULL')
  return readIdentifier(cell, kind)
}

/** A zero date is refused, not taken for "never": a key that no one meant to last must not. */
function readExpiry(cell: unknown, offsetMinutes: number): Instant | undefined {
  if (cell === null || cell === undefined) return undefined
  const instant = typeof cell === 'string' ? parseDatabaseTime(cell, offsetMinutes) : undefined
  if (instant === undefined) throw new RowFault('expiresAt is not a real date and time')
  return instant
}

function readScopes(cell: unknown, format: 'space' | 'comma' | 'json'): readonly string[] {
  if (cell === null || cell === undefined) return []
  if (typeof cell !== 'string') throw new RowFault('scopes is not text')
  if (format === 'json') return readJsonScopes(cell)
  const words = format === 'comma' ? cell.split(',').map(trimBlanks) : cell.split(blanks)
  return words.filter((word) => word !== '')
}

/** ASCII space, tab, LF and CR only: any other white space is part of a scope, which is then unknown. */
const blanks = /[ \t\n\r]+/

function trimBlanks(word: string): string {
  return word.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, '')
}

function readJsonScopes(text: string): readonly string[] {
  const value = parseJson(text)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new RowFault('scopes is not a JSON list of texts')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
