import { requireKnownOptions } from './request.js'
import { crawlOptions, listPages, toInstant } from './pages.js'
import type { ListOptions, Page } from './pages.js'
import type { CollectionName } from './records.js'
import type { Send } from './request.js'
import type { WithResponse } from './response-info.js'

/** The result of a sync. Store it, and spread it into the options of the next sync. */
export interface SyncState {
  /** Where the next sync starts. */
  readonly since: string
  /** The tag of the page that the next sync expects to be unchanged; null if it must read that page in any case. */
  readonly etag: string | null
  /** Higher than that of the last sync: the answers changed without `updatedAt`, so read the whole copy anew. */
  readonly epoch: number
}

/** The result of a sync. */
export interface SyncResult extends SyncState {
  /** Whether the service answered that nothing changed since the last sync; `onPage` was not called then. */
  readonly notModified: boolean
}

type Position = Pick<SyncState, 'since' | 'etag'>

/** What a sync reads, and the function that receives it. */
export interface SyncOptions<Item> extends Omit<ListOptions, 'updatedSince'> {
  /** Of the last sync; without it, the sync reads all records. */
  readonly since?: string | Date | null | undefined
  /** Of the last sync, with the same filters; it has no effect with `cursor` or without `since`. */
  readonly etag?: string | null | undefined
  /** Of the last sync. */
  readonly epoch?: number | undefined
  /**
   * Receives each page; a returned promise is awaited. A record can be received again, in this sync or the next. The
   * later one is newer whatever its `updatedAt` is, since a transaction that commits late can set it back.
   */
  readonly onPage: (page: WithResponse<Page<Item>>) => unknown
}

/**
 * Passes every record that changed since an instant to `onPage`.
 *
 * A sync that throws is not complete: keep the old state and sync again, or continue with the `cursor` of the last page
 * that was stored. If the service rejects that cursor, the sync restarts once from the instant.
 *
 * @returns the state to store, and to pass to the next sync.
 * @throws VitrineError, the signal's reason, or what `onPage` threw.
 */
export async function syncCollection<Item>(
  send: Send,
  collection: CollectionName,
  { since, etag: given, epoch, onPage, ...options }: SyncOptions<Item>,
): Promise<SyncResult> {
  // The result of a sync, with `notModified`, is spread into the options of the next one.
  const known = ['since', 'etag', 'epoch', 'cursor', 'onPage', 'notModified', ...crawlOptions]
  requireKnownOptions('sync', options, known)
  const updatedSince = toInstant(since)
  const etag = given ?? null
  const isContinued = typeof options.cursor === 'string'
  // A page behind a cursor has another tag.
  const polled = isContinued ? null : updatedSince
  const query = { ...options, updatedSince, etag: polled && etag, mayRestart: true }
  // The first request has no tag, although it could have had one. A second page advances `since` again.
  let kept = etag === null ? polled : null
  let position: Position | undefined
  // The epoch that all records have at least. A crawl that continues has pages before this one.
  let lowest = isContinued ? epoch : undefined
  for await (const page of listPages<Item>(send, collection, query)) {
    await onPage(page)
    lowest = Math.min(page.epoch, lowest ?? page.epoch)
    position = advance(page, kept)
    kept = null
  }
  const reached = position ?? { since: updatedSince ?? '', etag }
  return { ...addEpoch(reached, updatedSince, epoch, lowest), notModified: position === undefined }
}

/** @param known of the last sync. */
function addEpoch(
  position: Position,
  since: string | null,
  known = 0,
  lowest: number | undefined = known,
): SyncState {
  // A process from before a change of the epoch has answered, so the same changes must be read again.
  return since !== null && lowest < known
    ? { since, etag: null, epoch: known }
    : { ...position, epoch: lowest }
}

/*
 * The tag of a list covers its records and whether more follow, but no instant. So after 304 it is certain that nothing
 * changed since `since`, and the next request must be the same again: with the same `since` and tag. `since` advances with
 * the first 200 to such a request. No rule depends on how much time passed, and a record that is committed late
 * changes the page as long as its `updatedAt` is not before `since`.
 */

/** @param kept after a list of one page without a tag: the next sync asks from there whether this page changed. */
function advance(page: WithResponse<Page<unknown>>, kept: string | null): Position {
  const {
    nextUpdatedSince,
    lastResponse: { etag },
  } = page
  return kept === null || etag === null ? { since: nextUpdatedSince, etag: null } : { since: kept, etag }
}
