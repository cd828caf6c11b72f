import { requireKnownOptions } from './request.js'
import { crawlOptions, listPages } from './pages.js'
import type { ListOptions, Page } from './pages.js'
import type { CollectionName, Collections } from './records.js'
import { requestOptions } from './request.js'
import type { RequestOptions, Send } from './request.js'
import { withResponse } from './response-info.js'
import type { WithResponse } from './response-info.js'
import { createForeignError, isRecord } from './response.js'

/** The records of a list, oldest change first. A loop over it fetches each page when it reaches it. */
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
  const pages = () => listPages<Item>(send, name, options)
  return {
    pages,
    firstPage: async () => (await pages().next()).value as WithResponse<Page<Item>>,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data
    },
  }
}
