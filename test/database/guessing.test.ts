import mysql from 'mysql2/promise'
import { expect, test } from 'vitest'
import { mintKey } from '../../src/keys/key.js'
import { keys } from '../product/index.js'
import { base } from '../support/client.js'
import { startService, useProduct } from '../support/service.js'

const database = useProduct('plain', { registrations: 100 })

/** A key of the right form, which only a look into the table can tell from a real one. */
const mintGuess = (): string => mintKey('evk_')

interface From {
  readonly remoteAddress?: string
  readonly forwardedFor?: string
}

async function start(env: Readonly<Record<string, string>> = {}) {
  const time = { age: 1000 }
  const service = await startService(database, {
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
  const admin = await mysql.createConnection({ uri: database.adminUrl })
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
