import { parseJson } from '../client/forms.js'
import type { Column } from '../database/column.js'
import { ResultError } from '../database/errors.js'
import { all, bind, equals, quote, sql } from '../database/sql.js'
import type { Row, RunStatement, Statement } from '../database/statement.js'
import { perMinuteMax } from '../environment.js'
import { RowFault } from '../errors.js'
import type { ResolvedKeyTable } from '../mapping/resolve-mapping.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Section } from '../mapping/section.js'
import { testCell } from '../collections/row-test.js'
import { prepareCells, toCell, toTypeCell } from '../collections/selection.js'
import type { Cell } from '../collections/selection.js'
import { withResult } from '../collections/statements.js'
import { allScopes } from '../collections/options.js'
import { isZeroEpoch, parseEpoch } from '../values/epoch.js'
import { readIdentifier } from '../values/identifiers.js'
import { parseDatabaseTime } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { toKeyId, toStoredHash } from './key.js'
import type { KeyRow } from './key.js'
import type { TimeColumn } from '../collections/time-fields.js'
import type { IdentifierPlace } from '../collections/identifier-fields.js'
import { cut } from '../collections/found-column.js'

/** The key table, and how its scopes are written. */
interface KeySource {
  readonly keys: ResolvedKeyTable
  readonly scopes: Mapping['apiKeys']['scopes']
}

interface KeyLookupInput {
  readonly section: Section<ResolvedKeyTable>
  readonly apiKeys: Pick<Mapping['apiKeys'], 'hash' | 'scopes'>
  readonly runQuery: RunStatement
  readonly observe: (event: { readonly kind: 'invalid key' } & InvalidKey) => void
}

/** A stored key that cannot be accepted, and why. */
export interface InvalidKey {
  readonly keyId: string
  readonly reason: string
}

/**
 * Looks a key up by its digest. Null if no key can be accepted for it.
 *
 * @throws Problem when the database does not answer.
 */
export function createKeyLookup(input: KeyLookupInput): (digest: string) => Promise<KeyRow | null> {
  const { hash: form, scopes } = input.apiKeys
  const find = async (keys: ResolvedKeyTable, digest: string): Promise<KeyRow | null> => {
    const asked = { digest, hash: toStoredHash(digest, form) }
    const statement = withResult(renderKeyLookup(keys, asked), toKeyRows, asked)
    // A second row shows that the hash is not unique.
    const rows = await input.runQuery(statement, { table: keys.table })
    const [row] = rows
    if (row === undefined) return null
    const keyId = toKeyId(asked.hash)
    try {
      if (rows.length > 1) throw new RowFault('the hash is in the table more than once')
      return toKeyRow(row, keyId, { keys, scopes })
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      input.observe({ kind: 'invalid key', keyId, reason: error.message })
      return null
    }
  }
  return (digest) => input.section.read((keys) => find(keys, digest))
}

/** What is asked for: a digest, and how the table stores it. */
interface Asked {
  readonly digest: string
  readonly hash: string | Buffer
}

/** The rows of the key table. @throws ResultError for the answer to another digest: each answer repeats its own */
function toKeyRows(rows: readonly Row[], { digest }: Asked): readonly Row[] {
  if (rows.length === 0 || rows.some(({ asked }) => asked !== digest))
    throw new ResultError('foreign', 'the answer to the lookup of a key is that to another one')
  return rows.filter(({ hash }) => hash !== null)
}

/**
 * Converts a row of the key table.
 *
 * @throws RowFault for a row that cannot be read exactly; such a key is not accepted.
 */
export function toKeyRow(row: Row, keyId: string, { keys, scopes }: KeySource): KeyRow {
  return {
    keyId,
    workspaceId: readWorkspace(row['workspace'], keys.workspace),
    scopes: 'grant' in scopes ? scopes.grant : readScopes(row['scopes'], scopes),
    expiresAt: readExpiry(row['expiresAt'], keys.expiresAt),
    revoked: !isNone(row['revokedAt'], keys.revokedAt),
    rateLimitPerMinute: readRateLimit(row['rateLimitPerMinute']),
  }
}

