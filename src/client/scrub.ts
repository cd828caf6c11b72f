import { createCollection } from './collection.js'
import { VitrineError } from './errors.js'
import { listPages } from './pages.js'
import type { ListOptions } from './pages.js'
import type { CollectionName } from './records.js'
import type { Send } from './request.js'

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

/** How far the scrub is, after each of its requests. */
export interface ScrubEvent {
  /** The part of the mirror that the current cycle has compared, from 0 to 1. */
  readonly cycle: number
}

/** The part of a store that a scrub reads. */
export interface ScrubStore {
  readonly readIds: () => Promise<Iterable<string> | AsyncIterable<string>>
  readonly readRange: (range: StoredRange) => Promise<Iterable<StoredRecord> | AsyncIterable<StoredRecord>>
}

/**
 * A cycle under way: a crawl of the whole list, a share of it in each run. The records before `from` are compared. Order
 * within one `updatedAt` is not known here, so those at `from` are compared once all of them were listed.
 */
export interface Cycle {
  readonly cursor: string | null
  readonly from: string
  /** Ids that were listed, and that are not compared yet. */
  readonly listed: readonly string[]
  /** Records in the store when the cycle began. */
  readonly size: number
  readonly held: number
  readonly removed: number
}

/** What a scrub reads. */
export interface ScrubOptions extends ListOptions {
  /** Of the mirror. */
  readonly epoch: number
  /** Percent of the records. */
  readonly share: number
  readonly allowRemovals: boolean | undefined
  readonly onScrub: ((event: ScrubEvent) => unknown) | undefined
}

/** What a scrub found. */
interface Scrubbed<Item> {
  readonly records: readonly Item[]
  readonly removedIds: readonly string[]
  /** Undefined at the end of the cycle. */
  readonly next: Cycle | undefined
  /** As in `ScrubEvent`. */
  readonly cycle: number
}

/** Before and after every `updatedAt`. Both are instants, which a store can compare in a column of any type. */
const [start, end] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']

/**
 * Compares a share of a store with the list, in the order of both, and requests each record that only one of them has.
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
  const list = await listShare<Item>(send, collection, begun, options)
  if (!list) return undefined
  const { cursor, items } = list
  const { from, size } = begun
  const to = cursor === null ? end : findLast(items, from)
  const stored = new Map<string, string>()
  for await (const { id, updatedAt } of await store.readRange({ from, to })) stored.set(id, updatedAt)
  const { records, listed, ids } = compare(begun, items, stored, to)
  const held = begun.held + stored.size
  let { removed } = begun
  const removedIds: string[] = []
  for (const id of ids) {
    const record = await find<Item>(send, collection, id, options)
    if (record) records.push(record)
    else if (stored.has(id)) {
      removedIds.push(id)
      removed += 1
      requirePermission({ held, removed }, options.allowRemovals)
    }
  }
  const next = cursor === null ? undefined : { cursor, from: to, listed, size, held, removed }
  return { records, removedIds, next, cycle: next ? toPart(held, size) : 1 }
}

async function beginCycle(store: ScrubStore): Promise<Cycle> {
  let size = 0
  for await (const _ of await store.readIds()) size += 1
  return { cursor: null, from: start, listed: [], size, held: 0, removed: 0 }
}

/** The `updatedAt` of the last record, before which all are listed. */
function findLast<Item extends StoredRecord>(items: ReadonlyMap<string, Item>, from: string): string {
  return [...items.values()].at(-1)?.updatedAt ?? from
}

/** A store can grow during a cycle. */
function toPart(held: number, size: number): number {
  return Math.min(1, held / size)
}

/** The pages of the share, and the cursor behind them; undefined for another epoch or an empty store. */
async function listShare<Item extends StoredRecord>(
  send: Send,
  collection: CollectionName,
  { cursor, held, size }: Cycle,
  { epoch, share, allowRemovals: _, onScrub, ...options }: ScrubOptions,
): Promise<{ readonly cursor: string | null; readonly items: ReadonlyMap<string, Item> } | undefined> {
  if (size === 0) return undefined
  const items = new Map<string, Item>()
  let last = cursor
  for await (const page of listPages<Item>(send, collection, { ...options, cursor, mayRestart: true })) {
    if (page.epoch !== epoch) return undefined
    for (const item of page.data) items.set(item.id, item)
    last = page.cursor
    await onScrub?.({ cycle: toPart(held + items.size, size) })
    if (items.size >= (size * share) / 100) break
  }
  return { cursor: last, items }
}

/** The records that the store lacks or has in another version, and the ids that only the store or only an earlier page had. */
function compare<Item extends StoredRecord>(
  { from, listed: before }: Cycle,
  items: ReadonlyMap<string, Item>,
  stored: ReadonlyMap<string, string>,
  to: string,
): { readonly records: Item[]; readonly listed: readonly string[]; readonly ids: ReadonlySet<string> } {
  const isPending = to === from
  const records: Item[] = []
  const listed = isPending ? [...before] : []
  for (const item of items.values())
    if (item.updatedAt >= to) listed.push(item.id)
    else if (stored.get(item.id) !== item.updatedAt) records.push(item)
  const ids = new Set(isPending ? [] : before)
  // The listed ones had `from`.
  for (const [id, updatedAt] of stored) {
    const isListed = updatedAt === from && ids.delete(id)
    if (!isListed && !items.has(id)) ids.add(id)
  }
  return { records, listed, ids }
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
  // An invoice does not say which event it is of.
  const isOther = Object.entries({ eventId, status }).some(
    ([name, value]) =>
      value && ((record as Readonly<Record<string, unknown>> | undefined)?.[name] ?? value) !== value,
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

/** Whether removals need a permission: with a wrong key, filter or URL, few or no records are returned. */
export function needsPermission(held: number, removed: number): boolean {
  return removed > 100 && removed > held / 2
}

/** @throws VitrineError for removals that need a permission */
export function requirePermission(removals: Removals, allowRemovals: boolean | undefined): void {
  const { held, removed } = removals
  if (!allowRemovals && needsPermission(held, removed))
    throw new VitrineError(
      'too_many_removals',
      `The mirror would lose ${String(removed)} of ${String(held)} records. allowRemovals permits it.`,
      { cause: removals },
    )
}
