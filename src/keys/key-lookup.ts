import type { Row, RunQuery } from '../database/statement.js'
import { bindTemplate } from '../database/fragments-sql.js'
import type { Template } from '../database/fragments-sql.js'
import { RowFault } from '../errors.js'
import type { Scope } from '../resources/options.js'
import { isZeroEpoch, parseEpoch } from '../values/epoch.js'
import type { EpochUnit } from '../values/epoch.js'
import { readIdentifier } from '../values/identifier.js'
import type { IdentifierKind } from '../values/identifier.js'
import { parseDatabaseTime } from '../values/instant.js'
import type { Instant, Zone } from '../values/instant.js'
import { toKeyId, toStoredHash } from './key-format.js'
import type { HashForm } from './key-format.js'
import { compileKeyLookup } from './key-sql.js'
import type { KeyColumns } from './key-sql.js'

/** The cached row of a key, without the key and its hash. */
export interface KeyRow {
  /** The id of the key in logs. */
  readonly keyId: string
  readonly workspaceId: string
  readonly scopes: readonly string[]
  readonly expiresAt: Instant | undefined
  readonly revoked: boolean
}

/** The columns of the key table, and how their cells are read. */
interface KeyTable {
  readonly columns: KeyColumns
  readonly readers: KeyReaders
}

/** How the cells of the key table are read. */
export interface KeyReaders {
  /** How the column is read, or the workspace of every key. */
  readonly workspace: IdentifierKind | { readonly constant: string }
  readonly scopes: { readonly format: 'space' | 'comma' | 'json' } | { readonly grant: readonly Scope[] }
  /** The zone of the text of the expiry; undefined for UTC. */
  readonly expiryZone: Zone | undefined
  /** The units of times that are integers. */
  readonly epochs: { readonly expiresAt: EpochUnit | undefined; readonly revokedAt: EpochUnit | undefined }
}

interface KeyLookupInput {
  /** The current key table, with the same `columns` object while it does not change. @throws Problem */
  readonly requireTable: () => KeyTable
  readonly form: HashForm
  readonly runQuery: RunQuery
  /** Reports a stored key that cannot be accepted, and why. */
  readonly onInvalidRow: (keyId: string, reason: string) => void
}

/**
 * Looks a key up by its digest. Null if no key can be accepted for it.
 *
 * @throws Problem when the database does not answer.
 */
export function createKeyLookup(input: KeyLookupInput): (digest: string) => Promise<KeyRow | null> {
  const templates = new WeakMap<KeyColumns, Template>()
  return async (digest) => {
    const { columns, readers } = input.requireTable()
    const template = templates.get(columns) ?? compileKeyLookup(columns)
    templates.set(columns, template)
    const hash = toStoredHash(digest, input.form)
    // A second row shows that the hash is not unique.
    const values = new Map([['hash', hash]])
    const rows = await input.runQuery(bindTemplate(template, values), { table: columns.table })
    const [row] = rows
    if (row === undefined) return null
    const keyId = toKeyId(hash)
    try {
      if (rows.length > 1) throw new RowFault('the hash is in the table more than once')
      return toKeyRow(row, keyId, readers)
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      input.onInvalidRow(keyId, error.message)
      return null
    }
  }
}

/**
 * Converts a row of the key table.
 *
 * @throws RowFault for a row that cannot be read exactly; such a key is not accepted.
 */
export function toKeyRow(row: Row, keyId: string, readers: KeyReaders): KeyRow {
  return {
    keyId,
    workspaceId: readWorkspace(row['workspace'], readers.workspace),
    scopes:
      'grant' in readers.scopes ? readers.scopes.grant : readScopes(row['scopes'], readers.scopes.format),
    expiresAt: readExpiry(row['expiresAt'], readers),
    revoked: !isNone(row['revokedAt'], readers.epochs.revokedAt),
  }
}

function readWorkspace(cell: unknown, kind: KeyReaders['workspace']): string {
  if (typeof kind === 'object') return kind.constant
  if (cell === null || cell === undefined) throw new RowFault('workspace is NULL')
  return readIdentifier(cell, kind)
}

/** Whether there is no time. Products write 0 where there is none, in a column of integers. */
function isNone(cell: unknown, epoch: EpochUnit | undefined): boolean {
  return cell === null || cell === undefined || (epoch !== undefined && isZeroEpoch(cell))
}

/** A zero date is invalid: read as "no expiry", it would make the key valid for ever. */
function readExpiry(
  cell: unknown,
  { expiryZone, epochs }: Pick<KeyReaders, 'expiryZone' | 'epochs'>,
): Instant | undefined {
  if (isNone(cell, epochs.expiresAt)) return undefined
  const instant =
    epochs.expiresAt !== undefined
      ? parseEpoch(cell, epochs.expiresAt)
      : parseDatabaseTime(String(cell), expiryZone)
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

/** ASCII space, tab, LF and CR only. Any other white space is part of a scope, which is then unknown. */
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
