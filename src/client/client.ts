import { createCollection } from './pages.js'
import type { CollectionClient } from './pages.js'
import { addressForm, basePath, findKeyMistake, parseAddress, trimKey } from './forms.js'
import { addHeaders, renderUserAgent } from './headers.js'
import { createSend, requestOptions, requireKnownOptions, requireLimits, wait } from './request.js'
import { mirrorCollection } from './mirror.js'
import type { MirrorOptions, MirrorResult, MirrorStore } from './mirror.js'
import type { CollectionName, Collections } from './records.js'
import type { Connection, Hooks, RequestOptions } from './request.js'
import { syncCollection } from './sync.js'
import type { SyncOptions, SyncResult } from './sync.js'

/** Address and key of a client, and the options of its calls. */
export interface ClientOptions extends Hooks, Omit<RequestOptions, 'signal'> {
  /** The service's public address, with or without `/api/public/v1` at its end. */
  readonly url: string
  readonly key: string
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** The API of one workspace. */
export interface Client {
  readonly registrations: CollectionClient<Collections['registrations']>
  readonly invoices: CollectionClient<Collections['invoices']>
  /** Passes the changes since the last sync to `onPage`, and returns the state for the next sync. */
  readonly sync: <Name extends CollectionName>(
    collection: Name,
    options: SyncOptions<Collections[Name]>,
  ) => Promise<SyncResult>
  /** Updates a mirror of the collection in a store of the program, such as a table. */
  readonly mirror: <Name extends CollectionName>(
    collection: Name,
    store: MirrorStore<Collections[Name]>,
    options?: MirrorOptions,
  ) => Promise<MirrorResult>
}

const hooks = ['onRetry', 'onKeyExpiry']
const clientOptions = ['url', 'key', ...requestOptions.slice(1), 'fetch', ...hooks]

/** Creates a client for a key, without sending a request. @throws TypeError for options that are not valid */
export function createClient(options: ClientOptions): Client {
  requireKnownOptions('createClient', options, clientOptions)
  const connection = toConnection(options)
  const send = createSend(connection)
  return {
    registrations: createCollection(send, 'registrations'),
    invoices: createCollection(send, 'invoices'),
    sync: async (collection, syncOptions) => {
      if (typeof (syncOptions.onPage as unknown) !== 'function')
        throw new TypeError('sync needs onPage, a function')
      return syncCollection(send, collection, syncOptions)
    },
    mirror: async (collection, store, mirrorOptions) =>
      mirrorCollection(send, { url: connection.url, collection }, store, mirrorOptions),
  }
}

/** @throws TypeError */
function toConnection(options: ClientOptions): Connection {
  const { retries = 5, timeoutMs = 30_000 } = options
  const address = parseAddress(requireSet('url', options.url))
  if (address === undefined) throw new TypeError(`The url must be ${addressForm}`)
  return {
    // The hooks and fetch.
    ...options,
    url: `${address}${basePath}`,
    headers: toHeaders(options),
    ...requireLimits({ retries, timeoutMs }),
    random: Math.random,
    wait,
  }
}

/** @throws TypeError */
function requireSet(name: 'url' | 'key', value: string): string {
  // A template makes the word of a variable that is not set.
  if (!value || value === 'undefined') throw new TypeError(`The option ${name} is not set`)
  return value
}

/** @throws TypeError without the key, which the error of Headers would contain */
function toHeaders({ key: given, headers: extra }: ClientOptions): Headers {
  const key = typeof (requireSet('key', given) as unknown) === 'string' ? trimKey(given) : ''
  const mistake = findKeyMistake(key)
  if (mistake)
    throw new TypeError(`The option key must be ASCII text, without blanks and "Bearer"; it has ${mistake}`)
  const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${key}` })
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } }
  const userAgent = renderUserAgent(navigator?.userAgent)
  if (userAgent !== undefined) headers.set('user-agent', userAgent)
  addHeaders(headers, extra)
  return headers
}
