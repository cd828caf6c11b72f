import { VitrineError } from './errors.js'
import { isCount, isCursor, isInstant, isRecord, isTag, parseJson } from './forms.js'
import { requireKnownOptions } from './request.js'
import { crawlOptions } from './pages.js'
import type { ListOptions, Page } from './pages.js'
import type { CollectionName } from './records.js'
import { findRefusal, isCycle, scrubShare } from './scrub.js'
import type { Cycle, ScrubStore, StoredRange, StoredRecord } from './scrub.js'
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
  /** The ids of all stored records. A full mirror and the start of each cycle of the scrub read them. */
  readonly readIds: () => Promise<Iterable<string> | AsyncIterable<string>>
  /** The stored records with `from <= updatedAt` and `updatedAt < to`. Only the scrub calls it; a store without it is not scrubbed. */
  readonly readRange?:
    ((range: StoredRange) => Promise<Iterable<StoredRecord> | AsyncIterable<StoredRecord>>) | undefined
  /** Applies a change in one transaction. */
  readonly write: (change: MirrorChange<Item>) => Promise<unknown>
}

/** What a mirror contains, and how it is updated. */
export interface MirrorOptions extends Omit<ListOptions, 'updatedSince' | 'cursor'> {
  /** Reads all records, and removes those that the service does not have any more; false by default. */
  readonly full?: boolean | undefined
  /** Lets more than 100 records be removed if they are more than half of those that were compared; false by default. */
  readonly allowRemovals?: boolean | undefined
  /**
   * Percent of the store that each update also compares with the service, so that archived records are removed after
   * 100 / `scrub` updates; 5 by default, and 0 without `readRange`.
   */
  readonly scrub?: number | undefined
  /** Called before everything is read anew because the epoch was raised; a returned promise is awaited. */
  readonly onEpoch?: ((event: EpochEvent) => unknown) | undefined
}

/** A higher epoch than that of the store: the answers changed without `updatedAt`. */
export interface EpochEvent {
  readonly from: number
  readonly to: number
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
  /** Of the records in the store. */
  readonly epoch: number
  /** Whether all records were read, as the option `full` or a higher epoch demands. */
  readonly full: boolean
  /** The part of the store that the current cycle of the scrub has compared, from 0 to 1; null if there was no scrub. */
  readonly cycle: number | null
}

/** What a state contains. */
interface Position {
  readonly since?: string | null | undefined
  readonly cursor?: string | null
  readonly etag?: string | null
  /** Undefined in a state of an earlier release, which means 0. */
  readonly epoch?: number | undefined
  readonly scrub?: Cycle | undefined
}

/** A mirror in use. */
interface Mirror<Item> {
  readonly send: Send
  readonly collection: CollectionName
  readonly store: MirrorStore<Item>
  readonly filters: Omit<ListOptions, 'updatedSince' | 'cursor'>
  readonly allowRemovals: boolean | undefined
  readonly write: (
    records: readonly Item[],
    removedIds: readonly string[],
    next: Position,
  ) => Promise<unknown>
}

/** What an update has done, and the position that it stored. */
type Updated = readonly [result: MirrorResult, position: Position]

/**
 * Updates a mirror of a collection. Each page is stored with the position behind it, so an interrupted update continues
 * there; a full one starts again. The scrub is the last step.
 *
 * @throws VitrineError, also `too_many_removals`; the signal's reason; or what the store threw.
 */
export async function mirrorCollection<Item extends StoredRecord>(
  send: Send,
  { url, collection }: { readonly url: string; readonly collection: CollectionName },
  store: MirrorStore<Item>,
  options: MirrorOptions = {},
): Promise<MirrorResult> {
  requireKnownOptions('mirror', options, mirrorOptions)
  const { full, allowRemovals, scrub, onEpoch, ...filters } = options
  const share = requireShare(scrub, store)
  const target = JSON.stringify([url, collection, options.eventId, options.status])
  const write: Mirror<Item>['write'] = (records, removedIds, next) =>
    store.write({ records, removedIds, state: JSON.stringify({ target, ...next }) })
  const mirror = { send, collection, store, filters, allowRemovals, write }
  const position = await readPosition(store, target, full)
  let updated = await (full ? readAll(mirror, position) : readChanges(mirror, position))
  if ('to' in updated) {
    await onEpoch?.(updated)
    updated = await readAll(mirror, position)
  }
  const [result] = updated
  // A first or full update has just read all records.
  if (share === 0 || result.full || !position.since) return result
  return scrubStore(mirror, updated, share)
}

const mirrorOptions = ['full', 'allowRemovals', 'scrub', 'onEpoch', ...crawlOptions]

/** @throws TypeError */
function requireShare<Item>(share: number | undefined, { readRange }: MirrorStore<Item>): number {
  if (share === undefined) return readRange ? 5 : 0
  if (!(share >= 0 && share <= 100)) throw new TypeError('scrub must be a percentage from 0 to 100')
  if (share > 0 && !readRange) throw new TypeError('scrub needs the function readRange of the store')
  return share
}

