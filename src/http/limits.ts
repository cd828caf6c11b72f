import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.js'

/** What a caller may cost by its connections alone, whatever it sends and whether it reads. */
export interface HttpLimits {
  /** For a request's head, in milliseconds from its first byte, or from the connection before there is one. */
  readonly headersTimeoutMs: number
  /** The same for a whole request; no route reads a body, so there is little more than the head. */
  readonly requestTimeoutMs: number
  /** How long a connection may stay open between two requests. */
  readonly keepAliveTimeoutMs: number
  /** How long a caller may take over an answer, from its first byte; waiting for the database is not part of it. */
  readonly answerTimeoutMs: number
  /** How often these times are compared with the clock; each may be longer by as much. */
  readonly checkEveryMs: number
  /**
   * Connections that are answered or kept at once. Beyond it the one that is idle for the longest time is closed, and
   * when none is idle a new caller gets a 503. As many again may have had no successful answer; beyond that the
   * oldest of these is closed.
   */
  readonly connectionsMax: number
  /** Requests of one connection that are under way at once. */
  readonly pipelinedMax: number
}

/**
 * The limits of a service. Each request ends in time by `DATABASE_QUERY_TIMEOUT_MS`; these end what is before it
 * and after it.
 */
export const httpLimits: HttpLimits = {
  // A head is 16 KiB at most, a second on the poorest of lines.
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  // Longer than the 60 seconds of most load balancers, so that it is never this side that closes while one sends.
  keepAliveTimeoutMs: 72_000,
  // The largest answer is the 1.5 MB of the documentation's script; a page of records is 50 KB.
  answerTimeoutMs: 60_000,
  // Node would look every 30 seconds only, which makes 40 of 10.
  checkEveryMs: 1000,
  connectionsMax: 2000,
  // Nobody pipelines by itself, and a proxy sends one request after the other; a flood of them does.
  pipelinedMax: 16,
}

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
