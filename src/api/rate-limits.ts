import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../values/instant.js'
import { Problem } from '../problems.js'
import { toInstantText } from '../values/instant.js'
import type { Observe } from './observation.js'

/** What a key or an address has used of its minute, which begins with its first request. */
interface Minute {
  /** By a clock that never steps back: a clock that is set back would prolong the minute. */
  readonly endsAt: number
  used: number
  /** Failures of keys whose lookup is in progress. */
  reserved: number
  isReported: boolean
}

/** The minutes of one process. Beyond `max`, the one with the oldest request is dropped. */
function createMinutes(max: number, clock: Clock) {
  const minutes = new LRUCache<string, Minute>({ max })
  return {
    find: (key: string): Minute => {
      const [known, now] = [minutes.get(key), clock()]
      if (known !== undefined && known.endsAt > now) return known
      const minute = { endsAt: now + 60_000, used: 0, reserved: 0, isReported: false }
      minutes.set(key, minute)
      return minute
    },
    /** Whole seconds, 1 to 60. */
    countSecondsLeft: ({ endsAt }: Minute): number => Math.max(1, Math.ceil((endsAt - clock()) / 1000)),
    size: () => minutes.size,
  }
}

/** Counts the request for its key, and sets the headers that answers to a key have. @throws Problem `rate_limited` beyond the limit. */
export type LimitRate = (request: FastifyRequest, reply: FastifyReply) => void

interface RateLimitInput {
  /** Requests for each key that has no limit of its own; 0 disables the limit of these. */
  readonly perMinute: number
  /** How many keys are counted. */
  readonly keysMax: number
  /** Any clock that never steps back, in milliseconds. */
  readonly clock: Clock
}

/** A rate limit for each key in this process. */
export function createRateLimit({ perMinute: perMinuteOfAll, keysMax, clock }: RateLimitInput): LimitRate {
  const minutes = createMinutes(keysMax, clock)
  return ({ context: { principal } }, reply) => {
    const expiry = principal?.expiresAt && toInstantText(principal.expiresAt)
    if (expiry !== undefined) reply.header('api-key-expires', expiry)
    const perMinute = principal?.rateLimitPerMinute ?? perMinuteOfAll
    if (principal === undefined || perMinute === 0) return
    const minute = minutes.find(principal.keyId)
    minute.used += 1
    const secondsLeft = minutes.countSecondsLeft(minute)
    reply.headers(toRateHeaders(perMinute, Math.max(0, perMinute - minute.used), secondsLeft))
    if (minute.used <= perMinute) return
    const detail = `This key may send ${perMinute} requests a minute, and has sent them. Wait the seconds of Retry-After.`
    throw createRateLimited(detail, secondsLeft)
  }
}

/**
 * The state of a limit, in the names that most services use and in those of draft-ietf-httpapi-ratelimit-headers-11:
 * quota, window and remaining requests as parameters of a named policy.
 */
function toRateHeaders(perMinute: number, remaining: number, secondsLeft: number) {
  return {
    'ratelimit-limit': perMinute,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': secondsLeft,
    'ratelimit-policy': `"default";q=${perMinute};w=60`,
    ratelimit: `"default";r=${remaining};t=${secondsLeft}`,
  }
}

function createRateLimited(detail: string, seconds: number): Problem {
  return new Problem('rate_limited', detail, { headers: { 'retry-after': String(seconds) } })
}

/** Limits failed authentications for each address, so that guessed keys do not load the database. */
export type FailedAuthentications = ReturnType<typeof createFailedAuthentications>

interface FailedAuthenticationsInput {
  /** Failures for each address; 0 disables the limit. */
  readonly perMinute: number
  /** Any clock that never steps back, in milliseconds. */
  readonly clock: Clock
  readonly observe: Observe
}

/** How many addresses are counted. */
export const addressesMax = 20_000

/** The counts of one process. */
export function createFailedAuthentications(input: FailedAuthenticationsInput) {
  const { perMinute, clock, observe } = input
  const minutes = createMinutes(addressesMax, clock)
  return {
    /**
     * Reserves one failure for a key that is not known to be valid. Without reservations, all keys of a burst would pass
     * before the first of them is rejected.
     *
     * @returns what ends the reservation: whether the key was rejected, so that the failure counts for a minute.
     * @throws Problem `rate_limited` when the address has reached its limit.
     */
    reserve: (sent: string) => {
      if (perMinute === 0) return () => undefined
      const address = toCountedAddress(sent)
      const minute = minutes.find(address)
      if (minute.used + minute.reserved >= perMinute) {
        const isReached = minute.used >= perMinute
        if (isReached && !minute.isReported) observe({ kind: 'address limited', address })
        minute.isReported ||= isReached
        // Reservations end soon.
        const seconds = isReached ? minutes.countSecondsLeft(minute) : 1
        throw createRateLimited('Too many keys from this address were not accepted.', seconds)
      }
      minute.reserved += 1
      return (isRejected: boolean): void => {
        minute.reserved -= 1
        if (isRejected) minute.used += 1
      }
    },
    countAddresses: minutes.size,
  }
}

/**
 * The address that limits count a caller by. IPv6 addresses count by their /64, because a caller can choose any address in
 * it, and an IPv4 address in IPv6 form as itself. The header of a proxy can hold any text; all texts that are not addresses
 * count as one.
 */
function toCountedAddress(text: string): string {
  if (!ipaddr.isValid(text)) return 'unknown'
  const address = ipaddr.process(text)
  return 'parts' in address ? address.parts.slice(0, 4).join(':') : address.toString()
}
