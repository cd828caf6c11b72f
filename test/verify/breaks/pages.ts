import { base } from '../../support/client.js'
import type { Change } from '../breaking-proxy.js'
import { changeData, changeHeaders, changePages, changeQuery, readWanted } from '../change.js'
import type { Fields, Page } from '../change.js'
import type { Break } from './break.js'

/** Pages that lose, repeat or swap records, or whose cursors lead elsewhere. */
export const pageBreaks: readonly Break[] = [
  {
    name: 'the record in the middle of a page is lost',
    guarantee: 'crawls-agree',
    change: () => changeData((data) => (data.length < 3 ? data : without(data, data.length >> 1))),
  },
  {
    name: 'the first record of each next page is lost',
    guarantee: 'crawls-agree',
    change: () => changeData((data, { query }) => (query.has('cursor') ? data.slice(1) : data)),
  },
  {
    name: 'the last record of each page that has a next one is lost',
    guarantee: 'crawls-agree',
    change: () => changeData((data, _, { meta }) => (meta.cursor === null ? data : data.slice(0, -1))),
  },
  {
    name: 'the rest of a tie is lost after a page that ends within it',
    guarantee: 'ties',
    change: () => afterTie((data, tied) => data.filter((record) => record['updatedAt'] !== tied)),
  },
  {
    name: 'the last record of a page comes again on the next one',
    guarantee: 'no-repeats',
    change: () => withPrevious((data, last) => [last, ...data]),
  },
  {
    name: 'a record comes twice on a page',
    guarantee: 'no-repeats',
    change: () =>
      changeData((data) => data.flatMap((record, at) => (at === 1 ? [record, record] : [record]))),
  },
  {
    name: 'two records of a page are swapped',
    guarantee: 'order',
    change: () => changeData((data) => swapped(data, (one, next) => one['updatedAt'] !== next['updatedAt'])),
  },
  {
    name: 'two records of a tie are swapped on long pages',
    guarantee: 'ties',
    change: () =>
      changeData((data) =>
        data.length < 10 ? data : swapped(data, (one, next) => one['updatedAt'] === next['updatedAt']),
      ),
  },
  {
    name: 'the newest come first',
    guarantee: 'order',
    change: () => changeData((data) => data.toReversed()),
  },
  {
    name: 'the second page has no cursor, although more follow',
    guarantee: 'crawls-agree',
    change: () =>
      changePages((page, { query }) =>
        query.has('cursor') ? { ...page, meta: { ...page.meta, cursor: null } } : page,
      ),
  },
  {
    name: 'the last page leads back to the second',
    guarantee: 'last-page',
    change: endless,
  },
  {
    name: 'each page leads to itself',
    guarantee: 'no-repeats',
    change: () =>
      changePages((page, { query }) => ({
        ...page,
        meta: { ...page.meta, cursor: query.get('cursor') ?? page.meta.cursor },
      })),
  },
  {
    name: 'the limit is ignored',
    guarantee: 'page-size',
    change: () => changeQuery(() => ({ limit: undefined })),
  },
  {
    name: 'a page has one record more than the limit',
    guarantee: 'page-size',
    change: () =>
      changeQuery((query) => {
        const limit = Number(query.get('limit') ?? 25)
        return limit < 100 ? { limit: String(limit + 1) } : {}
      }),
  },
  {
    name: 'a page has ten records where no limit is given',
    guarantee: 'page-size',
    change: () => changeQuery((query) => (query.has('limit') ? {} : { limit: '10' })),
  },
  {
    name: 'a next page without a limit has three records',
    guarantee: 'page-size',
    change: () => changeQuery((query) => (query.has('cursor') && !query.has('limit') ? { limit: '3' } : {})),
  },
  {
    name: 'nextUpdatedSince is in the future',
    guarantee: 'next-updated-since',
    change: () => changeInstant(() => new Date(Date.now() + 3_600_000).toISOString()),
  },
  {
    name: 'nextUpdatedSince is the last updatedAt of the page',
    guarantee: 'next-updated-since',
    change: () =>
      changeInstant(({ data, meta }) => {
        const last = data.at(-1)?.['updatedAt']
        return typeof last === 'string' ? last : meta.nextUpdatedSince
      }),
  },
  {
    name: 'nextUpdatedSince begins anew with each page',
    guarantee: 'next-updated-since',
    change: () => {
      let pages = 0
      return changeInstant(({ meta }) => {
        pages += 1
        return new Date(Date.parse(meta.nextUpdatedSince) + pages).toISOString()
      })
    },
  },
  {
    name: 'nextUpdatedSince is missing',
    guarantee: 'lists',
    change: () => changePages(({ data, meta: { cursor } }) => ({ data, meta: { cursor } as Page['meta'] })),
  },
  {
    name: 'the Link header leads to another page',
    guarantee: 'next-link',
    change: () => changeLink((link) => link.replace(/cursor=[^&>]+/, 'limit=1')),
  },
  {
    name: 'the Link header leads to the other collection',
    guarantee: 'next-link',
    change: () =>
      changeLink((link) =>
        link.includes(`${base}/invoices`)
          ? link.replace('/invoices', '/registrations')
          : link.replace('/registrations', '/invoices'),
      ),
  },
  {
    name: 'the Link header is missing',
    guarantee: 'next-link',
    change: () =>
      changeHeaders(
        () => true,
        () => ({ link: undefined }),
      ),
  },
  {
    name: 'the last page has a Link header',
    guarantee: 'next-link',
    change: () =>
      changeHeaders(
        ({ status, headers }, asked) =>
          status === 200 && readWanted(asked).kind === 'list' && headers['link'] === undefined,
        (_, { target }) => ({ link: `<${target}>; rel="next"` }),
      ),
  },
]

