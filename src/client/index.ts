// The package of integrators: `import { createClient } from 'vitrine-client'`. It needs only fetch.
export { createClient } from './client.js'
export type { Client, ClientOptions } from './client.js'
export type { CollectionClient, RecordList } from './collection.js'
export { VitrineError } from './errors.js'
export type { ApiCode, ClientCode } from './errors.js'
export type { AppInfo } from './headers.js'
export type { EpochEvent, MirrorChange, MirrorOptions, MirrorResult, MirrorStore } from './mirror.js'
export type { ListOptions, Page } from './pages.js'
export type { Fetched, NotModified } from './read.js'
export type { CollectionName, Collections, Invoice, Registration } from './records.js'
export type {
  ConditionalOptions,
  KeyExpiryEvent,
  RequestOptions,
  ResponseEvent,
  RetryEvent,
} from './request.js'
export type { RateLimit, ResponseInfo } from './response-info.js'
export type { ScrubEvent, StoredRange, StoredRecord } from './scrub.js'
export type { SyncOptions, SyncResult, SyncState } from './sync.js'
