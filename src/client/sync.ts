import { VitrineError } from './errors.js'
import { createCrawlGuard, fetchPage } from './pages.js'
import type { ListOptions, Page } from './pages.js'
import type { CollectionName } from './records.js'
import type { FetchJson } from './request.js'

/** What a sync reads, and the function that receives it. */
export interface SyncOptions<Item> extends Omit<ListOptions, 'updatedSince'> {
  /** The return value of the last sync; without it, the sync reads all records. */
  readonly since?: string | Date | null | undefined
  /**
   * Receives each page; a returned promise is awaited. A record can be received again, in this sync or the next. The
   * later one is newer whatever its `updatedAt` is, since a transaction that commits late can set it back.
   */
  readonly onPage: (page: Page<Item>) => unknown
}

/**
 * Passes every record that changed since an instant to `onPage`.
 *
 * A sync that throws is not complete: keep the old instant and sync again, or continue with the `cursor` of the last page
 * that was stored. If the service rejects that cursor, the sync restarts once from the instant.
 *
 * @returns the instant to store, and to pass as `since` to the next sync.
 * @throws VitrineError, the signal's reason, or what `onPage` threw.
 */
export async function syncCollection<Item>(
  fetchJson: FetchJson,
  collection: CollectionName,
  { since, onPage, ...options }: SyncOptions<Item>,
): Promise<string> {
  let cursor = options.cursor ?? null
  let mayRestart = true
  let requireProgress = createCrawlGuard(cursor)
  for (;;) {
    const page = await fetchPage<Item>(fetchJson, collection, {
      ...options,
      updatedSince: since,
      cursor,
    }).catch((error: unknown) => {
      if (cursor === null || !mayRestart || !isInvalidCursor(error)) throw error
    })
    if (page === undefined) {
      mayRestart = false
      cursor = null
      requireProgress = createCrawlGuard(cursor)
      continue
    }
    requireProgress(page)
    await onPage(page)
    if (page.cursor === null) return page.nextUpdatedSince
    cursor = page.cursor
  }
}

function isInvalidCursor(error: unknown): boolean {
  return error instanceof VitrineError && error.code === 'invalid_cursor'
}
