import { createHash } from 'node:crypto'
import type { Mapping } from '../../src/mapping/mapping-schema.js'

/** A key table as `apiKeys` names it, for products of one test. */
export const keyTable = {
  table: 'api_keys',
  hash: { column: 'key_hash', algorithm: 'sha256', encoding: 'hex' },
  workspace: 'account_id',
  scopes: { grant: ['registration.read', 'invoices.read'] },
} satisfies Mapping['apiKeys']

/** The table of `keyTable` with one key of the workspace 1. */
export function openKey(text = 'key'): {
  readonly text: string
  readonly schema: string
  readonly rows: string
} {
  const hash = createHash('sha256').update(text).digest('hex')
  return {
    text,
    schema: 'CREATE TABLE api_keys (key_hash CHAR(64) PRIMARY KEY, account_id INT NOT NULL)',
    rows: `INSERT INTO api_keys VALUES ('${hash}', 1)`,
  }
}
