import { toQuotedName, quoteText } from '../database/quote.js'
import { hashKey, toStoredHash, mintKey } from '../keys/key-format.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { UsageError } from '../errors.js'
import { nameOf } from '../mapping/mapped-columns.js'
import { toStoredIdentifier } from '../values/identifier.js'

interface KeyInput {
  readonly workspace: string
  readonly scopes: readonly string[]
}

/** What `vitrine key` prints of a new key. */
export interface NewKey {
  /** Shown once; it is kept nowhere. */
  readonly key: string
  /** In the encoding of the mapping; hexadecimal where that is binary. */
  readonly hash: string
  /** For whoever may write to the mapped table. */
  readonly insert: string
}

/** A new key for a workspace, its hash, and the statement that would store it; nothing is written. */
export function createKey({ apiKeys }: Mapping, { workspace, scopes }: KeyInput): NewKey {
  const key = mintKey(apiKeys.prefix ?? '')
  const stored = toStoredHash(hashKey(key, apiKeys.hash), apiKeys.hash)
  const hash = typeof stored === 'string' ? stored : stored.toString('hex')
  const columns: readonly (readonly [column: string, value: string])[] = [
    [apiKeys.hash.column, typeof stored === 'string' ? quoteText(hash) : `X'${hash}'`],
    [nameOf(apiKeys.workspace), renderWorkspace(apiKeys.workspace, workspace)],
    ...('column' in apiKeys.scopes
      ? [[apiKeys.scopes.column, quoteText(formatScopes(scopes, apiKeys.scopes.format))] as const]
      : []),
  ]
  const names = columns.map(([column]) => toQuotedName(column)).join(', ')
  const values = columns.map(([, value]) => value).join(', ')
  return { key, hash, insert: `INSERT INTO ${toQuotedName(apiKeys.table)} (${names}) VALUES (${values});` }
}

/** @throws UsageError where the mapping has a UUID and the workspace is none. */
function renderWorkspace(option: Mapping['apiKeys']['workspace'], workspace: string): string {
  if (typeof option === 'string') return quoteText(workspace)
  const stored = toStoredIdentifier(workspace, option.as)
  if (!Buffer.isBuffer(stored))
    throw new UsageError(`the workspace ${JSON.stringify(workspace)} is not a UUID in small letters`)
  return `X'${stored.toString('hex')}'`
}

function formatScopes(scopes: readonly string[], format: 'space' | 'comma' | 'json'): string {
  if (format === 'json') return JSON.stringify(scopes)
  return scopes.join(format === 'comma' ? ',' : ' ')
}
