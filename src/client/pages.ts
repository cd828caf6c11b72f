import { isRecord } from './answer.js'
import type { Ask } from './ask.js'
import { createCrawlGuard } from './crawl-guard.js'
import { VitrineError } from './errors.js'
import type { CollectionName } from './records.js'

/** Which records, and how they are fetched. */
export interface ListOptions {
  /** Inclusive: an RFC 3339 timestamp, a date, or a `Date`. */
  readonly updatedSince?: string | Date | null | undefined
  readonly eventId?: string | undefined
  readonly status?: string | undefined
  /** Where an earlier crawl with the same filters stopped: `cursor` of its last page. */
  readonly cursor?: string | null | undefined
  /** Records to a page, 1 to 100; 100 where it is left out. */
  readonly pageSize?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** One page of a crawl. */
export interface Page<Item> {
  /** May be fewer than the page size, even none; only `cursor: null` is the end. */
  readonly data: readonly Item[]
  readonly cursor: string | null
  /** What to send as `updatedSince` in the next sync, once this crawl is done. */
  readonly nextUpdatedSince: string
}

/** The pages of a crawl, each fetched when it is asked for. @throws VitrineError, or the signal's reason */
export async function* listPages<Item>(
  ask: Ask,
  collection: CollectionName,
  options: ListOptions,
): AsyncGenerator<Page<Item>, void, undefined> {
  let cursor = options.cursor ?? null
  const requireProgress = createCrawlGuard(cursor)
  do {
    const page: Page<Item> = await fetchPage<Item>(ask, collection, { ...options, cursor })
    requireProgress(page)
    yield page
    cursor = page.cursor
  } while (cursor !== null)
}

/** The records of a crawl one by one. @throws VitrineError, or the signal's reason */
export async function* listRecords<Item>(
  ask: Ask,
  collection: CollectionName,
  options: ListOptions,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of listPages<Item>(ask, collection, options)) yield* page.data
}

/** The page that the options lead to. @throws VitrineError, or the signal's reason */
export async function fetchPage<Item>(
  ask: Ask,
  collection: CollectionName,
  options: ListOptions,
): Promise<Page<Item>> {
  return toPage<Item>(await ask(`/${collection}?${toQuery(options)}`, options.signal))
}

/** The filters go along with the cursor, so that a cursor of other filters is refused. */
function toQuery({ updatedSince, eventId, status, cursor, pageSize }: ListOptions): string {
  const query = new URLSearchParams({ limit: String(pageSize ?? 100) })
  const since = updatedSince instanceof Date ? updatedSince.toISOString() : updatedSince
  for (const [name, value] of Object.entries({ updatedSince: since, eventId, status, cursor }))
    if (value !== undefined && value !== null) query.set(name, value)
  return query.toString()
}

/** A page that does not say whether more follow must not be taken for the last one. */
function toPage<Item>(value: unknown): Page<Item> {
  const { data, meta } = isRecord(value) ? value : {}
  const { cursor, nextUpdatedSince } = isRecord(meta) ? meta : {}
  const isPage =
    Array.isArray(data) &&
    data.every((item) => isRecord(item) && typeof item['id'] === 'string') &&
    (cursor === null || typeof cursor === 'string') &&
    typeof nextUpdatedSince === 'string'
  if (!isPage) throw new VitrineError('unexpected_answer', 'This is JSON, but no page of a list.')
  return { data: data as readonly Item[], cursor, nextUpdatedSince }
}
