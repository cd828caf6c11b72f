import type { Column } from '../database/column.js'
import type { AcceptedColumn } from '../collections/accepted-columns.js'
import { ColumnResolver } from '../collections/column-resolver.js'
import type { ResolverInput } from '../collections/column-resolver.js'
import { isConstant } from '../collections/column-options.js'
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
export function resolveKeyTable(keys: Mapping['apiKeys'], input: ResolverInput): ResolvedKeyTable {
  const { table, workspace, scopes, expiresAt, revokedAt, rateLimitPerMinute, where = [] } = keys
  const columns = new ColumnResolver(input, { table, path: 'apiKeys' })
  const tests = columns.at('where')
  return {
    table,
    hash: findHash(keys, columns.at('hash')),
    workspace: isConstant(workspace) ? workspace : columns.at('workspace').findIdentifier(workspace, false),
    scopes: 'column' in scopes ? columns.at('scopes').find(scopes.column, words).column : undefined,
    expiresAt: expiresAt === undefined ? undefined : columns.at('expiresAt').findTime(expiresAt),
    revokedAt: revokedAt === undefined ? undefined : columns.at('revokedAt').findTime(revokedAt),
    rateLimitPerMinute:
      rateLimitPerMinute === undefined
        ? undefined
        : columns.at('rateLimitPerMinute').find(rateLimitPerMinute, limits).column,
    where: where.map((test) => tests.findTest(test)),
  }
}

function findHash({ hash }: Mapping['apiKeys'], columns: ColumnResolver): Column {
  const isBinary = hash.encoding === 'binary'
  const found = columns.find(hash.column, hashes[isBinary ? 'binary' : 'text'])
  const { name, type, length } = found.column
  const wanted = storedHashLength(hash)
  // BINARY pads shorter values, so there the length must be equal.
  if (name !== '' && (length < wanted || (type.startsWith('binary') && length > wanted)))
    columns.reportColumn(
      found,
      isBinary ? `BINARY(${wanted})` : `a text column of at least ${wanted} characters`,
    )
  return found.column
}

/** Bytes or characters of a digest in the encoding of the key table. */
export function storedHashLength({ algorithm, encoding }: Mapping['apiKeys']['hash']): number {
  const digest = Buffer.alloc(digestBytes[algorithm])
  return encoding === 'binary' ? digest.length : digest.toString(encoding).length
}
