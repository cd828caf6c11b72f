import { VitrineError } from './errors.js'
import { listPages, listRecords } from './pages.js'
import type { ListOptions, Page } from './pages.js'
import type { CollectionName, Collections } from './records.js'
import { createFetchJson, wait } from './request.js'
import type { Connection, FetchJson } from './request.js'
import { isRecord } from './response.js'
import { syncCollection } from './sync.js'
import type { SyncOptions } from './sync.js'

/** Address, key and limits of a client. */
export interface ClientOptions {
  /** The service's public address, with or without `/api/public/v1` at its end. */
  readonly url: string
  readonly key: string
  /** Retries of a request after 429, 502, 503, 504, a timeout or a network error; 5 by default. */
  readonly retries?: number | undefined
  /** Time limit of one attempt, its body included; 30 seconds by default. */
  readonly timeoutMs?: number | undefined
  /** A response with a longer `Retry-After` is an error at once; 120 seconds by default. */
  readonly retryAfterMaxMs?: number | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** One collection of the workspace. */
export interface CollectionClient<Item> {
  /** The records one by one, oldest change first; each page is fetched when the loop reaches it. */
  readonly list: (options?: ListOptions) => AsyncIterable<Item>
  /** The same page by page. */
  readonly pages: (options?: ListOptions) => AsyncIterable<Page<Item>>
  /** One record. @throws VitrineError `not_found` */
  readonly get: (id: string, options?: { readonly signal?: AbortSignal | undefined }) => Promise<Item>
}

/** The API of one workspace. */
export interface Client {
  readonly registrations: CollectionClient<Collections['registrations']>
  readonly invoices: CollectionClient<Collections['invoices']>
  /** Passes the changes since an instant to `onPage`, and returns the instant for the next sync. */
  readonly sync: <Name extends CollectionName>(
    collection: Name,
    options: SyncOptions<Collections[Name]>,
  ) => Promise<string>
}

const basePath = '/api/public/v1'

/** Creates a client for a key, without sending a request. @throws TypeError for options that are not valid */
export function createClient(options: ClientOptions): Client {
  const fetchJson = createFetchJson(toConnection(options))
  return {
    registrations: createCollection(fetchJson, 'registrations'),
    invoices: createCollection(fetchJson, 'invoices'),
    sync: (collection, syncOptions) => syncCollection(fetchJson, collection, syncOptions),
  }
}

function createCollection<Name extends CollectionName>(
  fetchJson: FetchJson,
  name: Name,
): CollectionClient<Collections[Name]> {
  return {
    list: (options = {}) => listRecords(fetchJson, name, options),
    pages: (options = {}) => listPages(fetchJson, name, options),
    get: async (id, { signal } = {}) => {
      // No path has these: the first is the list, and URLs drop the others.
      if (['', '.', '..'].includes(id)) throw new TypeError(`No record has the id ${JSON.stringify(id)}`)
      const value = await fetchJson(`/${name}/${encodeURIComponent(id)}`, signal)
      if (!isRecord(value) || value['id'] !== id)
        throw new VitrineError('unexpected_answer', 'The response is JSON, but not the record.')
      return value as never
    },
  }
}

function toConnection(options: ClientOptions): Connection {
  const { key, retries = 5, timeoutMs = 30_000, retryAfterMaxMs = 120_000 } = options
  // Checked here because the error of fetch would contain the whole header.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('The key is empty, or has a blank, a control character or a character outside ASCII')
  for (const [name, value] of Object.entries({ retries, timeoutMs, retryAfterMaxMs }))
    if (!(value >= 0 && value < 2 ** 31)) throw new TypeError(`${name} is not a number from 0 to 2^31`)
  return {
    url: toBaseUrl(options.url),
    key,
    fetch: options.fetch,
    retries,
    timeoutMs,
    retryAfterMaxMs,
    random: Math.random,
    wait,
  }
}

/** @throws TypeError */
function toBaseUrl(text: string): string {
  const allowed = 'The url must be an http or https address without account, query and fragment'
  if (!URL.canParse(text)) throw new TypeError(allowed)
  const { protocol, origin, pathname, username, password, search, hash } = new URL(text)
  if (!/^https?:$/.test(protocol) || `${username}${password}${search}${hash}` !== '')
    throw new TypeError(allowed)
  const path = pathname.replace(/\/+$/, '')
  return `${origin}${path.endsWith(basePath) ? path : `${path}${basePath}`}`
}
