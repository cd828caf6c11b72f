import type { OutgoingHttpHeaders } from 'node:http'
import type { Answer, Asked, Change } from '../breaking-proxy.js'
import { changeHeaders, changePages, changeSuccess, readWanted, withHeaders } from '../change.js'
import type { Break } from './break.js'

/** Tags, 304s and headers for caches that are not those of the contract. */
export const cachingBreaks: readonly Break[] = [
  {
    name: 'any cache may store an answer for a minute',
    guarantee: 'cache-headers',
    change: () => changeSuccess(() => ({ 'cache-control': 'public, max-age=60' })),
  },
  {
    name: 'any cache may store single records',
    guarantee: 'cache-headers',
    change: () => changeItems(() => ({ 'cache-control': 'public' })),
  },
  {
    name: 'any cache may store an error',
    guarantee: 'cache-headers',
    change: () => changeErrors(() => ({ 'cache-control': 'public, max-age=60' })),
  },
  {
    name: 'a 304 may be stored by any cache',
    guarantee: 'cache-headers',
    change: () =>
      changeHeaders(
        ({ status }) => status === 304,
        () => ({ 'cache-control': 'public, max-age=60' }),
      ),
  },
  {
    name: 'Cache-Control is missing',
    guarantee: 'cache-headers',
    change: () => changeSuccess(() => ({ 'cache-control': undefined })),
  },
  {
    name: 'Vary does not name Authorization',
    guarantee: 'cache-headers',
    change: () => changeSuccess(() => ({ vary: 'accept-encoding' })),
  },
  {
    name: 'Vary is missing in single records',
    guarantee: 'cache-headers',
    change: () => changeItems(() => ({ vary: undefined })),
  },
  {
    name: 'the ETag is strong',
    guarantee: 'etag',
    change: () => changeSuccess(({ etag }) => ({ etag: String(etag).replace('W/', '') })),
  },
  {
    name: 'the ETag is missing',
    guarantee: 'etag',
    change: () => changeSuccess(() => ({ etag: undefined })),
  },
  {
    name: 'the ETag is missing in single records',
    guarantee: 'etag',
    change: () => changeItems(() => ({ etag: undefined })),
  },
  {
    name: 'the ETag changes each time',
    guarantee: 'etag',
    change: () => {
      let count = 0
      return changeSuccess(() => ({ etag: `W/"${(count += 1)}"` }))
    },
  },
  {
    name: 'the ETag is always the same',
    guarantee: 'etag',
    change: () => withTags(() => 'W/"same"'),
  },
  {
    name: 'the ETag covers the path, and not the query',
    guarantee: 'etag',
    change: () => withTags(({ target }) => `W/"${Buffer.from(target.split('?')[0]!).toString('base64url')}"`),
  },
  {
    name: 'any If-None-Match gives 304',
    guarantee: 'no-stale-304',
    change:
      () =>
      async ({ asked, forward }) => {
        const answer = await forward()
        return answer.status === 200 && asked.headers['if-none-match'] !== undefined
          ? toNotModified(answer)
          : answer
      },
  },
  {
    name: 'no If-None-Match gives 304',
    guarantee: 'not-modified',
    change:
      () =>
      ({ asked, forward }) =>
        forward({ headers: withoutHeader(asked.headers, 'if-none-match') }),
  },
  {
    name: 'no If-None-Match of a single record gives 304',
    guarantee: 'not-modified',
    change:
      () =>
      ({ asked, forward }) =>
        forward(
          readWanted(asked).kind === 'item' ? { headers: withoutHeader(asked.headers, 'if-none-match') } : {},
        ),
  },
  {
    name: 'a 304 has no ETag',
    guarantee: 'not-modified',
    change: () =>
      changeHeaders(
        ({ status }) => status === 304,
        () => ({ etag: undefined }),
      ),
  },
  {
    name: 'the second answer to a request is another one',
    guarantee: 'etag',
    change: reshuffled,
  },
]

function withoutHeader(headers: Asked['headers'], name: string): Asked['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name))
}

function changeItems(toChanges: (headers: OutgoingHttpHeaders) => OutgoingHttpHeaders): Change {
  return changeHeaders(({ status }, asked) => status === 200 && readWanted(asked).kind === 'item', toChanges)
}

function changeErrors(toChanges: (headers: OutgoingHttpHeaders) => OutgoingHttpHeaders): Change {
  return changeHeaders(({ status }) => status >= 400, toChanges)
}

function toNotModified(answer: Answer): Answer {
  const dropped = { 'content-type': undefined, 'content-encoding': undefined, 'content-length': undefined }
  return { ...withHeaders(answer, dropped), status: 304, body: Buffer.alloc(0) }
}

/** Gives tags of its own to lists and records, and 304 for them. */
function withTags(toTag: (asked: Asked) => string): Change {
  return async ({ asked, forward }) => {
    const answer = await forward({ headers: withoutHeader(asked.headers, 'if-none-match') })
    if (answer.status !== 200) return answer
    const tagged = withHeaders(answer, { etag: toTag(asked) })
    return asked.headers['if-none-match'] === toTag(asked) ? toNotModified(tagged) : tagged
  }
}

/** Another record leads each page that was asked for before, although its tag stays. */
function reshuffled(): Change {
  const seen = new Set<string>()
  return changePages((page, _, { asked }) => {
    if (!seen.has(asked.target)) {
      seen.add(asked.target)
      return page
    }
    return { ...page, data: page.data.slice(0, -1) }
  })
}