/** @throws VitrineError `invalid_state`, unless everything is read; TypeError for the state of another mirror */
async function readPosition<Item>(store: MirrorStore<Item>, target: string, full = false): Promise<Position> {
  const stored = parseJson((await store.readState()) ?? '{}')
  const { target: storedTarget = target, ...position } = isRecord(stored) ? stored : { since: false }
  if (storedTarget !== target) {
    const other = [parseJson(String(storedTarget))].flat().filter(Boolean).join(' ')
    throw new TypeError(`The stored state is of ${other}: delete it, then update with full: true`)
  }
  const isWrong = ([name, isForm]: [string, (value: unknown) => boolean]): boolean =>
    position[name] !== undefined && position[name] !== null && !isForm(position[name])
  const [wrong] = Object.entries(positionForms).find(isWrong) ?? []
  if (!wrong) return position
  if (full) return {}
  const detail = `The ${wrong} of the stored state is not valid. A full update reads everything anew.`
  throw new VitrineError('invalid_state', detail)
}

/** What each member of a stored state is, unless it is null: a program or a person can have edited it. */
const positionForms = { since: isInstant, cursor: isCursor, etag: isTag, epoch: isCount, scrub: isCycle }

/** @returns the event if the epoch was raised: only a full update makes the store right then */
async function readChanges<Item extends StoredRecord>(
  { send, collection, filters, write }: Mirror<Item>,
  position: Position,
): Promise<Updated | EpochEvent> {
  const { since, cursor, etag, scrub } = position
  const epoch = position.epoch ?? (since ? 0 : undefined)
  let [records, reached, lowest] = [0, since ?? '', epoch]
  let raised: EpochEvent | undefined
  const onPage = async (page: Page<Item>): Promise<void> => {
    if (since && epoch !== undefined && page.epoch > epoch) {
      raised = { from: epoch, to: page.epoch }
      throw new Error('The epoch was raised')
    }
    records += page.data.length
    lowest = Math.min(page.epoch, lowest ?? page.epoch)
    // What a process from before a change of the epoch returns is read again, so the cursor must not pass it.
    const isBehind = since && epoch !== undefined && lowest < epoch
    reached = isBehind ? since : page.nextUpdatedSince
    const next = isBehind ? { epoch } : { cursor: page.cursor, epoch: lowest }
    await write(page.data, [], { since, scrub, ...next })
  }
  try {
    const options = { ...filters, since, cursor: cursor ?? null, etag, epoch, onPage }
    const { notModified, ...next } = await syncCollection<Item>(send, collection, options)
    if (!notModified) await write([], [], { ...next, scrub })
    const counts = { records, removed: 0, nextUpdatedSince: reached, notModified, epoch: next.epoch }
    const result = { ...counts, full: false, cycle: null }
    return [result, { ...next, scrub }]
  } catch (error) {
    if (!raised) throw error
    return raised
  }
}

/** Reads all records, and removes those that the service did not return. */
async function readAll<Item extends StoredRecord>(
  { send, collection, store, filters, allowRemovals, write }: Mirror<Item>,
  position: Position,
): Promise<Updated> {
  const ids = new Set<string>()
  let [records, reached] = [0, '']
  const onPage = async ({ data, nextUpdatedSince }: Page<Item>): Promise<void> => {
    for (const { id } of data) ids.add(id)
    records += data.length
    reached = nextUpdatedSince
    await write(data, [], position)
  }
  const { notModified, ...next } = await syncCollection<Item>(send, collection, { ...filters, onPage })
  const removedIds: string[] = []
  let held = 0
  for await (const id of await store.readIds()) {
    held += 1
    if (!ids.has(id)) removedIds.push(id)
  }
  const removed = removedIds.length
  const refusal = findRefusal({ held, removed }, allowRemovals)
  if (refusal) throw refusal
  await write([], removedIds, next)
  const counts = { records, removed, nextUpdatedSince: reached, notModified, epoch: next.epoch }
  return [{ ...counts, full: true, cycle: null }, next]
}

async function scrubStore<Item extends StoredRecord>(
  { send, collection, store, filters, allowRemovals, write }: Mirror<Item>,
  [result, position]: Updated,
  share: number,
): Promise<MirrorResult> {
  const { epoch } = result
  const scrubOptions = { ...filters, share, epoch, allowRemovals }
  // All of it is compared at once, whatever a cycle has compared before.
  const cycleBefore = share === 100 ? undefined : position.scrub
  const scrubbed = await scrubShare<Item>(send, collection, store as ScrubStore, cycleBefore, scrubOptions)
  if (!scrubbed) return result
  const { records, removedIds, next, cycle } = scrubbed
  const changes = records.length + removedIds.length
  // The tag says that nothing changed since the sync, which would hide what a replica behind the others lacked here.
  const etag = changes > 0 ? null : (position.etag ?? null)
  await write(records, removedIds, { ...position, etag, scrub: next })
  return { ...result, records: result.records + records.length, removed: removedIds.length, cycle }
}
