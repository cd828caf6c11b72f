import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.js'
import { Problem } from '../errors.js'
import { toInstantText } from '../values/instant.js'
import { isPart } from './request-context.js'
import { createMinuteCounts } from './minute-counts.js'

/** Limits of connections and of the time that a caller takes. */
export interface HttpLimits {
  /** For the head of a request, in milliseconds from its first byte, or from the connection if it is the first one. */
  readonly headersTimeoutMs: number
  /** The same for a whole request. Only `/mcp` reads a body, a short one, so this is little more than the head. */
  readonly requestTimeoutMs: number
  /** How long a connection stays open between two requests. */
  readonly keepAliveTimeoutMs: number
  /** How long a caller may take to read an answer, from its first byte; the database time is not part of it. */
  readonly answerTimeoutMs: number
  /** How often these times are compared with the clock; each can be longer by as much. */
  readonly checkEveryMs: number
  /**
   * Connections that are answered or kept at once. Beyond it, the connection that has been idle for the longest time
   * is closed; if none is idle, a new caller gets 503. As many again can have had no successful answer; beyond that,
   * the oldest of these is closed.
   */
  readonly connectionsMax: number
  /** Requests of one connection in progress at once. */
  readonly pipelinedMax: number
}

/**
 * The limits of a service. The database time is limited apart: `DATABASE_QUERY_TIMEOUT_MS` holds for the time in the queue
 * and for each statement, of which a request can send several.
 */
export const httpLimits: HttpLimits = {
  // A head has at most 16 KiB: a second on a slow line.
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  // Longer than the 60 seconds of most load balancers: otherwise Vitrine could close a connection that one is using.
  keepAliveTimeoutMs: 72_000,
  // The largest answers, a page of 100 records and the documentation page, have 60 KB.
  answerTimeoutMs: 60_000,
  // Node's default is 30 seconds, which would make 40 seconds of 10.
  checkEveryMs: 1000,
  connectionsMax: 2000,
  // Clients and proxies rarely pipeline; only a flood sends more.
  pipelinedMax: 16,
}

/** Counts the request for its key, and sets the headers that answers to a key have. @throws Problem `rate_limited` beyond the limit. */
export type LimitRate = (request: FastifyRequest, reply: FastifyReply) => void

/** The limit of requests for each key. */
export interface RateLimitInput {
  /** Requests for each key that has no limit of its own; 0 disables the limit of these. */
  readonly perMinute: number
  /** How many keys are counted. Beyond it, the key with the oldest request is dropped. */
  readonly keysMax: number
  /** Any clock that never steps back, in milliseconds. */
  readonly clock: Clock
}

/** A rate limit for each key in this process. */
export function createRateLimit({ perMinute: perMinuteOfAll, keysMax, clock }: RateLimitInput): LimitRate {
  const counts = createMinuteCounts({ max: keysMax, clock, create: () => ({ requests: 0 }) })
  return ({ context: { principal }, raw }, reply) => {
    const expiry = principal?.expiresAt && toInstantText(principal.expiresAt)
    if (expiry !== undefined) reply.header('api-key-expires', expiry)
    const perMinute = principal?.rateLimitPerMinute ?? perMinuteOfAll
    if (principal === undefined || perMinute === 0 || isPart(raw)) return
    const count = counts.find(principal.keyId)
    count.requests += 1
    const secondsLeft = counts.countSecondsLeft(principal.keyId)
    reply.headers(toRateHeaders(perMinute, Math.max(0, perMinute - count.requests), secondsLeft))
    if (count.requests > perMinute) throw createRateLimited(perMinute, secondsLeft)
  }
}

/**
 * The state of a limit, in the names that most services use and in those of draft-ietf-httpapi-ratelimit-headers-11:
 * quota, window and remaining requests as parameters of a named policy.
 */
export function toRateHeaders(perMinute: number, remaining: number, secondsLeft: number) {
  return {
    'ratelimit-limit': perMinute,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': secondsLeft,
    'ratelimit-policy': `"default";q=${perMinute};w=60`,
    ratelimit: `"default";r=${remaining};t=${secondsLeft}`,
  }
}

/** The problem of a key that has sent all requests of its minute. */
export function createRateLimited(perMinute: number, secondsLeft: number): Problem {
  const detail = `This key may send ${perMinute} requests a minute, and has sent them. Wait the seconds of Retry-After.`
  return new Problem('rate_limited', detail, { headers: { 'retry-after': String(secondsLeft) } })
}
