import Fastify from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createRateLimit } from '../../../src/http/limits.js'
import { createRequestContext } from '../../../src/http/request-context.js'

const keysMax = 10_000

test('the rate limit of a million keys counts only the last keysMax of them', async () => {
  const limitRate = await createRateLimit(Fastify(), { perMinute: 2_000_000, keysMax })
  const principal = { keyId: '', workspaceId: 'W', scopes: [] as string[] }
  const context = { ...createRequestContext(), principal }
  let remaining = 0
  // The parts of a request and of a reply that the limit uses.
  const request = { context, routeOptions: {} } as unknown as FastifyRequest
  const reply = {
    headers: (headers: Readonly<Record<string, number>>) => {
      remaining = headers['ratelimit-remaining'] ?? 0
    },
  } as unknown as FastifyReply
  const count = async (at: number): Promise<number> => {
    context.principal = { ...principal, keyId: `key ${at}` }
    await limitRate(request, reply)
    return 2_000_000 - remaining
  }
  for (let at = 0; at < 1_000_000; at += 1) await count(at)
  // The oldest counted key is known; the one before it starts again at one.
  expect(await count(1_000_000 - keysMax)).toBe(2)
  expect(await count(1_000_000 - keysMax - 1)).toBe(1)
})
