import { toQuotedName } from '../database/sql.js'
import { storedHashLength } from '../mapping/key-table.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { nameOf } from '../collections/column-options.js'

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
function listColumns(apiKeys: ApiKeys): readonly (readonly [column: string, type: string])[] {
  const { hash, workspace, scopes, expiresAt, revokedAt, rateLimitPerMinute, where = [] } = apiKeys
  const length = storedHashLength(hash)
  const hashType = hash.encoding === 'binary' ? `BINARY(${length})` : `CHAR(${length}) ${exactAscii}`
  const toTimeType = (option: ApiKeys['expiresAt']) => (typeof option === 'object' ? 'BIGINT NULL' : time)
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
