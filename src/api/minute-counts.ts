import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.js'

/** A count for each key, from its first use to the end of its minute. */
export interface MinuteCounts<Count> {
  /** The count of the current minute; a new one where there is none. */
  readonly find: (key: string) => Count
  /** Whole seconds to the end of the minute of a key that was found, 1 to 60. */
  readonly countSecondsLeft: (key: string) => number
  readonly size: () => number
}

export interface MinuteCountsInput<Count> {
  /** How many keys are counted. Beyond it, the key with the oldest request is dropped. */
  readonly max: number
  /** Any clock that never steps back, in milliseconds: a clock that is set back would prolong the minute. */
  readonly clock: Clock
  /** The count at the start of a minute. */
  readonly create: () => Count
}

const minuteMs = 60_000

/** The counts of one process, limited in number and age. */
export function createMinuteCounts<Count extends object>({
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
