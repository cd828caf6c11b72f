import type { Ask } from './ask.js'
import { createCrawlGuard } from './crawl-guard.js'
import { VitrineError } from './errors.js'
import { fetchPage } from './pages.js'
import type { ListOptions, Page } from './pages.js'
import type { CollectionName } from './records.js'

/** What a sync reads, and who takes it. */
export interface SyncOptions<Item> extends Omit<ListOptions, 'updatedSince'> {
  /** The instant that the last sync returned; nothing, and the sync reads all there is. */
  readonly since?: string | Date | null | undefined
  /**
   * Takes each page, and is waited for. A record may come again, in this sync or in the next: what comes later is
   * newer, whatever its `updatedAt` says, since a late commit may turn that back.
   */
  readonly onPage: (page: Page<Item>) => unknown
}

/**
 * Hands over every record that changed since an instant.
 *
 * A sync that ends in any other way than by returning has not handed over all: keep the old instant and sync again, or
 * go on from the last page that was stored by its `cursor`. A cursor that the service no longer takes makes the sync
 * start once more from the instant.
 *
 * @returns the instant to store, and to give as `since` to the next sync.
 * @throws VitrineError, the signal's reason, or whatever `onPage` threw.
 */
export async function syncCollection<Item>(
  ask: Ask,
  collection: CollectionName,
  { since, onPage, ...options }: SyncOptions<Item>,
): Promise<string> {
  let cursor = options.cursor ?? null
  let mayBeginAgain = true
  let requireProgress = createCrawlGuard(cursor)
  for (;;) {
    const page = await fetchPage<Item>(ask, collection, { ...options, updatedSince: since, cursor }).catch(
      (error: unknown) => {
        if (cursor === null || !mayBeginAgain || !isInvalidCursor(error)) throw error
      },
    )
    if (page === undefined) {
      mayBeginAgain = false
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
