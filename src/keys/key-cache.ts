import { LRUCache } from 'lru-cache'
import type { Clock } from '../values/instant.js'

/** Rows by the hash of their key, or null for "no such key"; limited in number and age. */
export type KeyCache<Row extends object> = ReturnType<typeof createKeyCache<Row>>

interface KeyCacheInput<Row> {
  /** How many keys are cached: this many known and this many unknown ones. */
  readonly max: number
  /** The greatest age of a row; 0 caches none. */
  readonly ttlMs: number
  /** Any clock that never steps back, in milliseconds. */
  readonly clock: Clock
  readonly lookup: (hash: string) => Promise<Row | null>
}

/** "No such key" is cached for a short time only, so that a new key soon works. */
const unknownTtlMs = 5000

/**
 * A cache of the key table. Unknown keys have a store of their own, so that many random keys evict no known one. The age
 * of a row counts from the start of its lookup, because the row of a slow lookup can be old when it arrives.
 */
export function createKeyCache<Row extends object>(input: KeyCacheInput<Row>) {
  const { max, ttlMs, clock } = input
  // Stale rows are for `recall` and `listKnown`. For lru-cache, a TTL of 0 means no limit of age.
  const kept = { max, ttlResolution: 0, noDeleteOnStaleGet: true, allowStale: true, perf: { now: clock } }
  const known = new LRUCache<string, Row>({ ...kept, ttl: Math.max(1, ttlMs) })
  const unknown = new LRUCache<string, true>({ ...kept, ttl: Math.max(1, Math.min(ttlMs, unknownTtlMs)) })
  const lookups = new Map<string, Lookup<Row>>()

  const lookUp = (hash: string): Lookup<Row> => {
    const startedAt = clock()
    const keep = (row: Row | null): Row | null => {
      if (row === null) {
        unknown.set(hash, true, { start: startedAt })
        known.delete(hash)
      } else known.set(hash, row, { start: startedAt })
      return row
    }
    const lookup = { startedAt, row: input.lookup(hash).then(keep) }
    lookups.set(hash, lookup)
    const end = (): void => {
      if (lookups.get(hash) === lookup) lookups.delete(hash)
    }
    lookup.row.then(end, end)
    return lookup
  }

  const isFresh = ({ startedAt }: Lookup<Row>): boolean => clock() - startedAt < ttlMs

  /** The cached row, if it is fresh; undefined if a lookup is needed. */
  const find = (hash: string): Row | null | undefined => {
    if (ttlMs === 0) return undefined
    const row = known.get(hash, { allowStale: false })
    return row ?? (unknown.get(hash, { allowStale: false }) === true ? null : undefined)
  }

  /**
   * The cached row, or that of a lookup. Concurrent requests of one key share a lookup.
   *
   * @param admit called before a new lookup; an error that it throws prevents the lookup.
   * @throws the errors of the lookup; a failed lookup is not cached.
   */
  const get = async (hash: string, admit?: () => void): Promise<Row | null> => {
    const row = find(hash)
    if (row !== undefined) return row
    const lookup = lookups.get(hash)
    if (lookup === undefined || !isFresh(lookup)) {
      admit?.()
      return lookUp(hash).row
    }
    const shared = await lookup.row
    // A lookup that took longer than the greatest age can return a key that was revoked since it began.
    return isFresh(lookup) ? shared : get(hash, admit)
  }

  return {
    find,
    /** The row of the last lookup at any age. It must not be used to accept a request. */
    recall: (hash: string) => known.peek(hash),
    /** The rows of the last lookups at any age: those of the keys that were used. */
    listKnown: () => known.values(),
    get,
    measure: () => ({ known: known.size, unknown: unknown.size }),
  }
}

/** A lookup in progress. */
interface Lookup<Row> {
  readonly startedAt: number
  readonly row: Promise<Row | null>
}
