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
  readonly pages: number
  /** Records that were written; one that was received twice counts twice. */
  readonly records: number
  readonly removed: number
  /** Changes before this instant are in the store. */
  readonly nextUpdatedSince: string
  /** Whether the service answered that nothing changed. */
  readonly notModified: boolean
}

/** What a full sync would remove from a copy. */
export interface Removals {
  /** Records in the copy. */
  readonly held: number
  /** Records of the copy that the sync did not return. */
  readonly removed: number
}

/** Whether removals need a permission: with a wrong key, filter or URL, few or no records are returned. */
export function needsPermission({ held, removed }: Removals): boolean {
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
  const { eventId, status } = options
  const target = JSON.stringify([url, collection, eventId, status])
  const renderState = (position: Position): string => JSON.stringify({ target, ...position })
  const stored = await store.readState()
  const { target: storedTarget = target, ...position } = JSON.parse(stored ?? '{}') as Position & {
    target?: string
  }
  if (storedTarget !== target)
    throw new TypeError(`The store is the mirror of ${storedTarget}, not of ${target}`)
  const { since } = position
  const ids = new Set<string>()
  const read = { pages: 0, records: 0, nextUpdatedSince: since ?? '' }
  const { notModified, ...next } = await syncCollection<Item>(send, collection, {
    ...options,
    ...(full ? {} : position),
    onPage: async ({ data, cursor, nextUpdatedSince }) => {
      if (full) for (const { id } of data) ids.add(id)
      read.pages += 1
      read.records += data.length
      read.nextUpdatedSince = nextUpdatedSince
      await store.write({
        records: data,
        removedIds: [],
        state: renderState(full ? position : { since, cursor }),
      })
    },
  })
  const removedIds = full ? await findRemoved(store, ids, allowRemovals) : []
  if (!notModified) await store.write({ records: [], removedIds, state: renderState(next) })
  return { ...read, removed: removedIds.length, notModified }
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
  const removals: Removals = { held, removed: removedIds.length }
  if (!allowRemovals && needsPermission(removals))
    throw new VitrineError(
      'too_many_removals',
      `The mirror would lose ${String(removals.removed)} of ${String(held)} records. allowRemovals permits it.`,
      { cause: removals },
    )
  return removedIds
}
