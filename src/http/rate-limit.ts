import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.js'

/** Counts the request for its key, and refuses one too many. @throws Problem `rate_limited` */
export type LimitRate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** A limit for each key in this process, counted by `@fastify/rate-limit`; 0 limits nothing. */
export async function createRateLimit(app: FastifyInstance, perMinute: number): Promise<LimitRate> {
  if (perMinute === 0) return () => Promise.resolve()
  await app.register(rateLimit, { global: false })
  const count = app.createRateLimit({
    max: perMinute,
    timeWindow: '1 minute',
    keyGenerator: (request) => request.facts.principal?.keyId ?? '',
  })
  return async (request, reply) => {
    const state = await count(request)
    if (state.isAllowed) return
    reply.headers({
      'ratelimit-limit': state.max,
      'ratelimit-remaining': state.remaining,
      'ratelimit-reset': state.ttlInSeconds,
    })
    if (!state.isExceeded) return
    throw new Problem('rate_limited', `This key may send ${state.max} requests a minute.`, {
      headers: { 'retry-after': String(Math.max(1, state.ttlInSeconds)) },
    })
  }
}
