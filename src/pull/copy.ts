import type { Removals } from '../client/mirror.js'
import type { CollectionName, Collections, Page } from '../client/index.js'
import { ConfigError } from '../errors.js'

/** A record of either collection, with the fields that later releases add. */
export type AnyRecord = Collections[CollectionName]

/** What a copy contains; a copy keeps its target. */
export interface Target {
  readonly collection: CollectionName
  readonly url: string
  readonly eventId: string | null
  readonly status: string | null
}

/** Where a sync starts. */
export interface Position {
  /** What the last complete sync returned; null before the first. */
  readonly since: string | null
  /** The cursor of the last stored page of an interrupted sync. */
  readonly cursor: string | null
  /** The tag of the page that the service returned for `since`, if the next sync may ask whether it changed. */
  readonly etag?: string | null | undefined
}

/** The size of a copy after a sync. */
export interface CopyCount {
  readonly total: number
  /** Records that a full sync removed. */
  readonly removed: number
}

/** A copy of a collection in a file. The process can end at any moment: the position is never ahead of the records. */
export interface Copy {
  /**
   * Starts or continues a sync. A full sync reads all records, and the copy stays unchanged until it is complete.
   *
   * @param allowRemovals lets a full sync remove more than half of the copy; false by default.
   */
  readonly begin: (full: boolean, allowRemovals?: boolean) => Promise<Position>
  /**
   * Stores a page and the position behind it in one step; the last page completes the sync.
   *
   * @throws RemovalsError if a full sync would remove too many records. Its pages are then dropped, and the next sync
   * starts where the last complete one ended, because records can have changed in between.
   */
  readonly save: (page: Page<AnyRecord>) => Promise<void>
  /** Replaces the position after a complete sync, if that is not the `nextUpdatedSince` of its last page. */
  readonly keep: (state: Omit<Position, 'cursor'>) => Promise<void>
  /** The size of the copy since the last complete sync. */
  readonly count: () => Promise<CopyCount>
  readonly close: () => Promise<void>
}

/** A full sync that would remove too many records; the copy stays unchanged. */
export class RemovalsError extends Error {
  override readonly name = 'RemovalsError'

  constructor({ held, removed }: Removals) {
    super(
      `the full sync would remove ${String(removed)} of the ${String(held)} records in the copy, ` +
        'so the copy is unchanged; if these records do not exist any more, run it with --full --allow-removals',
    )
  }
}

/** What a record would be in a copy. */
export type Comparison = 'added' | 'changed' | 'unchanged'

/** A copy in a file, with which records can be compared. */
export interface FileCopy extends Copy {
  readonly compare: (record: AnyRecord) => Promise<Comparison>
}

/** The error of a file that cannot be used as the copy. */
export function toFileError(path: string, found: string, allowed: string): ConfigError {
  return new ConfigError([{ path, found, allowed }])
}

/** A target as command-line options. */
export function renderTarget({ collection, url, eventId, status }: Target): string {
  const filters = [
    ...(eventId === null ? [] : [`--event-id ${eventId}`]),
    ...(status === null ? [] : [`--status ${status}`]),
  ]
  return [collection, `--url ${url}`, ...filters].join(' ')
}
