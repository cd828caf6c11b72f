import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.js'
import { Problem } from '../errors.js'

/** Counts the keys that were refused, for each address that sent them, so that guessing stays off the database. */
export interface RefusedKeys {
  /** Begins a try of a key that is not known to be good. @throws Problem `rate_limited` when the share is used up. */
  readonly begin: (address: string) => Try
  /** How many addresses are counted. */
  readonly size: () => number
}

/** A try takes its place from the start, or a burst of them would be through before the first was refused. */
export interface Try {
  /** The key was refused, and counts for a minute. */
  readonly refuse: () => void
  /** The key was good, or nobody could say. */
  readonly leave: () => void
}

interface RefusedKeysInput {
  /** Refused keys for each address; 0 limits nothing. */
  readonly perMinute: number
  /** Any clock that never steps back, in milliseconds. */
  readonly clock: Clock
  /** Told once a minute of an address that goes on when its share is used up. */
  readonly onLimit: (address: string) => void
}

/** How many addresses are counted; beyond it the one that was quiet for longest is forgotten. */
export const addressesMax = 20_000

const windowMs = 60_000

interface Count {
  refused: number
  pending: number
  told: boolean
}

/** The counts of one process, bounded in number and age. */
export function createRefusedKeys({ perMinute, clock, onLimit }: RefusedKeysInput): RefusedKeys {
  if (perMinute === 0) return { begin: () => uncounted, size: () => 0 }
  const counts = new LRUCache<string, Count>({
    max: addressesMax,
    ttl: windowMs,
    ttlResolution: 0,
    perf: { now: clock },
  })

  const requireRoom = (address: string, count: Count): void => {
    if (count.refused + count.pending < perMinute) return
    if (count.refused < perMinute) throw createRefusal(1)
    if (!count.told) onLimit(address)
    count.told = true
    throw createRefusal(Math.max(1, Math.ceil(counts.getRemainingTTL(address) / 1000)))
  }

  return {
    begin: (sent) => {
      const address = toCounted(sent)
      const count = counts.get(address) ?? { refused: 0, pending: 0, told: false }
      requireRoom(address, count)
      if (!counts.has(address)) counts.set(address, count)
      count.pending += 1
      return {
        refuse: () => {
          count.pending -= 1
          count.refused += 1
        },
        leave: () => {
          count.pending -= 1
        },
      }
    },
    size: () => counts.size,
  }
}

const uncounted: Try = { refuse: () => undefined, leave: () => undefined }

/** An IPv6 caller has a /64 to choose from. A proxy's header may hold any text, which counts as one address. */
function toCounted(address: string): string {
  return isIP(address) === 0 ? 'unknown' : normalizeIP(address, 64)
}

function createRefusal(seconds: number): Problem {
  return new Problem('rate_limited', 'Too many keys from this address were not accepted.', {
    headers: { 'retry-after': String(seconds) },
  })
}
