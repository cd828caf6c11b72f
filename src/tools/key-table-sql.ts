import type { Column } from '../database/column.js'
import { toQuotedName } from '../database/sql.js'
import { storedHashLength } from '../mapping/key-table.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { nameOf } from '../collections/column-options.js'

type ApiKeys = Mapping['apiKeys']

/** A column that holds workspaces in the live schema; undefined where none is known. */
type WorkspaceColumn = Pick<Column, 'kind' | 'type' | 'characterSet' | 'collation'> | undefined

/**
 * The statement that creates the table of API keys that the mapping describes: a unique hash that is compared byte for
 * byte, and every column that the mapping names.
 *
 * @param live gives the workspace column its type; without it, a comment says that the type is not known.
 * @returns SQL for an administrator of MySQL or MariaDB, for the product's database as the current one.
 */
export function renderKeyTable(apiKeys: ApiKeys, live: WorkspaceColumn): string {
  const mapped = listColumns(apiKeys, live)
  const isFree = (name: string): boolean => !mapped.some(([column]) => column.toLowerCase() === name)
  const hash = toQuotedName(apiKeys.hash.column)
  const lines = [
    ...(isFree('id') ? ['`id` BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY'] : []),
    ...mapped.map(([column, type]) => `${toQuotedName(column)} ${type}`),
    ...(isFree('created_at') ? ['`created_at` TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)'] : []),
    isFree('id') ? `UNIQUE KEY \`api_key_hash\` (${hash})` : `PRIMARY KEY (${hash})`,
  ]
  const isUnknown = live === undefined && typeof apiKeys.workspace === 'string'
  return [
    '-- The table of API keys that the mapping file describes. Vitrine reads it and never writes to it.',
    ...(isUnknown
      ? [
          '-- The type of the workspace column is not known: give it that of the workspace ids of the product,',
          '-- or set DATABASE_URL to read it from the mapped tables.',
        ]
      : []),
    `CREATE TABLE ${toQuotedName(apiKeys.table)} (\n  ${lines.join(',\n  ')}\n);`,
    '',
  ].join('\n')
}

/** The columns of the mapping in its order, each once. TIMESTAMP is the same instant in every session. */
function listColumns(
  { hash, workspace, scopes, expiresAt, revokedAt, rateLimitPerMinute, where = [] }: ApiKeys,
  live: WorkspaceColumn,
): readonly (readonly [column: string, type: string])[] {
  const length = storedHashLength(hash)
  const hashType = hash.encoding === 'binary' ? `BINARY(${length})` : `CHAR(${length}) ${exactAscii}`
  const columns: readonly (readonly [string | undefined, string])[] = [
    [hash.column, `${hashType} NOT NULL`],
    typeof workspace === 'string'
      ? [workspace, `${toWorkspaceType(live)} NOT NULL`]
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
  if (value === 'set' || value === 'unset') return 'TIMESTAMP(3) NULL'
  return typeof value === 'string' ? `VARCHAR(64) ${exactAscii} NOT NULL` : 'INT NOT NULL'
}

const exactAscii = 'CHARACTER SET ascii COLLATE ascii_bin'

function toWorkspaceType(live: WorkspaceColumn): string {
  if (live === undefined) return 'VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'
  // The key table then holds the UUID as text.
  if (live.kind === 'binary') return `CHAR(36) ${exactAscii}`
  const { type, characterSet, collation } = live
  return characterSet === null || collation === null
    ? type
    : `${type} CHARACTER SET ${characterSet} COLLATE ${collation}`
}

function toTimeType(option: ApiKeys['expiresAt']): string {
  return typeof option === 'object' ? 'BIGINT NULL' : 'TIMESTAMP(3) NULL'
}
