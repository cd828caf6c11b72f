import { isRecord } from './answer.js'
import { createAsk } from './ask.js'
import type { Ask, Connection } from './ask.js'
import { VitrineError } from './errors.js'
import { listPages, listRecords } from './pages.js'
import type { ListOptions, Page } from './pages.js'
import type { CollectionName, Collections } from './records.js'
import { wait } from './retry.js'
import { syncCollection } from './sync.js'
import type { SyncOptions } from './sync.js'

/** Where the API is, and how patient the client is with it. */
export interface ClientOptions {
  /** The service's public address, with or without `/api/public/v1` at its end. */
  readonly url: string
  readonly key: string
  /** How often a request is sent again after 429, 502, 503, 504 or a network error; 5 where it is left out. */
  readonly retries?: number | undefined
  /** How long one attempt may take, its body included; 30 seconds where it is left out. */
  readonly timeoutMs?: number | undefined
  /** An answer that asks for a longer wait is an error at once; 120 seconds where it is left out. */
  readonly retryAfterMaxMs?: number | undefined
  /** Another way to send requests than the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** One collection of the workspace. */
export interface CollectionClient<Item> {
  /** The records one by one, oldest change first; the pages are fetched as the loop goes on. */
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
  /** Hands over what changed since an instant, and returns the instant for the next time. */
  readonly sync: <Name extends CollectionName>(
    collection: Name,
    options: SyncOptions<Collections[Name]>,
  ) => Promise<string>
}

const basePath = '/api/public/v1'

/** A client for a key; nothing is asked yet. @throws TypeError for options that cannot work */
export function createClient(options: ClientOptions): Client {
  const ask = createAsk(toConnection(options))
  return {
    registrations: createCollection(ask, 'registrations'),
    invoices: createCollection(ask, 'invoices'),
    sync: (collection, syncOptions) => syncCollection(ask, collection, syncOptions),
  }
}

function createCollection<Name extends CollectionName>(
  ask: Ask,
  name: Name,
): CollectionClient<Collections[Name]> {
  return {
    list: (options = {}) => listRecords(ask, name, options),
    pages: (options = {}) => listPages(ask, name, options),
    get: async (id, { signal } = {}) => {
      // No path leads to these: the first is the list, and URLs leave the others out.
      if (['', '.', '..'].includes(id)) throw new TypeError(`No record has the id ${JSON.stringify(id)}`)
      const value = await ask(`/${name}/${encodeURIComponent(id)}`, signal)
      if (!isRecord(value) || value['id'] !== id)
        throw new VitrineError('unexpected_answer', 'This is JSON, but not the record.')
      return value as never
    },
  }
}

function toConnection(options: ClientOptions): Connection {
  const { key, retries = 5, timeoutMs = 30_000, retryAfterMaxMs = 120_000 } = options
  // Checked here because fetch would say the whole header in its error.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('The key is empty, or has a blank, a line break or a character that no key has')
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
