import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { createAuthenticate } from '../../../src/http/authenticate.js'
import { createRequestContext } from '../../../src/http/request-context.js'
import { createRefusedKeys } from '../../../src/http/failed-authentications.js'
import { hashKey } from '../../../src/keys/key-format.js'
import { createKeyCache } from '../../../src/keys/key-cache.js'
import type { KeyRow } from '../../../src/keys/key-lookup.js'

const form = { algorithm: 'sha256', encoding: 'hex' } as const
const ttlMs = 30_000
const minuteMs = 60_000
const good: KeyRow = {
  keyId: 'k',
  workspaceId: 'W1',
  scopes: [],
  expiresAt: { seconds: 1000, micros: 0 },
  revoked: false,
}

/** Authentication over a key table in memory, at a time that passes only when the test says so. */
function start(perMinute = 2) {
  const stored = new Map<string, KeyRow>()
  const looked: string[] = []
  let now = 1000
  const clock = (): number => now
  const authenticate = createAuthenticate({
    form,
    prefix: undefined,
    keyCache: createKeyCache({
      max: 100,
      ttlMs,
      clock,
      lookup: (hash) => {
        looked.push(hash)
        return Promise.resolve(stored.get(hash) ?? null)
      },
    }),
    refusedKeys: createRefusedKeys({ perMinute, clock, onLimit: () => undefined }),
    clock,
  })
  return {
    looked,
    store: (key: string, row: KeyRow) => stored.set(hashKey(key, form), row),
    pass: (ms: number) => {
      now += ms
    },
    ask: (key: string, more: Readonly<Record<string, string>> = {}): Promise<unknown> =>
      authenticate({
        headers: { authorization: `Bearer ${key}`, ...more },
        ip: '192.0.2.1',
        facts: createRequestContext(),
      } as unknown as FastifyRequest).then(
        ({ workspaceId }) => workspaceId,
        (error: unknown) => (error as { readonly code: string }).code,
      ),
  }
}

describe('a key in the cache', () => {
  test('is accepted until its expiry and no longer, without another look', async () => {
    const { store, ask, pass, looked } = start()
    store('key', { ...good, expiresAt: { seconds: 10, micros: 0 } })
    expect(await ask('key')).toBe('W1')
    pass(8999)
    expect(await ask('key')).toBe('W1')
    pass(1)
    expect(await ask('key')).toBe('invalid_key')
    expect(looked).toHaveLength(1)
  })

  test('that is revoked is accepted no longer than its greatest age, whatever the caller has of an answer', async () => {
    const { store, ask, pass } = start()
    store('key', good)
    expect(await ask('key')).toBe('W1')
    store('key', { ...good, revoked: true })
    pass(ttlMs + 1)
    expect(await ask('key', { 'if-none-match': '*' })).toBe('invalid_key')
  })
})

describe('an address whose failed authentications are used up', () => {
  const useUp = async ({ ask }: ReturnType<typeof start>): Promise<void> => {
    for (const guess of ['x', 'y']) expect(await ask(guess)).toBe('invalid_key')
    expect(await ask('z')).toBe('rate_limited')
  }

  test('is still served with a key that was good when last seen, cached or not', async () => {
    const service = start()
    service.store('key', good)
    expect(await service.ask('key')).toBe('W1')
    service.pass(ttlMs + 1)
    await useUp(service)
    expect(await service.ask('key')).toBe('W1')
  })

  test('has no key looked up that was seen before, but was no longer good', async () => {
    const service = start()
    service.store('revoked', { ...good, revoked: true })
    expect(await service.ask('revoked')).toBe('invalid_key')
    service.pass(minuteMs + 1)
    await useUp(service)
    const made = service.looked.length
    expect(await service.ask('revoked')).toBe('rate_limited')
    expect(service.looked).toHaveLength(made)
  })
})

test('every refused key counts, whether it was cached, looked up or never a key', async () => {
  for (const keys of [
    ['revoked', 'revoked'],
    ['revoked', 'unknown'],
    ['not/a=key', 'unknown'],
  ]) {
    const { store, ask } = start()
    store('revoked', { ...good, revoked: true })
    for (const key of keys) expect(await ask(key)).toBe('invalid_key')
    expect(await ask('another')).toBe('rate_limited')
  }
})