function without(data: readonly Fields[], at: number): readonly Fields[] {
  return data.filter((_, index) => index !== at)
}

/** Swaps the first two neighbours that this holds for. */
function swapped(
  data: readonly Fields[],
  isMeant: (one: Fields, next: Fields) => boolean,
): readonly Fields[] {
  const at = data.findIndex((one, index) => index + 1 < data.length && isMeant(one, data[index + 1]!))
  if (at === -1) return data
  return [...data.slice(0, at), data[at + 1]!, data[at]!, ...data.slice(at + 2)]
}

/** Changes the records of a page that follows one of the pages before, by the last record of that one. */
function withPrevious(toData: (data: readonly Fields[], last: Fields) => readonly Fields[]): Change {
  const lastByCursor = new Map<string, Fields>()
  return changePages((page, { query }) => {
    const last = lastByCursor.get(query.get('cursor') ?? '')
    if (page.meta.cursor !== null && page.data.length > 0)
      lastByCursor.set(page.meta.cursor, page.data.at(-1)!)
    return last === undefined ? page : { ...page, data: toData(page.data, last) }
  })
}

function afterTie(toData: (data: readonly Fields[], tied: unknown) => readonly Fields[]): Change {
  return withPrevious((data, last) => toData(data, last['updatedAt']))
}

/** The last page of a crawl leads to the page after its first one. */
function endless(): Change {
  const first = new Map<string, string>()
  return changePages((page, { collection, query }) => {
    const { cursor } = page.meta
    if (!query.has('cursor') && cursor !== null) first.set(collection, cursor)
    if (cursor !== null || !query.has('cursor')) return page
    return { ...page, meta: { ...page.meta, cursor: first.get(collection) ?? null } }
  })
}

function changeInstant(toInstant: (page: Page) => string): Change {
  return changePages((page) => ({ ...page, meta: { ...page.meta, nextUpdatedSince: toInstant(page) } }))
}

function changeLink(toLink: (link: string) => string): Change {
  return changeHeaders(
    ({ headers }) => headers['link'] !== undefined,
    ({ link }) => ({ link: toLink(String(link)) }),
  )
}
