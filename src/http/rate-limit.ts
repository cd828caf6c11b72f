import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.js'

/** Counts the request for its key, and refuses one too many. @throws Problem `rate_limited` */
export type LimitRate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** How much each key may ask for. */
export interface RateLimitInput {
  /** Requests for each key; 0 limits nothing. */
  readonly perMinute: number
  /** How many keys are counted; beyond it the one that was quiet for longest is forgotten. */
  readonly keysMax: number
}

/** A limit for each key in this process, counted by `@fastify/rate-limit`. */
export async function createRateLimit(
  app: FastifyInstance,
  { perMinute, keysMax }: RateLimitInput,
): Promise<LimitRate> {
  if (perMinute === 0) return () => Promise.resolve()
  // All is said here, because a limiter with options of its own would count in a store of the usual size.
  await app.register(rateLimit, {
    global: false,
    cache: keysMax,
    max: perMinute,
    timeWindow: '1 minute',
    keyGenerator: (request) => request.facts.principal?.keyId ?? '',
  })
  const count = app.createRateLimit()
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
