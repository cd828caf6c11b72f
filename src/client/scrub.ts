import { createCollection, listPages } from './pages.js'
import { VitrineError } from './errors.js'
import { isCount, isInstant, isRecord } from './forms.js'
import type { ListOptions } from './pages.js'
import type { CollectionName } from './records.js'
import type { Send } from './request.js'
import { createForeignError } from './response.js'
import type { ResponseInfo } from './response-info.js'

/** What a scrub compares of a record. */
export interface StoredRecord {
  readonly id: string
  /** As the service returned it. */
  readonly updatedAt: string
}

/** Records by their `updatedAt`, which compares as text: `from <= updatedAt && updatedAt < to`. */
export interface StoredRange {
  readonly from: string
  readonly to: string
}

/** The part of a store that a scrub reads. */
export interface ScrubStore {
  readonly readIds: () => Promise<Iterable<string> | AsyncIterable<string>>
  readonly readRange: (range: StoredRange) => Promise<Iterable<StoredRecord> | AsyncIterable<StoredRecord>>
}

/** A cycle under way: a crawl of the whole list, a share of it in each run. */
export interface Cycle {
  /** The records before this instant are compared. */
  readonly from: string
  /** Records in the store when the cycle began. */
  readonly size: number
  /** Records of the store that were compared. */
  readonly held: number
  readonly removed: number
}

/** Whether a value of a stored state is a cycle. */
export function isCycle(value: unknown): boolean {
  if (!isRecord(value)) return false
  return isInstant(value['from']) && ['size', 'held', 'removed'].every((name) => isCount(value[name]))
}

/** What a scrub reads. */
interface ScrubOptions extends Omit<ListOptions, 'updatedSince' | 'cursor'> {
  /** Of the mirror. */
  readonly epoch: number
  /** Percent of the records. */
  readonly share: number
  readonly allowRemovals: boolean | undefined
}

/** What a scrub found. */
interface Scrubbed<Item> {
  readonly records: readonly Item[]
  readonly removedIds: readonly string[]
  /** Undefined at the end of the cycle. */
  readonly next: Cycle | undefined
  /** The part of the store that the current cycle has compared, from 0 to 1. */
  readonly cycle: number
}

/** Before and after every `updatedAt`. Both are instants, which a store can compare in a column of any type. */
const [start, end] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']

/**
 * Compares a share of a store with the list, in the order of both, and requests each record that the list lacks.
 *
 * @returns undefined if there is nothing to compare, or if a process of another epoch answers.
 * @throws VitrineError, also `too_many_removals`; the signal's reason; or what the store threw.
 */
export async function scrubShare<Item extends StoredRecord>(
  send: Send,
  collection: CollectionName,
  store: ScrubStore,
  cycle: Cycle | undefined,
  options: ScrubOptions,
): Promise<Scrubbed<Item> | undefined> {
  const begun = cycle ?? (await beginCycle(store))
  const { from, size, held: before, removed: earlier } = begun
  const list = size === 0 ? undefined : await listShare<Item>(send, collection, { from, size }, options)
  if (!list) return undefined
  const { to, items } = list
  const stored = await readStored(store, { from, to })
  const isChanged = ({ id, updatedAt }: Item): boolean => updatedAt < to && stored.get(id) !== updatedAt
  const records = [...items.values()].filter(isChanged)
  const held = before + stored.size
  const removedIds: string[] = []
  for (const id of [...stored.keys()].filter((one) => !items.has(one))) {
    const record = await find<Item>(send, collection, id, options)
    if (record) records.push(record)
    else removedIds.push(id)
    const removed = earlier + removedIds.length
    const refusal = findRefusal({ held, removed }, options.allowRemovals)
    if (!refusal) continue
    if (to === end) throw refusal
    // What was archived together can be most of a share: a greater one tells it from a wrong key.
    return scrubShare(send, collection, store, begun, { ...options, share: options.share * 2 })
  }
  const removed = earlier + removedIds.length
  const next = to === end ? undefined : { from: to, size, held, removed }
  // A store can grow during a cycle.
  return { records, removedIds, next, cycle: next ? Math.min(1, held / size) : 1 }
}

/** When each record of a range changed, by its id. */
async function readStored(store: ScrubStore, range: StoredRange): Promise<ReadonlyMap<string, string>> {
  const stored = new Map<string, string>()
  for await (const { id, updatedAt } of await store.readRange(range)) stored.set(id, updatedAt)
  return stored
}

async function beginCycle(store: ScrubStore): Promise<Cycle> {
  let size = 0
  for await (const _ of await store.readIds()) size += 1
  return { from: start, size, held: 0, removed: 0 }
}

/**
 * The records from an instant on, at least the share. The next run lists those at `to` again: it is not known whether these
 * are all of them.
 *
 * @returns undefined for another epoch.
 */
async function listShare<Item extends StoredRecord>(
  send: Send,
  collection: CollectionName,
  { from, size }: Pick<Cycle, 'from' | 'size'>,
  { epoch, share, allowRemovals: _, ...options }: ScrubOptions,
): Promise<{ readonly to: string; readonly items: ReadonlyMap<string, Item> } | undefined> {
  const items = new Map<string, Item>()
  const updatedSince = from === start ? undefined : from
  for await (const page of listPages<Item>(send, collection, {
    ...options,
    updatedSince,
    mayRestart: true,
  })) {
    if (page.epoch !== epoch) return undefined
    for (const item of page.data) items.set(item.id, item)
    const to = page.data.at(-1)?.updatedAt ?? from
    if (page.cursor !== null && items.size > (size * share) / 100 && to > from)
      return { to: requireInstant(to, page.lastResponse), items }
  }
  return { to: end, items }
}

/** The next run starts from it. @throws VitrineError */
function requireInstant(updatedAt: string, response: ResponseInfo): string {
  if (isInstant(updatedAt)) return updatedAt
  throw createForeignError('The updatedAt of a record is not valid.', response)
}

/** A record that matches the filters; undefined if there is none. @throws VitrineError */
async function find<Item>(
  send: Send,
  collection: CollectionName,
  id: string,
  { eventId, status, signal, timeoutMs, retries, headers }: ListOptions,
): Promise<Item | undefined> {
  const get = createCollection(send, collection).get(id, { signal, timeoutMs, retries, headers })
  const record = await get.catch((error: unknown) => {
    if (!(error instanceof VitrineError && error.code === 'not_found')) throw error
  })
  const fields: Readonly<Record<string, unknown>> = { ...record }
  // An invoice does not say which event it is of.
  const isOther = Object.entries({ eventId, status }).some(
    ([name, value]) => value && (fields[name] ?? value) !== value,
  )
  return isOther ? undefined : (record as Item | undefined)
}

/** What an update would remove, as the cause of `too_many_removals`. */
export interface Removals {
  /** Records of the store that were compared. */
  readonly held: number
  /** Those that the service does not have. */
  readonly removed: number
}

/** The error of an update that may not remove so many: with a wrong key, filter or URL, few or no records are returned. */
export function findRefusal(
  removals: Removals,
  allowRemovals: boolean | undefined,
): VitrineError | undefined {
  const { held, removed } = removals
  if (allowRemovals || removed <= 100 || removed <= held / 2) return undefined
  const numbers = `${String(removed)} of ${String(held)} records`
  const detail = `The mirror would lose ${numbers}: a wrong key, filter or URL is likely. allowRemovals: true permits it.`
  return new VitrineError('too_many_removals', detail, { cause: removals })
}
