import { isDeepStrictEqual } from 'node:util'
import { quoteText, toQuotedName } from '../../database/sql.js'
import { hashKey, toStoredHash, mintKey } from '../../keys/key.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { UsageError } from '../../errors.js'
import { toStoredIdentifier } from '../../values/identifiers.js'
import { storedHashLength } from '../../mapping/resolve-mapping.js'
import { nameOf, partsOf } from '../../collections/options.js'

interface KeyInput {
  /** Undefined where it is not given, which only a mapping with one workspace for all keys allows. */
  readonly workspace: string | undefined
  /** The same where the mapping gives every key its scopes. */
  readonly scopes: readonly string[] | undefined
}

/** Columns of the key table that the mapping names, and their values or types as SQL writes them. */
type Columns = readonly (readonly [column: string, sql: string])[]

/**
 * A new key for a workspace, which is not stored anywhere; its hash in the encoding of the mapping, hexadecimal for a binary one; and
 * the statement that stores the hash, for a user who may write to the key table.
 *
 * @throws UsageError for a workspace or scopes that are missing or not those of the mapping, and for a workspace that is not
 * a UUID where it must be one.
 */
export function createKey({ apiKeys }: Mapping, { workspace, scopes }: KeyInput) {
  const key = mintKey(apiKeys.prefix ?? '')
  const stored = toStoredHash(hashKey(key, apiKeys.hash), apiKeys.hash)
  const hash = typeof stored === 'string' ? stored : stored.toString('hex')
  const columns: Columns = [
    [apiKeys.hash.column, typeof stored === 'string' ? quoteText(hash) : `X'${hash}'`],
    ...renderWorkspace(apiKeys.workspace, workspace),
    ...renderScopes(apiKeys.scopes, scopes),
    ...(apiKeys.where ?? []).flatMap(({ column, equals = null }): Columns => {
      if (equals === null) return []
      return [[column, typeof equals === 'string' ? quoteText(equals) : String(Number(equals))]]
    }),
  ]
  const names = columns.map(([column]) => toQuotedName(column)).join(', ')
  const values = columns.map(([, value]) => value).join(', ')
  const insert = `INSERT INTO ${toQuotedName(apiKeys.table)} (${names}) VALUES (${values});`
  return { key, hash, columns, insert }
}

/** None where the mapping gives every key the same workspace. */
function renderWorkspace(option: Mapping['apiKeys']['workspace'], workspace: KeyInput['workspace']): Columns {
  if (typeof option !== 'string' && 'constant' in option) {
    if (workspace === undefined || workspace === option.constant) return []
    throw new UsageError(`the mapping gives every key the workspace ${JSON.stringify(option.constant)}`)
  }
  if (workspace === undefined) throw new UsageError('key needs --workspace')
  if (typeof option === 'string' || option.as === undefined) return [[nameOf(option), quoteText(workspace)]]
  const stored = toStoredIdentifier(workspace, option.as)
  if (!Buffer.isBuffer(stored))
    throw new UsageError(`the workspace ${JSON.stringify(workspace)} is not a UUID in small letters`)
  return [[option.column, `X'${stored.toString('hex')}'`]]
}

/** None where the mapping gives every key the same scopes. */
function renderScopes(option: Mapping['apiKeys']['scopes'], scopes: KeyInput['scopes']): Columns {
  if ('grant' in option) {
    const { grant } = option
    if (scopes === undefined || isDeepStrictEqual(new Set(scopes), new Set<string>(grant))) return []
    throw new UsageError(`the mapping gives every key the scopes ${grant.join(',')}`)
  }
  if (scopes === undefined) throw new UsageError('key needs --scopes')
  const { column, format } = option
  const text = format === 'json' ? JSON.stringify(scopes) : scopes.join(format === 'comma' ? ',' : ' ')
  return [[column, quoteText(text)]]
}

type ApiKeys = Mapping['apiKeys']

/**
 * The statement that creates the table of API keys that the mapping describes: a unique hash that is compared byte for
 * byte, and every column that the mapping names.
 *
 * @returns SQL for an administrator of MySQL or MariaDB, for the product's database as the current one.
 */
export function renderKeyTable(apiKeys: ApiKeys): string {
  const mapped = listColumns(apiKeys)
  const isFree = (name: string): boolean => !mapped.some(([column]) => column.toLowerCase() === name)
  const hash = toQuotedName(apiKeys.hash.column)
  const lines = [
    ...(isFree('id') ? ['`id` BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY'] : []),
    ...mapped.map(([column, type]) => `${toQuotedName(column)} ${type}`),
    ...(isFree('created_at') ? ['`created_at` TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)'] : []),
    isFree('id') ? `UNIQUE KEY \`api_key_hash\` (${hash})` : `PRIMARY KEY (${hash})`,
  ]
  return `-- The table of API keys that the mapping file describes. Vitrine reads it and never writes to it. The workspace is
-- stored as text, which fits every product; a foreign key needs the type of the product's workspace ids instead.
CREATE TABLE ${toQuotedName(apiKeys.table)} (\n  ${lines.join(',\n  ')}\n);
`
}

const exactAscii = 'CHARACTER SET ascii COLLATE ascii_bin'
/** The same instant in every session. */
const time = 'TIMESTAMP(3) NULL'

/** The columns of the mapping in its order. */
function listColumns(apiKeys: ApiKeys): Columns {
  const { hash, workspace, scopes, expiresAt, revokedAt, rateLimitPerMinute, where = [] } = apiKeys
  const length = storedHashLength(hash)
  const hashType = hash.encoding === 'binary' ? `BINARY(${length})` : `CHAR(${length}) ${exactAscii}`
  const toTimeType = (option: ApiKeys['expiresAt']) =>
    option && partsOf(option).epoch ? 'BIGINT NULL' : time
  const columns: readonly (readonly [string | undefined, string])[] = [
    [hash.column, `${hashType} NOT NULL`],
    typeof workspace === 'string'
      ? [workspace, 'VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL']
      : ['column' in workspace ? workspace.column : undefined, 'BINARY(16) NOT NULL'],
    'column' in scopes
      ? [scopes.column, `${scopes.format === 'json' ? 'JSON' : `VARCHAR(200) ${exactAscii}`} NOT NULL`]
      : [undefined, ''],
    [expiresAt && nameOf(expiresAt), toTimeType(expiresAt)],
    [revokedAt && nameOf(revokedAt), toTimeType(revokedAt)],
    [rateLimitPerMinute, 'INT UNSIGNED NULL'],
    ...where.map(({ column, is, equals }) => [column, toTestedType(is ?? equals)] as const),
  ]
  return columns.flatMap(([name, type]) => (name === undefined ? [] : [[name, type] as const]))
}

/** @param value of a test. */
function toTestedType(value: unknown): string {
  if (value === 'set' || value === 'unset') return time
  return typeof value === 'string' ? `VARCHAR(64) ${exactAscii} NOT NULL` : 'INT NOT NULL'
}
