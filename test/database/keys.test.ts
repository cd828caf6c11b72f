import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

test('a stored hash that belongs to two rows opens neither workspace', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 20 })
  const other = database.product.workspaceId(1)
  // A view has no unique index, which is how a product can come to this.
  await runStatements(database.adminUrl, [
    'ALTER TABLE workspace_api_keys DROP KEY uq_key_hash',
    `INSERT INTO workspace_api_keys (workspace_id, label, key_hash, scopes)
       SELECT '${other}', 'twice', key_hash, scopes FROM workspace_api_keys WHERE label LIKE '%both'`,
  ])
  const service = await startService(database)
  expect((await createClient(service).get('registrations')).body.code).toBe('invalid_key')
  expect(service.logs()).toContain('the hash is in the table more than once')
})

test('a key with a limit of its own has that one, and a key with a limit of 0 is not accepted', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 20 })
  const change = (sql: string): Promise<void> => runStatements(database.adminUrl, [sql])
  await change('ALTER TABLE workspace_api_keys ADD rate INT NULL')
  const user = decodeURIComponent(new URL(database.readUrl).username)
  await change(`GRANT SELECT (rate) ON workspace_api_keys TO '${user}'@'%'`)
  await change(
    "UPDATE workspace_api_keys SET rate = CASE WHEN label LIKE '%both' THEN 2 WHEN label LIKE '%invoices' THEN 0 END",
  )
  const service = await startService(database, {
    env: { KEY_CACHE_TTL_SECONDS: '0', RATE_LIMIT_PER_MINUTE: '100' },
    change: (mapping) => ({ ...mapping, apiKeys: { ...mapping.apiKeys, rateLimitPerMinute: 'rate' } }),
  })
  const { headers } = await createClient(service).get('registrations')
  expect(headers).toMatchObject({
    'ratelimit-limit': '2',
    'ratelimit-policy': '"default";q=2;w=60',
    ratelimit: '"default";r=1;t=60',
  })
  expect((await createClient(service).get('registrations')).status).toBe(200)
  const { status, body } = await createClient(service).get('registrations')
  const detail = 'This key may send 2 requests a minute, and has sent them. Wait the seconds of Retry-After.'
  expect([status, body.detail]).toEqual([429, detail])
  const other = await createClient(service, keys.registrations).get('registrations')
  expect(other.headers['ratelimit-limit']).toBe('100')
  expect((await createClient(service, keys.invoices).get('invoices')).body.code).toBe('invalid_key')
  expect(service.logs()).toContain('rateLimitPerMinute is not above 0')
})

test('a key in the cache is accepted until its expiry, its answers say when that is, and a metric counts the keys that were used and expire soon', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 20 })
  const expire = (label: string, at: string) =>
    `UPDATE workspace_api_keys SET expires_at = '${at}' WHERE label LIKE '%${label}'`
  await runStatements(database.adminUrl, [
    expire('both', '2026-06-14 23:59:59'),
    expire('other', '2026-06-15 00:00:01'),
  ])
  let now = Date.UTC(2026, 5, 1)
  const service = await startService(database, { clock: () => now })
  const expiry = '2026-06-14T23:59:59.000000Z'
  for (const [path, status] of [
    ['registrations', 200],
    ['registrations?limit=0', 400],
    ['registrations/none', 404],
  ] as const) {
    const answer = await createClient(service).get(path)
    expect([answer.status, answer.headers['api-key-expires']]).toEqual([status, expiry])
  }
  expect((await createClient(service, keys.registrations).get('invoices')).headers).not.toHaveProperty(
    'api-key-expires',
  )
  await createClient(service, keys.other).get('registrations')
  expect((await service.ops.inject('/metrics')).body).toContain('vitrine_keys_expiring 1\n')
  for (const [ms, status] of [
    [-1, 200],
    [0, 401],
  ] as const) {
    now = Date.parse(expiry) + ms
    expect((await createClient(service).get('registrations')).status).toBe(status)
  }
})
