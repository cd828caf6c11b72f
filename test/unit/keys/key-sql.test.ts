import { describe, expect, test } from 'vitest'
import { renderKeyLookup } from '../../../src/keys/key-lookup.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'
import { exactly } from '../../support/exactly.js'
import { resolvePlain } from '../../support/plain-mapping.js'

const plain = resolvePlain().apiKeys

describe('the lookup of a key', () => {
  test('filters by the hash only, and selects neither the hash nor the label', () => {
    expect(renderKeyLookup(plain, 'h')).toEqual({
      sql:
        'select `workspace_id` as `workspace`, `scopes` as `scopes`, `expires_at` as `expiresAt`, ' +
        `\`revoked_at\` as \`revokedAt\` from \`workspace_api_keys\` where ${exactly('`key_hash`')} limit ?`,
      values: ['h', 'h', '2'],
    })
  })

  test('compares a binary hash as it is', () => {
    expect(renderKeyLookup(resolveAwkward().apiKeys, Buffer.from('h'))).toEqual({
      sql:
        'select `tenant` as `workspace`, `perms` as `scopes`, `valid_until` as `expiresAt`, ' +
        `\`killed_at\` as \`revokedAt\` from \`tokens\` where ${exactly('`digest`', 'bytes')} limit ?`,
      values: [Buffer.from('h'), Buffer.from('h'), '2'],
    })
  })

  test('selects only the mapped columns', () => {
    const rateLimitPerMinute = { ...plain.hash, name: 'rate' }
    expect(renderKeyLookup({ ...plain, rateLimitPerMinute }, 'h').sql).toContain(
      '`revoked_at` as `revokedAt`, `rate` as `rateLimitPerMinute` from ',
    )
    const sparse = { ...plain, scopes: undefined, expiresAt: undefined, revokedAt: undefined }
    expect(renderKeyLookup(sparse, 'h').sql).toBe(
      `select \`workspace_id\` as \`workspace\` from \`workspace_api_keys\` where ${exactly('`key_hash`')} limit ?`,
    )
  })
})
