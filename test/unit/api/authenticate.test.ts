import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { createAuthenticate } from '../../../src/api/authenticate.js'
import { createRequestContext } from '../../../src/api/request-context.js'
import { createFailedAuthentications } from '../../../src/api/rate-limits.js'
import { hashKey } from '../../../src/keys/key.js'
import { createKeyCache } from '../../../src/keys/key-cache.js'
import type { KeyRow } from '../../../src/keys/key.js'

const form = { algorithm: 'sha256', encoding: 'hex' } as const
const ttlMs = 30_000
const minuteMs = 60_000
const valid: KeyRow = {
  keyId: 'k',
  workspaceId: 'W1',
  scopes: [],
  expiresAt: { seconds: 1000, micros: 0 },
  revoked: false,
  rateLimitPerMinute: undefined,
}

/** Authentication over a key table in memory, with a clock that the test advances. */
function start(perMinute = 2) {
  const rows = new Map<string, KeyRow>()
  const lookups: string[] = []
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
        lookups.push(hash)
        return Promise.resolve(rows.get(hash) ?? null)
      },
    }),
    failedAuthentications: createFailedAuthentications({ perMinute, clock, onLimit: () => undefined }),
    clock,
  })
  return {
    lookups,
    store: (key: string, row: KeyRow) => rows.set(hashKey(key, form), row),
    advance: (ms: number) => {
      now += ms
    },
    send: async (key: string, more: Readonly<Record<string, string>> = {}): Promise<unknown> => {
      const headers = { authorization: `Bearer ${key}`, ...more }
      const request = { headers, ip: '192.0.2.1', context: createRequestContext() }
      try {
        return (await authenticate(request as unknown as FastifyRequest)).workspaceId
      } catch (error) {
        return (error as { readonly code: string }).code
      }
    },
  }
}

describe('a key in the cache', () => {
  test('is accepted until its expiry and no longer, without another lookup', async () => {
    const { store, send, advance, lookups } = start()
    store('key', { ...valid, expiresAt: { seconds: 10, micros: 0 } })
    expect(await send('key')).toBe('W1')
    advance(8999)
    expect(await send('key')).toBe('W1')
    advance(1)
    expect(await send('key')).toBe('invalid_key')
    expect(lookups).toHaveLength(1)
  })

  test('that is revoked is accepted no longer than the greatest age of its row, also for conditional requests', async () => {
    const { store, send, advance } = start()
    store('key', valid)
    expect(await send('key')).toBe('W1')
    store('key', { ...valid, revoked: true })
    advance(ttlMs + 1)
    expect(await send('key', { 'if-none-match': '*' })).toBe('invalid_key')
  })
})

describe('an address that has reached its failed-authentication limit', () => {
  const useUp = async ({ send }: ReturnType<typeof start>): Promise<void> => {
    for (const guess of ['x', 'y']) expect(await send(guess)).toBe('invalid_key')
    expect(await send('z')).toBe('rate_limited')
  }

  test('is still served with a key that was valid at its last lookup, cached or not', async () => {
    const service = start()
    service.store('key', valid)
    expect(await service.send('key')).toBe('W1')
    service.advance(ttlMs + 1)
    await useUp(service)
    expect(await service.send('key')).toBe('W1')
  })

  test('causes no lookup of a key that was invalid at its last lookup', async () => {
    const service = start()
    service.store('revoked', { ...valid, revoked: true })
    expect(await service.send('revoked')).toBe('invalid_key')
    service.advance(minuteMs + 1)
    await useUp(service)
    const made = service.lookups.length
    expect(await service.send('revoked')).toBe('rate_limited')
    expect(service.lookups).toHaveLength(made)
  })
})

test('every rejected key counts, whether it was cached, looked up or malformed', async () => {
  for (const keys of [
    ['revoked', 'revoked'],
    ['revoked', 'unknown'],
    ['not/a=key', 'unknown'],
  ]) {
    const { store, send } = start()
    store('revoked', { ...valid, revoked: true })
    for (const key of keys) expect(await send(key)).toBe('invalid_key')
    expect(await send('another')).toBe('rate_limited')
  }
})
