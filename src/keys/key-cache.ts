import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.js'

/** Rows by the hash of their key, or null for "no such key"; bounded in number and age. */
export interface KeyCache<Row> {
  /** @throws whatever the lookup throws; nothing is kept of a lookup that failed. */
  readonly get: (hash: string) => Promise<Row | null>
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
  const known = createStore<Row>(input, input.ttlMs)
  const unknown = createStore<true>(input, Math.min(input.ttlMs, unknownTtlMs))
  const flights = new Map<string, Flight<Row>>()

  const lookUp = (hash: string): Flight<Row> => {
    const startedAt = input.clock()
    const keep = (row: Row | null): Row | null => {
      if (row === null) unknown.set(hash, true, startedAt)
      else known.set(hash, row, startedAt)
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

  const get = async (hash: string): Promise<Row | null> => {
    const row = known.get(hash)
    if (row !== undefined) return row
    if (unknown.get(hash) === true) return null
    const flight = flights.get(hash)
    if (flight === undefined || !isFresh(flight)) return lookUp(hash).row
    const joined = await flight.row
    // A lookup that took longer than the greatest age may bring back what was revoked since it began.
    return isFresh(flight) ? joined : get(hash)
  }

  return {
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
  readonly set: (hash: string, value: Value, startedAt: number) => void
  readonly size: () => number
}

function createStore<Value extends object | true>(
  input: { max: number; clock: Clock },
  ttlMs: number,
): Store<Value> {
  // lru-cache takes a TTL of 0 for "for ever".
  if (ttlMs === 0) return { get: () => undefined, set: () => undefined, size: () => 0 }
  const cache = new LRUCache<string, Value>({
    max: input.max,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now: input.clock },
  })
  return {
    get: (hash) => cache.get(hash),
    set: (hash, value, startedAt) => {
      cache.set(hash, value, { start: startedAt })
    },
    size: () => cache.size,
  }
}
