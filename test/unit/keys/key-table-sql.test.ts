import { expect, test } from 'vitest'
import { renderKeyTable } from '../../../src/tools/key-table-sql.js'
import type { Mapping } from '../../../src/mapping/mapping-schema.js'

const apiKeys: Mapping['apiKeys'] = {
  table: 'workspace_api_keys',
  hash: { column: 'key_hash', algorithm: 'sha256', encoding: 'hex' },
  workspace: 'workspace_id',
  scopes: { column: 'scopes', format: 'space' },
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
  rateLimitPerMinute: 'rate',
}

const number = { kind: 'integer', type: 'bigint unsigned', characterSet: null, collation: null } as const

test('the key table has every mapped column, and a unique hash that is compared byte for byte', () => {
  expect(renderKeyTable(apiKeys, number)).toBe(
    `-- The table of API keys that the mapping file describes. Vitrine reads it and never writes to it.
CREATE TABLE \`workspace_api_keys\` (
  \`id\` BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  \`key_hash\` CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  \`workspace_id\` bigint unsigned NOT NULL,
  \`scopes\` VARCHAR(200) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  \`expires_at\` TIMESTAMP(3) NULL,
  \`revoked_at\` TIMESTAMP(3) NULL,
  \`rate\` INT UNSIGNED NULL,
  \`created_at\` TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  UNIQUE KEY \`api_key_hash\` (\`key_hash\`)
);
`,
  )
})

const none = { characterSet: null, collation: null } as const
const text = { kind: 'text', type: 'char(26)', characterSet: 'ascii', collation: 'ascii_bin' } as const
const uuid = { kind: 'binary', type: 'binary(16)', ...none } as const
const swapped = { column: 'workspace_id', as: 'uuid-swapped' } as const
test.each([
  ['workspace_id', text, 'char(26) CHARACTER SET ascii COLLATE ascii_bin'],
  ['workspace_id', uuid, 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin'],
  [swapped, uuid, 'BINARY(16)'],
  [swapped, undefined, 'BINARY(16)'],
  ['workspace_id', undefined, 'VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'],
] as const)('the column of the workspace %j, where the product has %j, is %s', (workspace, live, type) => {
  const sql = renderKeyTable({ ...apiKeys, workspace }, live)
  expect(sql).toContain(`\`workspace_id\` ${type} NOT NULL,\n`)
  const unknown = /^-- The type of the workspace column is not known:.*\n-- or set DATABASE_URL/m
  expect(unknown.test(sql)).toBe(type.startsWith('VARCHAR'))
})

test('the columns id and created_at of a mapping are not created twice', () => {
  const own = { ...apiKeys, hash: { ...apiKeys.hash, column: 'ID' }, workspace: 'Created_At' }
  const sql = renderKeyTable(own, number)
  expect(sql.match(/^ {2}`(id|created_at)` /gim)).toHaveLength(2)
  expect(sql).toContain('\n  PRIMARY KEY (`ID`)\n')
})
