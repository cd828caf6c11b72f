import Fastify from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createRateLimit } from '../../../src/http/limits.js'
import { createRequestContext } from '../../../src/http/request-context.js'

const keysMax = 10_000

test('a million keys take the room of as many as are counted', async () => {
  const limitRate = await createRateLimit(Fastify(), { perMinute: 2_000_000, keysMax })
  const principal = { keyId: '', workspaceId: 'W', scopes: [] as string[] }
  const facts = { ...createRequestContext(), principal }
  let remaining = 0
  // The parts of a request and of a reply that the limit looks at.
  const request = { facts, routeOptions: {} } as unknown as FastifyRequest
  const reply = {
    headers: (headers: Readonly<Record<string, number>>) => {
      remaining = headers['ratelimit-remaining'] ?? 0
    },
  } as unknown as FastifyReply
  const count = async (at: number): Promise<number> => {
    facts.principal = { ...principal, keyId: `key ${at}` }
    await limitRate(request, reply)
    return 2_000_000 - remaining
  }
  for (let at = 0; at < 1_000_000; at += 1) await count(at)
  // The last are known, and the one before them begins anew: so many and no more were kept.
  expect(await count(1_000_000 - keysMax)).toBe(2)
  expect(await count(1_000_000 - keysMax - 1)).toBe(1)
})
