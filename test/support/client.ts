import { keys } from '../product/index.js'
import type { View } from '../product/index.js'
import type { TestService } from './service.js'

/** An answer, its body read. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly body: Body
}

interface Body {
  readonly data: readonly View[]
  readonly meta: { readonly cursor: string | null; readonly nextUpdatedSince: string; readonly epoch: number }
  readonly code: string
  readonly detail: string
  readonly parameter?: string
}

type Query = Readonly<Record<string, string | number>>

/** A caller with a key. */
export interface Client {
  readonly get: (path: string, query?: Query, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  /** Every record that a crawl shows, following the cursor alone. */
  readonly crawl: (collection: string, query?: Query) => Promise<readonly View[]>
}

/** Where the four routes lie. */
export const base = '/api/public/v1'

/** Calls the service with one of the seeds' keys. */
export function createClient(service: Pick<TestService, 'app'>, key: string = keys.both): Client {
  const get: Client['get'] = async (path, query = {}, headers = {}) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString()
    const answer = await service.app.inject({
      url: `${path.startsWith('/') ? '' : `${base}/`}${path}${search === '' ? '' : `?${search}`}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    const isJson = String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: (isJson ? JSON.parse(answer.body) : {}) as Body,
    }
  }
  return {
    get,
    crawl: async (collection, query = {}) => {
      const seen: View[] = []
      const cursors = new Set<string>()
      let answer = await get(collection, query)
      for (;;) {
        if (answer.status !== 200) throw new Error(answer.text)
        seen.push(...answer.body.data)
        const { cursor } = answer.body.meta
        if (cursor === null) return seen
        if (cursors.has(cursor)) throw new Error(`The crawl came back to ${readCursor(cursor)}`)
        cursors.add(cursor)
        answer = await get(collection, {
          cursor,
          ...(query['limit'] === undefined ? {} : { limit: query['limit'] }),
        })
      }
    },
  }
}

/** What a cursor holds, for messages and for searches. */
export function readCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').subarray(12).toString()
}
