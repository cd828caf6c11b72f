import type { Column } from '../database/column.js'
import type { ConfigIssue } from '../errors.js'
import { createColumnResolver } from '../collections/column-resolver.js'
import type { AcceptedColumn, SectionInput } from '../collections/field.js'
import { isConstant } from '../collections/options.js'
import type { ResolvedWorkspace, RowTest, TimeColumn } from '../collections/resolved-table.js'
import type { Mapping } from './mapping-schema.js'

/** The key table with the server's own columns. */
export interface ResolvedKeyTable {
  readonly table: string
  readonly hash: Column
  readonly workspace: ResolvedWorkspace
  readonly scopes: Column | undefined
  readonly expiresAt: TimeColumn | undefined
  readonly revokedAt: TimeColumn | undefined
  readonly rateLimitPerMinute: Column | undefined
  /** All of these must hold for a row to be a key. */
  readonly where: readonly RowTest[]
}

const hashes = {
  binary: { kinds: ['binary'], form: 'BINARY; for text, another encoding' },
  text: { kinds: ['text'], form: 'CHAR or VARCHAR; for bytes, encoding: binary' },
} as const
const words: AcceptedColumn = { kinds: ['text', 'json'], form: 'CHAR, VARCHAR, TEXT or JSON' }
const limits: AcceptedColumn = { kinds: ['integer'], form: 'an integer type' }
const digestBytes = { sha256: 32, sha384: 48, sha512: 64 }

/** Finds the columns of the key table; a hash column that cannot hold a whole hash is an issue. */
export function resolveKeyTable(keys: Mapping['apiKeys'], input: SectionInput): ResolvedKeyTable {
  const resolver = createColumnResolver({ ...input, table: keys.table, section: 'apiKeys' })
  const isBinary = keys.hash.encoding === 'binary'
  const hash = resolver.find(keys.hash.column, hashes[isBinary ? 'binary' : 'text'], 'hash')
  if (hash.name !== '') input.issues.push(...findHashIssue(keys, hash))
  return {
    table: keys.table,
    hash,
    workspace: isConstant(keys.workspace)
      ? keys.workspace
      : resolver.findWorkspace(keys.workspace, 'workspace'),
    scopes: 'column' in keys.scopes ? resolver.find(keys.scopes.column, words, 'scopes') : undefined,
    expiresAt: keys.expiresAt === undefined ? undefined : resolver.findTime(keys.expiresAt, 'expiresAt'),
    revokedAt: keys.revokedAt === undefined ? undefined : resolver.findTime(keys.revokedAt, 'revokedAt'),
    rateLimitPerMinute:
      keys.rateLimitPerMinute === undefined
        ? undefined
        : resolver.find(keys.rateLimitPerMinute, limits, 'rateLimitPerMinute'),
    where: (keys.where ?? []).map((test) => resolver.findTest(test, 'where')),
  }
}

function findHashIssue({ table, hash }: Mapping['apiKeys'], column: Column): readonly ConfigIssue[] {
  const length = storedHashLength(hash)
  // BINARY pads shorter values, so there the length must be equal.
  const fits = column.length >= length && !(column.type.startsWith('binary') && column.length > length)
  if (fits) return []
  return [
    {
      path: 'apiKeys.hash',
      found: `${table}.${column.name} of type ${column.type}`,
      allowed:
        hash.encoding === 'binary' ? `BINARY(${length})` : `a text column of at least ${length} characters`,
    },
  ]
}

/** Bytes or characters of a digest in the encoding of the key table. */
export function storedHashLength({ algorithm, encoding }: Mapping['apiKeys']['hash']): number {
  const digest = Buffer.alloc(digestBytes[algorithm])
  return encoding === 'binary' ? digest.length : digest.toString(encoding).length
}
