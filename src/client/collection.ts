import { requireKnownOptions } from './options.js'
import { crawlOptions, fetchPage, listPages } from './pages.js'
import type { ListOptions, Page } from './pages.js'
import { read } from './read.js'
import type { Fetched, NotModified, PlainOptions } from './read.js'
import type { CollectionName, Collections } from './records.js'
import { requestOptions } from './request.js'
import type { ConditionalOptions, Send } from './request.js'
import { createForeignError, isRecord } from './response.js'

/** The records of a list, oldest change first. A loop over it fetches each page when it reaches it. */
export interface RecordList<Item> extends AsyncIterable<Item> {
  /** The first page, or the page behind `cursor`. */
  readonly firstPage: {
    (): Promise<Fetched<Page<Item>>>
    (options: Pick<ConditionalOptions, 'ifNoneMatch'>): Promise<Fetched<Page<Item>> | NotModified>
  }
  /** The list page by page. */
  readonly pages: () => AsyncIterable<Fetched<Page<Item>>>
  /**
   * All records. A list with more than `max` of them is an error, not a part of the list, because sums and comparisons
   * of a part would be wrong without notice.
   *
   * @throws RangeError
   */
  readonly toArray: (options: { readonly max: number }) => Promise<Item[]>
}

/** One collection of the workspace. */
export interface CollectionClient<Item> {
  /** The records that match the filters. No request is sent before they are read. */
  readonly list: (options?: ListOptions) => RecordList<Item>
  /** The same as `list(options).pages()`. */
  readonly pages: (options?: ListOptions) => AsyncIterable<Fetched<Page<Item>>>
  /** One record; with `ifNoneMatch`, only if it changed. @throws VitrineError `not_found` */
  readonly get: {
    (id: string, options?: PlainOptions): Promise<Fetched<Item>>
    (id: string, options: ConditionalOptions): Promise<Fetched<Item> | NotModified>
  }
}

/** Creates the functions of one collection. */
export function createCollection<Name extends CollectionName>(
  send: Send,
  name: Name,
): CollectionClient<Collections[Name]> {
  type Item = Collections[Name]
  function get(id: string, options?: PlainOptions): Promise<Fetched<Item>>
  function get(id: string, options: ConditionalOptions): Promise<Fetched<Item> | NotModified>
  async function get(id: string, options: ConditionalOptions = {}): Promise<Fetched<Item> | NotModified> {
    requireKnownOptions('get', options, [...requestOptions, 'ifNoneMatch'])
    // No path has these: the first is the list, and URLs drop the others.
    if (typeof id !== 'string' || ['', '.', '..'].includes(id))
      throw new TypeError(`No record has the id ${JSON.stringify(id)}`)
    return read<Item>(send, `/${name}/${encodeURIComponent(id)}`, options, (value, response) => {
      if (!isRecord(value) || value['id'] !== id)
        throw createForeignError('The response is JSON, but not the record.', response)
      return value as never
    })
  }
  return {
    list: (options = {}) => createList<Item>(send, name, options),
    pages: (options = {}) => createList<Item>(send, name, options).pages(),
    get,
  }
}

function createList<Item>(send: Send, name: CollectionName, options: ListOptions): RecordList<Item> {
  requireKnownOptions('list', options, ['updatedSince', 'cursor', ...crawlOptions])
  const pages = (): AsyncGenerator<Fetched<Page<Item>>, void, undefined> => listPages(send, name, options)
  async function* iterate(): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of pages()) yield* data
  }
  function firstPage(): Promise<Fetched<Page<Item>>>
  function firstPage(
    condition: Pick<ConditionalOptions, 'ifNoneMatch'>,
  ): Promise<Fetched<Page<Item>> | NotModified>
  async function firstPage(condition: ConditionalOptions = {}): Promise<Fetched<Page<Item>> | NotModified> {
    requireKnownOptions('firstPage', condition, ['ifNoneMatch'])
    return fetchPage<Item>(send, name, { ...options, ifNoneMatch: condition.ifNoneMatch })
  }
  return {
    [Symbol.asyncIterator]: iterate,
    pages,
    firstPage,
    toArray: async (limits) => {
      requireKnownOptions('toArray', limits, ['max'])
      const { max } = limits
      if (!(max >= 0)) throw new TypeError('toArray needs max, a number of records')
      const items: Item[] = []
      for await (const item of iterate()) {
        if (items.length >= max)
          throw new RangeError(
            `The list has more than ${String(max)} records; raise max, or read it in a loop`,
          )
        items.push(item)
      }
      return items
    },
  }
}
