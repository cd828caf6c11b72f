// The package of integrators: `import { createClient } from 'vitrine/client'`. It needs only fetch.
export { createClient } from './client.js'
export type { Client, ClientOptions, CollectionClient } from './client.js'
export { VitrineError } from './errors.js'
export type { ApiCode, ClientCode } from './errors.js'
export type { ListOptions, Page } from './pages.js'
export type { CollectionName, Collections, Invoice, Registration } from './records.js'
export type { SyncOptions } from './sync.js'
