import { VitrineError } from './errors.js'
import { isCount, isCursor, isInstant, isRecord } from './forms.js'
import type { CollectionName, Collections } from './records.js'
import { requestOptions, requireKnownOptions } from './request.js'
import type { RequestOptions, Send } from './request.js'
import { withResponse } from './response-info.js'
import type { ResponseInfo, WithResponse } from './response-info.js'
import { createForeignError } from './response.js'

/** Filters and paging of a list. */
export interface ListOptions extends RequestOptions {
  /** Inclusive: an RFC 3339 timestamp, a date, or a `Date`. */
  readonly updatedSince?: string | Date | null | undefined
  readonly eventId?: string | undefined
  readonly status?: string | undefined
  /** `cursor` of the last page of an earlier crawl with the same filters; the list continues behind it. */
  readonly cursor?: string | null | undefined
  /** Records per page, 1 to 100; 100 by default. */
  readonly pageSize?: number | undefined
}

/** The options of a crawl, whichever instant it starts from. */
export const crawlOptions = ['eventId', 'status', 'pageSize', ...requestOptions] as const

/** One page of a list. */
export interface Page<Item> {
  /** May have fewer records than the page size, even none; only `cursor: null` is the end. */
  readonly data: readonly Item[]
  readonly cursor: string | null
  /** The `updatedSince` of the next sync, once all pages are read. */
  readonly nextUpdatedSince: string
  /** A copy that was read with a lower one must be read anew; 0 from a deployment that has none. */
  readonly epoch: number
}

/** How a crawl begins, and what it does if the service rejects a cursor. */
interface CrawlOptions extends ListOptions {
  /** Of the first page: with it, there are no pages if that is not modified. */
  readonly etag?: string | null | undefined
  /** Restart once without a cursor where one is rejected; otherwise, `invalid_cursor` is an error. */
  readonly mayRestart?: boolean
}

/** The pages of a list, each fetched when the loop reaches it. @throws VitrineError, or the signal's reason */
export async function* listPages<Item>(
  send: Send,
  collection: CollectionName,
  { mayRestart = false, ...options }: CrawlOptions,
): AsyncGenerator<WithResponse<Page<Item>>, void, undefined> {
  let { cursor = null, etag } = options
  let canRestart = mayRestart
  for (;;) {
    const path = `/${collection}?${toQuery({ ...options, cursor })}`
    const answer = await send(path, options, etag).catch((error: unknown) => {
      const isRejected = error instanceof VitrineError && error.code === 'invalid_cursor'
      if (cursor === null || !canRestart || !isRejected) throw error
    })
    etag = undefined
    if (answer === undefined) {
      canRestart = false
      cursor = null
      continue
    }
    const { value, response } = answer
    if (value === undefined) return
    const page = toPage<Item>(value, response)
    if (page.cursor !== null && page.cursor === cursor)
      throw createForeignError('The list would not end: the cursor was repeated.', response)
    yield withResponse(page, response)
    cursor = page.cursor
    if (cursor === null) return
  }
}

/** The filters are sent with the cursor too, so that the service rejects a cursor of other filters. */
function toQuery({ updatedSince, eventId, status, cursor, pageSize = 100 }: ListOptions): string {
  if (!Number.isInteger(pageSize)) throw new TypeError('pageSize must be a whole number from 1 to 100')
  const query = new URLSearchParams({ limit: String(pageSize) })
  const filters = { updatedSince: toInstant(updatedSince), eventId, status, cursor }
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined || value === null) continue
    // As text, an object or a list would be a filter of another meaning.
    if (typeof (value as unknown) !== 'string') throw new TypeError(`The option ${name} must be text`)
    query.set(name, value)
  }
  return query.toString()
}

/** An instant as text. @throws TypeError for an invalid Date */
export function toInstant(value: string | Date | null | undefined): string | null {
  if (!(value instanceof Date)) return value ?? null
  if (Number.isNaN(value.getTime())) throw new TypeError('updatedSince is an invalid Date')
  return value.toISOString()
}

/** A page without `cursor` is an error: it must not count as the last page. */
function toPage<Item>(value: unknown, response: ResponseInfo): Page<Item> {
  const { data, meta } = isRecord(value) ? value : {}
  const { cursor, nextUpdatedSince, epoch = 0, ...rest } = isRecord(meta) ? meta : {}
  const reject = (what: string) =>
    createForeignError(`The response is JSON, but not a page of a list: ${what} is not valid.`, response)
  if (!Array.isArray(data) || !data.every((item) => isRecord(item) && typeof item['id'] === 'string'))
    throw reject('data')
  if (cursor !== null && !isCursor(cursor)) throw reject('meta.cursor')
  if (!isInstant(nextUpdatedSince)) throw reject('meta.nextUpdatedSince')
  if (!isCount(epoch)) throw reject('meta.epoch')
  // With the fields that later releases add.
  return { ...rest, data: data as readonly Item[], cursor, nextUpdatedSince, epoch }
}

/**
 * The records of a list, oldest change first. A loop over it fetches each page when it reaches it. A record that changes meanwhile
 * can be returned twice, and all of them where the service rejects its own cursor, since then the list restarts once.
 */
export interface RecordList<Item> extends AsyncIterable<Item> {
  /** The first page, or the page behind `cursor`. */
  readonly firstPage: () => Promise<WithResponse<Page<Item>>>
  /** The list page by page. */
  readonly pages: () => AsyncIterable<WithResponse<Page<Item>>>
}

/** One collection of the workspace. */
export interface CollectionClient<Item> {
  /** The records that match the filters. No request is sent before they are read. */
  readonly list: (options?: ListOptions) => RecordList<Item>
  /** One record. @throws VitrineError `not_found` */
  readonly get: (id: string, options?: RequestOptions) => Promise<WithResponse<Item>>
}

/** Creates the functions of one collection. */
export function createCollection<Name extends CollectionName>(
  send: Send,
  name: Name,
): CollectionClient<Collections[Name]> {
  return {
    list: (options = {}) => createList(send, name, options),
    get: async (id, options = {}) => {
      requireKnownOptions('get', options, requestOptions)
      // No path has these: the first is the list, and URLs drop the others.
      if (typeof (id as unknown) !== 'string' || ['', '.', '..'].includes(id))
        throw new TypeError(`No record has the id ${JSON.stringify(id)}`)
      const { value, response } = await send(`/${name}/${encodeURIComponent(id)}`, options)
      if (!isRecord(value) || value['id'] !== id)
        throw createForeignError('The response is JSON, but not the record.', response)
      return withResponse(value as unknown as Collections[Name], response)
    },
  }
}

function createList<Item>(send: Send, name: CollectionName, options: ListOptions): RecordList<Item> {
  requireKnownOptions('list', options, ['updatedSince', 'cursor', ...crawlOptions])
  // Who passed a cursor has records from before it.
  const pages = () => listPages<Item>(send, name, { ...options, mayRestart: options.cursor == null })
  return {
    pages,
    firstPage: async () => (await pages().next()).value as WithResponse<Page<Item>>,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data
    },
  }
}
