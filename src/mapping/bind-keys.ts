import type { ConfigIssue } from '../errors.js'
import type { ResolvedKeyTable } from './bound.js'
import type { ColumnFinder } from './find-columns.js'
import type { Mapping } from './mapping-schema.js'

const digestBytes = { sha256: 32, sha384: 48, sha512: 64 }

/** The key table's columns; a hash that the column cannot hold whole is a fault. */
export function bindKeys(
  keys: Mapping['apiKeys'],
  finder: ColumnFinder,
  faults: ConfigIssue[],
): ResolvedKeyTable {
  const binary = keys.hash.encoding === 'binary'
  const hash = finder.find(keys.hash.column, [binary ? 'binary' : 'text'], 'hash')
  const length = storedLength(keys.hash)
  // BINARY pads what is shorter, so there the length must be the very one.
  const fits = hash.length >= length && !(hash.type.startsWith('binary') && hash.length > length)
  if (hash.name !== '' && !fits) {
    faults.push({
      path: 'apiKeys.hash',
      found: `${keys.table}.${hash.name} of type ${hash.type}`,
      allowed: binary ? `BINARY(${length})` : `a text column of at least ${length} characters`,
    })
  }
  return {
    table: keys.table,
    hash,
    workspace: finder.findIdentifier(keys.workspace, 'workspace'),
    scopes: 'column' in keys.scopes ? finder.find(keys.scopes.column, ['text', 'json'], 'scopes') : undefined,
    expiresAt: keys.expiresAt === undefined ? undefined : finder.findTime(keys.expiresAt, 'expiresAt'),
    revokedAt: keys.revokedAt === undefined ? undefined : finder.findTime(keys.revokedAt, 'revokedAt'),
  }
}

/** Bytes or characters of a digest in the encoding of the key table. */
function storedLength({ algorithm, encoding }: Mapping['apiKeys']['hash']): number {
  const digest = Buffer.alloc(digestBytes[algorithm])
  return encoding === 'binary' ? digest.length : digest.toString(encoding).length
}
