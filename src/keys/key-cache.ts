import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.js'

/** Rows by the hash of their key, or null for "no such key"; bounded in number and age. */
export interface KeyCache<Row> {
  /** What is kept and young enough; undefined where only a lookup can tell. */
  readonly find: (hash: string) => Row | null | undefined
  /** The row as it was last seen, however old: it tells who has been here, and must let nobody in. */
  readonly recall: (hash: string) => Row | undefined
  /**
   * What is kept, or else a lookup.
   *
   * @param admit called before a lookup that nobody else has under way; what it throws prevents it.
   * @throws whatever the lookup throws; nothing is kept of a lookup that failed.
   */
  readonly get: (hash: string, admit?: () => void) => Promise<Row | null>
  readonly measure: () => { readonly known: number; readonly unknown: number }
}

interface KeyCacheInput<Row> {
  /** How many keys are kept, known and unknown each. */
  readonly max: number
  /** The greatest age of a row; 0 keeps none. */
  readonly ttlMs: number
  /** Any clock that never steps back, in milliseconds. */
  readonly clock: Clock
  readonly lookup: (hash: string) => Promise<Row | null>
}

/** "No such key" is believed for a short while only: a new key should work soon after it was made. */
const unknownTtlMs = 5000

/**
 * A cache before the key table. Unknown keys are kept apart, so that a flood of random ones evicts nobody. A
 * row's age counts from the start of its lookup, since what a slow lookup brings may be old when it arrives.
 */
export function createKeyCache<Row extends object>(input: KeyCacheInput<Row>): KeyCache<Row> {
  const known = createStore<Row>(input)
  const unknown = createStore<true>({ ...input, ttlMs: Math.min(input.ttlMs, unknownTtlMs) })
  const flights = new Map<string, Flight<Row>>()

  const lookUp = (hash: string): Flight<Row> => {
    const startedAt = input.clock()
    const keep = (row: Row | null): Row | null => {
      if (row === null) {
        unknown.set(hash, true, startedAt)
        known.delete(hash)
      } else known.set(hash, row, startedAt)
      return row
    }
    const flight = { startedAt, row: input.lookup(hash).then(keep) }
    flights.set(hash, flight)
    const end = (): void => {
      if (flights.get(hash) === flight) flights.delete(hash)
    }
    flight.row.then(end, end)
    return flight
  }

  const isFresh = ({ startedAt }: Flight<Row>): boolean => input.clock() - startedAt < input.ttlMs

  const find = (hash: string): Row | null | undefined =>
    known.get(hash) ?? (unknown.get(hash) === true ? null : undefined)

  const get = async (hash: string, admit?: () => void): Promise<Row | null> => {
    const row = find(hash)
    if (row !== undefined) return row
    const flight = flights.get(hash)
    if (flight === undefined || !isFresh(flight)) {
      admit?.()
      return lookUp(hash).row
    }
    const joined = await flight.row
    // A lookup that took longer than the greatest age may bring back what was revoked since it began.
    return isFresh(flight) ? joined : get(hash, admit)
  }

  return {
    find,
    recall: known.recall,
    get,
    measure: () => ({ known: known.size(), unknown: unknown.size() }),
  }
}

interface Flight<Row> {
  readonly startedAt: number
  readonly row: Promise<Row | null>
}

interface Store<Value> {
  readonly get: (hash: string) => Value | undefined
  readonly recall: (hash: string) => Value | undefined
  readonly delete: (hash: string) => void
  readonly set: (hash: string, value: Value, startedAt: number) => void
  readonly size: () => number
}

interface StoreInput {
  readonly max: number
  readonly ttlMs: number
  readonly clock: Clock
}

function createStore<Value extends object | true>({ max, ttlMs, clock }: StoreInput): Store<Value> {
  const cache = new LRUCache<string, Value>({
    max,
    // lru-cache takes a TTL of 0 for "for ever".
    ttl: Math.max(1, ttlMs),
    ttlResolution: 0,
    noDeleteOnStaleGet: true,
    perf: { now: clock },
  })
  return {
    get: (hash) => (ttlMs === 0 ? undefined : cache.get(hash)),
    recall: (hash) => cache.peek(hash, { allowStale: true }),
    set: (hash, value, startedAt) => {
      cache.set(hash, value, { start: startedAt })
    },
    delete: (hash) => {
      cache.delete(hash)
    },
    size: () => cache.size,
  }
}
