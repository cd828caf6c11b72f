import { expect, test } from 'vitest'
import mysql from 'mysql2/promise'
import { mintKey } from '../../src/keys/key.js'
import { keys } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { base, createClient } from '../support/client.js'
import { startService, useProduct, useThrowaway } from '../support/service.js'

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
  for (const _ of ['first', 'second'])
    expect((await createClient(service).get('registrations')).headers['ratelimit-limit']).toBe('2')
  const { status, body } = await createClient(service).get('registrations')
  expect([status, body.detail]).toEqual([429, expect.stringContaining('may send 2 requests a minute')])
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

const shared = useProduct('plain', { registrations: 100 })

/** A key of the right form, which only a look into the table can tell from a real one. */
const mintGuess = (): string => mintKey('evk_')

interface From {
  readonly remoteAddress?: string
  readonly forwardedFor?: string
}

async function start(env: Readonly<Record<string, string>> = {}) {
  const time = { age: 1000 }
  const service = await startService(shared, {
    env: { REFUSED_KEYS_PER_MINUTE: '3', DATABASE_QUERY_TIMEOUT_MS: '2000', ...env },
    ageClock: () => time.age,
  })
  /** The status of an answer to this key, or the problem's code. */
  const ask = async (key: string, { remoteAddress, forwardedFor }: From = {}): Promise<string> => {
    const answer = await service.app.inject({
      url: `${base}/registrations?limit=1`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
      },
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    })
    if (answer.statusCode === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    return answer.json<{ code?: string }>().code ?? String(answer.statusCode)
  }
  return { service, time, ask }
}

async function guess({ ask }: Awaited<ReturnType<typeof start>>, times: number): Promise<readonly string[]> {
  const answers: string[] = []
  for (let at = 0; at < times; at += 1) answers.push(await ask(mintGuess()))
  return answers
}

const whileKeysAreLocked = async <Result>(run: () => Promise<Result>): Promise<Result> => {
  const admin = await mysql.createConnection({ uri: shared.adminUrl })
  try {
    await admin.query('LOCK TABLES workspace_api_keys WRITE')
    return await run()
  } finally {
    await admin.end()
  }
}

test('guessing stays off the database, and a key that is known goes on from the same address', async () => {
  const guesser = await start()
  const { ask, time, service } = guesser
  expect(await ask(keys.both)).toBe('200')
  expect(await guess(guesser, 5)).toEqual([
    ...['invalid_key', 'invalid_key', 'invalid_key'],
    ...['rate_limited', 'rate_limited'],
  ])
  // Whatever asks the key table is not answered in time now.
  await whileKeysAreLocked(async () => {
    expect(await ask(mintGuess())).toBe('rate_limited')
    expect(await ask(keys.other)).toBe('rate_limited')
    expect(await ask(keys.both)).toBe('200')
    expect(await ask(mintGuess(), { remoteAddress: '192.0.2.7' })).toBe('database_unavailable')
    time.age += 30_001
    expect(await ask(keys.both)).toBe('database_unavailable')
  })
  // It is looked up again though its address is refused.
  expect(await ask(keys.both)).toBe('200')
  expect(await ask(keys.other)).toBe('rate_limited')
  time.age += 30_000
  expect(await ask(keys.other)).toBe('200')
  const lines = service.logLines().filter(({ address }) => address !== undefined)
  expect(lines).toEqual([expect.objectContaining({ level: 40, address: '127.0.0.1' })])
})

test('what the database did not answer does not count against an address', async () => {
  const guesser = await start()
  const codes = await whileKeysAreLocked(() => guess(guesser, 3))
  expect(codes).toEqual(codes.map(() => 'database_unavailable'))
  expect(await guess(guesser, 4)).toEqual(['invalid_key', 'invalid_key', 'invalid_key', 'rate_limited'])
})

test('the address is the one that TRUST_PROXY says', async () => {
  const behind = await start({ TRUST_PROXY: '1' })
  for (const forwardedFor of ['192.0.2.1', '198.51.100.9, 192.0.2.1', '192.0.2.1'])
    expect(await behind.ask(mintGuess(), { forwardedFor })).toBe('invalid_key')
  expect(await behind.ask(mintGuess(), { forwardedFor: '203.0.113.5, 192.0.2.1' })).toBe('rate_limited')
  expect(await behind.ask(mintGuess(), { forwardedFor: '192.0.2.2' })).toBe('invalid_key')
  const direct = await start()
  for (const forwardedFor of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    expect(await direct.ask(mintGuess(), { forwardedFor })).toBe('invalid_key')
  expect(await direct.ask(mintGuess(), { forwardedFor: '192.0.2.4' })).toBe('rate_limited')
})
