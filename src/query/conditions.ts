import type { Instant } from '../values/instant.js'

/** What a list is narrowed to; a filter that is not sent is undefined. */
export interface Filters {
  readonly updatedSince: Instant | undefined
  readonly eventId: string | undefined
  readonly status: string | undefined
}

/** The last row that a reader was shown, as the database wrote it: even a zero date can be gone on from. */
export interface Position {
  /** The text of the column, NULL included, whatever it means. */
  readonly updatedAt: string | null
  readonly id: string
}

/** Where a crawl stands: all that a cursor carries. */
export interface CrawlState {
  readonly filters: Filters
  /** When the crawl began, by the database's clock. */
  readonly startedAt: Instant
  readonly position: Position
}

/** A list request, checked. */
export interface ListQuery {
  /** 1 to 100 records. */
  readonly limit: number
  readonly filters: Filters
  /** Undefined on a crawl's first page. */
  readonly crawl: CrawlState | undefined
}
