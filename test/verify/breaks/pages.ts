import { data, every, headers, pages, readWanted } from '../change.js'
import type { Change } from '../broken-service.js'
import type { Breaks, Fields, Page } from '../change.js'

const dayMs = 86_400_000
const later = (ms: number): string => new Date(Date.now() + ms).toISOString()

/** Pages that lose, repeat or swap records, or whose cursors lead elsewhere. */
export const pageBreaks: Breaks = {
  'crawls-agree': {
    'a crawl ends after 60 records, although more follow': endAfter(60),
    'the last record of a tie is lost after a page that ends before it': afterLast(
      ([first, ...rest], last) =>
        first?.['updatedAt'] !== last['updatedAt'] || rest[0]?.['updatedAt'] === last['updatedAt']
          ? [...(first === undefined ? [] : [first]), ...rest]
          : rest,
    ),
    'two records of a tie are swapped on long pages': data((all) =>
      all.length < 10 ? all : swapped(all, (one, next) => one['updatedAt'] === next['updatedAt']),
    ),
  },
  'no-repeats': {
    'the last record of a page comes again on the next one': afterLast((all, last) => [last, ...all]),
    'a record comes twice on a page': data((all) =>
      all.flatMap((one, at) => (at === 1 ? [one, one] : [one])),
    ),
  },
  order: {
    'two records of a page are swapped': data((all) =>
      swapped(all, (one, next) => one['updatedAt'] !== next['updatedAt']),
    ),
  },
  'next-updated-since': {
    'nextUpdatedSince is half a minute ahead': nextInstant(() => later(30_000)),
    'nextUpdatedSince is a year old': nextInstant(({ meta }) =>
      new Date(Date.parse(meta.nextUpdatedSince) - 365 * dayMs).toISOString(),
    ),
    'nextUpdatedSince begins anew with each page': nextInstant(createCounter()),
  },
  lists: {
    'nextUpdatedSince is missing': pages(({ data: all, meta: { cursor } }) => ({
      data: all,
      meta: { cursor } as Page['meta'],
    })),
  },
  'next-link': {
    'the Link header leads to another page': links((link) => link.replace(/cursor=[^&>]+/, 'limit=1')),
    'the Link header has another prefix': links((link) => link.replaceAll('/api/', '/shop/api/')),
    'the Link header is missing': headers(every, { link: undefined }),
    'the last page has a Link header': headers(
      ({ status, headers: { link } }, asked) =>
        status === 200 && readWanted(asked).kind === 'list' && link?.includes('rel="next"') !== true,
      ({ link = '' }, { target }) => ({ link: `${link}, <${target}>; rel="next"` }),
    ),
  },
}

/** Swaps the first two neighbors that this holds for. */
function swapped(all: readonly Fields[], isMeant: (one: Fields, next: Fields) => boolean): readonly Fields[] {
  const at = all.findIndex((one, index) => index + 1 < all.length && isMeant(one, all[index + 1]!))
  return at === -1 ? all : all.toSpliced(at, 2, all[at + 1]!, all[at]!)
}

/** Changes the records of a page that follows one of the pages before, by the last record of that one. */
function afterLast(toData: (all: readonly Fields[], last: Fields) => readonly Fields[]): Change {
  const pageOfCursor = new Map<string, Page>()
  return pages((page, query) => {
    const before = pageOfCursor.get(query.get('cursor') ?? '')
    if (page.meta.cursor !== null && page.data.length > 0) pageOfCursor.set(page.meta.cursor, page)
    return before === undefined ? page : { ...page, data: toData(page.data, before.data.at(-1)!) }
  })
}

/** Crawls have no more records than these. */
function endAfter(count: number): Change {
  const depthOf = new Map<string, number>()
  return pages((page, query) => {
    const depth = (depthOf.get(query.get('cursor') ?? '') ?? 0) + page.data.length
    if (page.meta.cursor !== null) depthOf.set(page.meta.cursor, depth)
    return depth < count
      ? page
      : { data: page.data.slice(0, count - depth || undefined), meta: { ...page.meta, cursor: null } }
  })
}

function nextInstant(toInstant: (page: Page) => string): Change {
  return pages((page) => ({ ...page, meta: { ...page.meta, nextUpdatedSince: toInstant(page) } }))
}

/** An instant that is a millisecond later each time: two pages of one millisecond differ too. */
function createCounter(): () => string {
  let ms = Date.now() - 60_000
  return () => {
    ms += 1
    return new Date(ms).toISOString()
  }
}

function links(toLink: (link: string) => string): Change {
  return headers(
    ({ headers: { link } }) => link !== undefined,
    ({ link = '' }) => ({ link: toLink(link) }),
  )
}
