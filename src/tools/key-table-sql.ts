import type { Column } from '../database/column.js'
import { toQuotedName } from '../database/sql.js'
import { storedHashLength } from '../mapping/key-table.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { nameOf } from '../collections/options.js'

type ApiKeys = Mapping['apiKeys']

/** What the statement needs beyond the mapping. */
export interface KeyTableInput {
  /**
   * The type of the workspace column: a column that holds workspaces in the live schema, or a type as SQL writes it.
   * Undefined where it is not known; a comment then says so.
   */
  readonly workspace: Pick<Column, 'kind' | 'type' | 'characterSet' | 'collation'> | string | undefined
}

/**
 * The statement that creates the table of API keys that the mapping describes: a unique hash that is compared byte for
 * byte, and every column that the mapping names.
 *
 * @returns SQL for an administrator of MySQL or MariaDB, for the product's database as the current one.
 */
export function renderKeyTable(apiKeys: ApiKeys, input: KeyTableInput): string {
  const mapped = listMappedColumns(apiKeys, input)
  const isFree = (name: string): boolean => !mapped.some(([column]) => column.toLowerCase() === name)
  const hash = toQuotedName(apiKeys.hash.column)
  const lines = [
    ...(isFree('id') ? ['`id` BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY'] : []),
    ...mapped.map(([column, type]) => `${toQuotedName(column)} ${type}`),
    ...(isFree('created_at') ? ['`created_at` TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)'] : []),
    isFree('id') ? `UNIQUE KEY \`api_key_hash\` (${hash})` : `PRIMARY KEY (${hash})`,
  ]
  return [
    '-- The table of API keys that the mapping file describes. Vitrine reads it and never writes to it.',
    ...describeWorkspace(apiKeys, input),
    `CREATE TABLE ${toQuotedName(apiKeys.table)} (\n  ${lines.join(',\n  ')}\n);`,
    '',
  ].join('\n')
}

/** The columns of the mapping in its order, each once. TIMESTAMP is the same instant in every session. */
function listMappedColumns(
  apiKeys: ApiKeys,
  { workspace }: KeyTableInput,
): readonly (readonly [column: string, type: string])[] {
  const { hash, scopes, expiresAt, revokedAt, rateLimitPerMinute } = apiKeys
  const workspaceColumn = toWorkspaceColumn(apiKeys)
  const columns: readonly (readonly [string | undefined, string])[] = [
    [hash.column, `${toHashType(hash)} NOT NULL`],
    [workspaceColumn?.name, `${toWorkspaceType(workspaceColumn?.isBinary === true, workspace)} NOT NULL`],
    ...('column' in scopes ? [[scopes.column, `${toScopesType(scopes.format)} NOT NULL`] as const] : []),
    [expiresAt && nameOf(expiresAt), toTimeType(expiresAt)],
    [revokedAt && nameOf(revokedAt), toTimeType(revokedAt)],
    [rateLimitPerMinute, 'INT UNSIGNED NULL'],
  ]
  return columns.flatMap(([name, type]) => (name === undefined ? [] : [[name, type] as const]))
}

/** Undefined where the mapping gives every key the same workspace. */
function toWorkspaceColumn({
  workspace,
}: ApiKeys): { readonly name: string; readonly isBinary: boolean } | undefined {
  if (typeof workspace === 'string') return { name: workspace, isBinary: false }
  return 'column' in workspace ? { name: workspace.column, isBinary: true } : undefined
}

function toHashType(hash: ApiKeys['hash']): string {
  const length = storedHashLength(hash)
  return hash.encoding === 'binary' ? `BINARY(${length})` : `CHAR(${length}) ${exactAscii}`
}

const exactAscii = 'CHARACTER SET ascii COLLATE ascii_bin'
const unknownWorkspaceType = 'VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'

function toWorkspaceType(isBinary: boolean, workspace: KeyTableInput['workspace']): string {
  if (isBinary) return 'BINARY(16)'
  if (workspace === undefined) return unknownWorkspaceType
  if (typeof workspace === 'string') return workspace
  // The key table then holds the UUID as text.
  if (workspace.kind === 'binary') return `CHAR(36) ${exactAscii}`
  const { type, characterSet, collation } = workspace
  return characterSet === null || collation === null
    ? type
    : `${type} CHARACTER SET ${characterSet} COLLATE ${collation}`
}

function toTimeType(option: ApiKeys['expiresAt']): string {
  return typeof option === 'object' ? 'BIGINT NULL' : 'TIMESTAMP(3) NULL'
}

function toScopesType(format: 'space' | 'comma' | 'json'): string {
  return format === 'json' ? 'JSON' : `VARCHAR(200) ${exactAscii}`
}

function describeWorkspace(apiKeys: ApiKeys, { workspace }: KeyTableInput): readonly string[] {
  const column = toWorkspaceColumn(apiKeys)
  if (column === undefined || column.isBinary || workspace !== undefined) return []
  return [
    `-- The type of ${toQuotedName(column.name).replace(/[\r\n]/g, ' ')} is not known: give it the type of the product's workspace ids, with`,
    '-- --workspace-type, or set DATABASE_URL to read it from the mapped tables.',
  ]
}
