import { keys } from '../product/index.js'
import type { ProductDatabase, View } from '../product/index.js'
import { base } from '../support/client.js'
import { listExpected } from '../support/expected.js'
import type { CollectionName } from '../support/expected.js'

/** What came back, as text. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Somebody who asks one thing after the other and knows what is right. */
export interface Caller {
  readonly name: string
  readonly key: string
  /** The path of the next request; the same again until it is answered. */
  readonly toPath: () => string
  /** An entity tag to be sent; none where it is empty. */
  readonly ifNoneMatch?: () => string
  /** What is wrong with an answer that is no 503; undefined moves on to the next request. */
  readonly findError: (reply: Reply) => string | undefined
}

interface CrawlOptions {
  readonly collection: CollectionName
  readonly limit: number
  readonly workspace?: number
  readonly status?: string
}

/** Follows cursors through a list for ever; each page must go on exactly where the one before ended. */
export function createCrawler(database: ProductDatabase, options: CrawlOptions): Caller {
  const { collection, limit, workspace = 0, status } = options
  const expected = listExpected(database, collection, workspace)
    .map(({ view }) => view)
    .filter((view) => status === undefined || view['status'] === status)
  const first = `${base}/${collection}?limit=${limit}${status === undefined ? '' : `&status=${status}`}`
  let [path, at] = [first, 0]
  return {
    name: `crawl of ${collection} by ${limit}`,
    key: workspace === 0 ? keys.both : keys.other,
    toPath: () => path,
    findError: (reply) => {
      if (reply.status !== 200) return `status ${reply.status}`
      const { data, meta } = JSON.parse(reply.text) as { data: View[]; meta: { cursor: string | null } }
      const wanted = expected.slice(at, at + data.length)
      if (data.length > limit || JSON.stringify(data) !== JSON.stringify(wanted)) return `not page ${at}`
      at += data.length
      if (meta.cursor !== null) path = `${base}/${collection}?cursor=${meta.cursor}&limit=${limit}`
      else if (at !== expected.length) return `the end after ${at} of ${expected.length}`
      else [path, at] = [first, 0]
      return undefined
    },
  }
}

/** Reads one record after the other, and now and then one that is not there. */
export function createReader(database: ProductDatabase, collection: CollectionName): Caller {
  const views = listExpected(database, collection).map(({ view }) => view)
  const missing = 'none'
  let at = 0
  const find = (): View | undefined => (at % 7 === 6 ? undefined : views[at % views.length])
  return {
    name: `single ${collection}`,
    key: keys.both,
    toPath: () => `${base}/${collection}/${String(find()?.['id'] ?? missing)}`,
    findError: ({ status, text }) => {
      const view = find()
      const right = view === undefined ? status === 404 : status === 200 && text === JSON.stringify(view)
      if (!right) return `status ${status}, not ${view === undefined ? '404' : 'the record'}`
      at += 1
      return undefined
    },
  }
}

/** Has a key that was revoked: nothing that fails may let it in. */
export function createStranger(): Caller {
  return {
    name: 'a revoked key',
    key: keys.revoked,
    toPath: () => `${base}/invoices?limit=1`,
    findError: ({ status }) => (status === 401 ? undefined : `status ${status}, not 401`),
  }
}

/** Asks whether the process lives. */
export function createLifeline(): Caller {
  return {
    name: 'livez',
    key: '',
    toPath: () => '/livez',
    findError: ({ status }) => (status === 200 ? undefined : `status ${status}, not 200`),
  }
}
