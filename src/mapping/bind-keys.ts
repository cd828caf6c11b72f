import type { Fault } from '../errors.js'
import type { BoundKeys } from './bound.js'
import type { ColumnFinder } from './find-columns.js'
import type { Mapping } from './mapping-schema.js'

const digestBytes = { sha256: 32, sha384: 48, sha512: 64 }

/** The key table's columns; a hash that the column cannot hold whole is a fault. */
export function bindKeys(keys: Mapping['apiKeys'], finder: ColumnFinder, faults: Fault[]): BoundKeys {
  const binary = keys.hash.encoding === 'binary'
  const hash = finder.find(keys.hash.column, [binary ? 'binary' : 'text'], 'hash')
  const bytes = digestBytes[keys.hash.algorithm]
  if (
    binary &&
    hash.kind === 'binary' &&
    (hash.length < bytes || (hash.type.startsWith('binary') && hash.length > bytes))
  ) {
    faults.push({
      path: 'apiKeys.hash',
      found: `${keys.table}.${hash.name} of type ${hash.type}`,
      allowed: `BINARY(${bytes})`,
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
