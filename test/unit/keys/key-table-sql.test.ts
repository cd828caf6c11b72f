import { expect, test } from 'vitest'
import { renderKeyTable } from '../../../src/tools/commands/key.js'
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

test('the key table has every mapped column, and a unique hash that is compared byte for byte', () => {
  expect(renderKeyTable(apiKeys)).toBe(
    `-- The table of API keys that the mapping file describes. Vitrine reads it and never writes to it. The workspace is
-- stored as text, which fits every product; a foreign key needs the type of the product's workspace ids instead.
CREATE TABLE \`workspace_api_keys\` (
  \`id\` BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  \`key_hash\` CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  \`workspace_id\` VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
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

test('a workspace that is read as a UUID is binary', () => {
  const sql = renderKeyTable({ ...apiKeys, workspace: { column: 'workspace_id', as: 'uuid-swapped' } })
  expect(sql).toContain('`workspace_id` BINARY(16) NOT NULL,\n')
})

test('the columns id and created_at of a mapping are not created twice', () => {
  const own = { ...apiKeys, hash: { ...apiKeys.hash, column: 'ID' }, workspace: 'Created_At' }
  const sql = renderKeyTable(own)
  expect(sql.match(/^ {2}`(id|created_at)` /gim)).toHaveLength(2)
  expect(sql).toContain('\n  PRIMARY KEY (`ID`)\n')
})