function readWorkspace(cell: unknown, workspace: IdentifierPlace): string {
  if (workspace.kind === 'constant') return workspace.constant
  if (cell === null || cell === undefined) throw new RowFault('workspace is NULL')
  return readIdentifier(cell, workspace.identifier)
}

/** Whether a cell holds no time: NULL, a zero date, or 0 in a column of integers, as in every table of the mapping. */
function isNone(cell: unknown, column: TimeColumn | undefined): boolean {
  if (cell === null || cell === undefined) return true
  return column?.epoch === undefined
    ? typeof cell === 'string' && cell.startsWith('0000-00-00')
    : isZeroEpoch(cell)
}

/** @throws RowFault for what is not a real time: read as "no expiry", it would make the key valid for ever. */
function readExpiry(cell: unknown, column: TimeColumn | undefined): Instant | undefined {
  if (isNone(cell, column)) return undefined
  const instant =
    column?.epoch !== undefined
      ? parseEpoch(cell, column.epoch)
      : parseDatabaseTime(String(cell), column?.zone)
  if (instant === undefined) throw new RowFault('expiresAt is not a real date and time')
  return instant
}

/** @throws RowFault for 0 or less: the product probably means that the key must not be used. */
function readRateLimit(cell: unknown): number | undefined {
  if (cell === null || cell === undefined) return undefined
  const limit = Number(cell)
  if (limit > 0) return Math.min(limit, perMinuteMax)
  throw new RowFault('rateLimitPerMinute is not above 0')
}

function readScopes(
  cell: unknown,
  { format, all: everything }: Extract<KeySource['scopes'], { column: string }>,
): readonly string[] {
  if (cell === null || cell === undefined) return []
  if (typeof cell !== 'string') throw new RowFault('scopes is not text')
  if (cell.length > scopesLengthMax) throw new RowFault('scopes is longer than 65,535 characters')
  const words = splitScopes(cell, format)
  return everything !== undefined && words.includes(everything) ? allScopes : words
}

/** The longest text of scopes, in characters: what a TEXT can hold. */
const scopesLengthMax = 65_535

function splitScopes(text: string, format: 'space' | 'comma' | 'json'): readonly string[] {
  if (format === 'json') return readJsonScopes(text)
  const words = format === 'comma' ? text.split(',').map(trimBlanks) : text.split(blanks)
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

/**
 * The lookup of a key by its hash, whose answer has a row for an unknown one too. A second row shows that the hash is not unique. The
 * last cell is the digest, so that a row that was cut is not read.
 */
export function renderKeyLookup(keys: ResolvedKeyTable, { digest, hash }: Asked): Statement {
  const { workspace, scopes, expiresAt, revokedAt, rateLimitPerMinute } = keys
  const projection: readonly (readonly [as: string, column: Column | undefined, lengthMax?: number])[] = [
    ['hash', keys.hash],
    ['workspace', workspace.kind === 'column' ? workspace.column : undefined],
    ['scopes', scopes, scopesLengthMax],
    ['expiresAt', expiresAt?.column],
    ['revokedAt', revokedAt?.column],
    ['rateLimitPerMinute', rateLimitPerMinute],
  ]
  const cells = projection.flatMap(([as, column, lengthMax]): readonly Cell[] => {
    if (column === undefined) return []
    const quoted = quote(column.name)
    const cell = cut(column, quoted, lengthMax)
    return cell === quoted ? [toCell(as, cell, column)] : [toTypeCell(quoted, column), toCell(as, cell)]
  })
  const types = keys.where.map(({ column }) => toTypeCell(quote(column.name), column))
  const asked = toCell('asked', sql`cast(${digest} as char)`)
  const isKey = all([
    equals(keys.hash, quote(keys.hash.name), hash),
    ...keys.where.map((test) => testCell(test, quote(test.column.name))),
  ])
  const one = sql`(select 1 as \`vitrine one\`) as \`vitrine row\``
  const rows = sql`${one} left join ${quote(keys.table)} on ${isKey} limit ${'2'}`
  return bind(prepareCells([...types, ...cells, asked], rows), new Map())
}
