import { VitrineError } from './errors.js'
import { requireKnownOptions } from './options.js'
import { crawlOptions } from './pages.js'
import type { ListOptions } from './pages.js'
import type { CollectionName } from './records.js'
import type { Send } from './request.js'
import { syncCollection } from './sync.js'

/** A change of a mirror, which a store applies in one transaction. */
export interface MirrorChange<Item> {
  /** Inserted, or replaced by their `id`. */
  readonly records: readonly Item[]
  readonly removedIds: readonly string[]
  /** Replaces the stored state. */
  readonly state: string
}

/** Where a mirror keeps the records of one collection, such as a table and a row for the state. */
export interface MirrorStore<Item> {
  /** The state of the last change; null or undefined in an empty store. */
  readonly readState: () => Promise<string | null | undefined>
  /** The ids of all stored records. Only a full mirror reads them. */
  readonly readIds: () => Promise<Iterable<string> | AsyncIterable<string>>
  readonly write: (change: MirrorChange<Item>) => Promise<unknown>
}

/** What a mirror contains, and how it is updated. */
export interface MirrorOptions extends Omit<ListOptions, 'updatedSince' | 'cursor'> {
  /** Reads all records, and removes those that the service does not have any more; false by default. */
  readonly full?: boolean | undefined
  /** Lets a full mirror remove more than 100 records if they are more than half; false by default. */
  readonly allowRemovals?: boolean | undefined
}

/** The result of a mirror. */
export interface MirrorResult {
  /** Records that were written; one that was received twice counts twice. */
  readonly records: number
  readonly removed: number
  /** Changes before this instant are in the store. */
  readonly nextUpdatedSince: string
  /** Whether the service answered that nothing changed. */
  readonly notModified: boolean
}

/** What a full update would remove, as the cause of `too_many_removals`. */
export interface Removals {
  /** Records in the store. */
  readonly held: number
  /** Those that the service did not return. */
  readonly removed: number
}

/** Whether removals need a permission: with a wrong key, filter or URL, few or no records are returned. */
export function needsPermission(held: number, removed: number): boolean {
  return removed > 100 && removed > held / 2
}

/** What a state contains. */
interface Position {
  readonly since?: string | null | undefined
  readonly cursor?: string | null
  readonly etag?: string | null
}

/** A state with which a mirror of any target reads what changed since an instant. */
export function renderStart(since: string): string {
  return JSON.stringify({ since } satisfies Position)
}

/**
 * Updates a mirror of a collection. Each page is stored with the position behind it, so an interrupted update continues
 * there; a full one starts again.
 *
 * @throws VitrineError, also `too_many_removals`; the signal's reason; or what the store threw.
 */
export async function mirrorCollection<Item extends { readonly id: string }>(
  send: Send,
  { url, collection }: { readonly url: string; readonly collection: CollectionName },
  store: MirrorStore<Item>,
  { full, allowRemovals, ...options }: MirrorOptions = {},
): Promise<MirrorResult> {
  requireKnownOptions('mirror', options, ['full', 'allowRemovals', ...crawlOptions])
  const target = JSON.stringify([url, collection, options.eventId, options.status])
  const write = (records: readonly Item[], removedIds: readonly string[], position: Position) =>
    store.write({ records, removedIds, state: JSON.stringify({ target, ...position }) })
  const stored = await store.readState()
  const { target: storedTarget = target, ...position } = JSON.parse(stored ?? '{}') as Position & {
    target?: string
  }
  if (storedTarget !== target) throw new TypeError(`The store mirrors ${storedTarget}, not ${target}`)
  const { since } = position
  const ids = new Set<string>()
  let records = 0
  let reached = since ?? ''
  const { notModified, ...next } = await syncCollection<Item>(send, collection, {
    ...options,
    ...(full ? {} : position),
    onPage: async ({ data, cursor, nextUpdatedSince }) => {
      if (full) for (const { id } of data) ids.add(id)
      records += data.length
      reached = nextUpdatedSince
      await write(data, [], full ? position : { since, cursor })
    },
  })
  const removedIds = full ? await findRemoved(store, ids, allowRemovals) : []
  if (!notModified) await write([], removedIds, next)
  return { records, removed: removedIds.length, nextUpdatedSince: reached, notModified }
}

/** @throws VitrineError */
async function findRemoved<Item>(
  store: MirrorStore<Item>,
  ids: ReadonlySet<string>,
  allowRemovals: boolean | undefined,
): Promise<string[]> {
  const removedIds: string[] = []
  let held = 0
  for await (const id of await store.readIds()) {
    held += 1
    if (!ids.has(id)) removedIds.push(id)
  }
  const removed = removedIds.length
  if (!allowRemovals && needsPermission(held, removed))
    throw new VitrineError(
      'too_many_removals',
      `The mirror would lose ${String(removed)} of ${String(held)} records. allowRemovals permits it.`,
      { cause: { held, removed } satisfies Removals },
    )
  return removedIds
}
