import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.js'
import { Problem } from '../errors.js'
import { toInstantText } from '../values/instant.js'

/** A count for each key, from its first use to the end of its minute. */
interface MinuteCounts<Count> {
  /** The count of the current minute; a new one where there is none. */
  readonly find: (key: string) => Count
  /** Whole seconds to the end of the minute of a key that was found, 1 to 60. */
  readonly countSecondsLeft: (key: string) => number
  readonly size: () => number
}

interface MinuteCountsInput<Count> {
  /** How many keys are counted. Beyond it, the key with the oldest request is dropped. */
  readonly max: number
  /** Any clock that never steps back, in milliseconds: a clock that is set back would prolong the minute. */
  readonly clock: Clock
  /** The count at the start of a minute. */
  readonly create: () => Count
}

const minuteMs = 60_000

/** The counts of one process, limited in number and age. */
function createMinuteCounts<Count extends object>({
  max,
  clock,
  create,
}: MinuteCountsInput<Count>): MinuteCounts<Count> {
  const counts = new LRUCache<string, Count>({ max, ttl: minuteMs, ttlResolution: 0, perf: { now: clock } })
  return {
    find: (key) => {
      const found = counts.get(key)
      if (found !== undefined) return found
      const count = create()
      counts.set(key, count)
      return count
    },
    countSecondsLeft: (key) => Math.max(1, Math.ceil(counts.getRemainingTTL(key) / 1000)),
    size: () => counts.size,
  }
}

/**
 * The address that limits count a caller by. IPv6 addresses count by their /64, because a caller can choose any address in
 * it, and an IPv4 address in IPv6 form as itself. The header of a proxy can hold any text; all texts that are not addresses
 * count as one.
 */
export function toCountedAddress(text: string): string {
  if (!ipaddr.isValid(text)) return 'unknown'
  const address = ipaddr.process(text)
  return 'parts' in address ? address.parts.slice(0, 4).join(':') : address.toString()
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
  return ({ context: { principal } }, reply) => {
    const expiry = principal?.expiresAt && toInstantText(principal.expiresAt)
    if (expiry !== undefined) reply.header('api-key-expires', expiry)
    const perMinute = principal?.rateLimitPerMinute ?? perMinuteOfAll
    if (principal === undefined || perMinute === 0) return
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

/** Limits failed authentications for each address, so that guessed keys do not load the database. */
export interface FailedAuthentications {
  /**
   * Reserves one failure for a key that is not known to be valid. Without reservations, all keys of a burst would pass
   * before the first of them is rejected.
   *
   * @throws Problem `rate_limited` when the address has reached its limit.
   */
  readonly reserve: (address: string) => Reservation
  readonly countAddresses: () => number
}

/** A failure that is reserved until the key is validated. */
export interface Reservation {
  /** The key is not accepted: the failure counts for a minute. */
  readonly reject: () => void
  /** The key is accepted, or could not be looked up: nothing counts. No effect after `reject`. */
  readonly release: () => void
}

interface FailedAuthenticationsInput {
  /** Failures for each address; 0 disables the limit. */
  readonly perMinute: number
  /** Any clock that never steps back, in milliseconds. */
  readonly clock: Clock
  /** Called once a minute for an address that continues after its limit. */
  readonly onLimit: (address: string) => void
}

/** How many addresses are counted. Beyond it, the address with the oldest request is dropped. */
export const addressesMax = 20_000

interface Count {
  failed: number
  reserved: number
  isReported: boolean
}

/** The counts of one process, limited in number and age. */
export function createFailedAuthentications(input: FailedAuthenticationsInput): FailedAuthentications {
  const { perMinute, clock, onLimit } = input
  if (perMinute === 0) return { reserve: () => uncounted, countAddresses: () => 0 }
  const create = (): Count => ({ failed: 0, reserved: 0, isReported: false })
  const counts = createMinuteCounts({ max: addressesMax, clock, create })

  const requireBelowLimit = (address: string, count: Count): void => {
    if (count.failed + count.reserved < perMinute) return
    if (count.failed < perMinute) throw createTooManyFailures(1)
    if (!count.isReported) onLimit(address)
    count.isReported = true
    throw createTooManyFailures(counts.countSecondsLeft(address))
  }

  return {
    reserve: (sent) => {
      const address = toCountedAddress(sent)
      const count = counts.find(address)
      requireBelowLimit(address, count)
      return createReservation(count)
    },
    countAddresses: counts.size,
  }
}

function createReservation(count: Count): Reservation {
  let isOpen = true
  count.reserved += 1
  const close = (failures: 0 | 1): void => {
    if (!isOpen) return
    isOpen = false
    count.reserved -= 1
    count.failed += failures
  }
  return {
    reject: () => {
      close(1)
    },
    release: () => {
      close(0)
    },
  }
}

const uncounted: Reservation = { reject: () => undefined, release: () => undefined }

function createTooManyFailures(seconds: number): Problem {
  return new Problem('rate_limited', 'Too many keys from this address were not accepted.', {
    headers: { 'retry-after': String(seconds) },
  })
}
