import type { CollectionName, Collections, Page } from '../client/index.js'

/** A record of either collection, with the fields that later releases add. */
export type AnyRecord = Collections[CollectionName]

/** Where a sync goes on. */
export interface Position {
  /** What the last finished sync returned; null before there was one. */
  readonly since: string | null
  /** The last stored page's, where a sync was interrupted. */
  readonly cursor: string | null
}

/** What a copy holds after a sync. */
export interface CopyCount {
  readonly total: number
  /** Records that a full sync no longer saw. */
  readonly removed: number
}

/**
 * A copy of a collection in a file. Whatever moment the process ends at, the copy and its position fit together: the
 * position is never ahead of the records.
 */
export interface Copy {
  /**
   * Where to go on; a full sync starts from nothing, and keeps the copy as it is until it is complete.
   *
   * @param allowRemovals lets a full sync remove more than half of the copy; false where it is left out.
   */
  readonly begin: (full: boolean, allowRemovals?: boolean) => Promise<Position>
  /**
   * Stores a page and the position behind it in one step; the last page completes the sync.
   *
   * @throws RemovalsError where a full sync would remove too much. Its pages are then dropped, and the next sync begins
   * where the last complete one ended: what the server did not show may have changed meanwhile.
   */
  readonly save: (page: Page<AnyRecord>) => Promise<void>
  /** What is there since the last sync was completed. */
  readonly count: () => Promise<CopyCount>
  readonly close: () => Promise<void>
}
