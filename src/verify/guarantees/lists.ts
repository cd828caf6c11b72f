import { basePath } from '../caller.js'
import { compareLists } from '../compare.js'
import { describe, readQuery, toObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { askPage, NoPageError, readId, readPage, readUpdatedAt } from '../pages.js'
import type { Page } from '../pages.js'
import {
  collectionNames,
  defineGuarantee,
  defineLast,
  forEachSample,
  LackError,
  requireCursor,
} from '../run.js'
import type { Check, Guarantee, Run } from '../run.js'

/** Lists answer with a page: data, and meta with cursor and nextUpdatedSince. */
const checkLists: Check = async (run, verdict) => {
  const expected = '200 with { "data": […], "meta": { "cursor", "nextUpdatedSince" } }'
  for (const collection of run.collections) {
    const { first, access, name } = collection
    if (access.key === 'absent' || access.key === 'forbidden') continue
    try {
      await run.findSample(collection)
      const isReadable = access.key === 'readable'
      verdict.expect(isReadable, { exchange: first, got: describeList(first), expected })
    } catch (error) {
      if (!(error instanceof NoPageError)) throw error
      const { exchange } = error
      verdict.add({ exchange, got: `${name}: ${describeList(exchange)}`, expected })
    }
  }
  for (const { exchange } of listPages(run)) {
    const { meta } = toObject(exchange.json)
    const names = [exchange.json, meta].map((one) => Object.keys(toObject(one)).join()).join(' ')
    const got = `the members ${names}`
    const isExact = names === 'data,meta cursor,nextUpdatedSince'
    verdict.expect(isExact, { exchange, got, expected: 'data,meta cursor,nextUpdatedSince' })
  }
}

function describeList(exchange: Exchange): string {
  if (exchange.status !== 200) return describe(exchange)
  return exchange.json === undefined ? '200 without JSON' : '200 with JSON that is no page'
}

/** Within a page, and from a page to the one that its cursor leads to. */
const checkOrder: Check = (run, verdict) => {
  const expected = 'updatedAt that never goes back'
  for (const { exchange, records, before } of listPages(run)) {
    const sequence = [...(before?.records.slice(-1) ?? []), ...records]
    const at = sequence.findIndex((one, index) => readUpdatedAt(one) < readUpdatedAt(sequence[index - 1]))
    const got = `${toPlace(sequence[at])} after ${toPlace(sequence[at - 1])}`
    verdict.expect(at === -1, { exchange, got, expected })
  }
}

/**
 * Within a page, and on the pages that its cursor leads to. A record can come again only if it has changed, which moves
 * it towards the end.
 */
const checkNoRepeats: Check = (run, verdict) => {
  for (const { exchange, places, before } of listPages(run))
    for (const [at, place] of places.entries()) {
      const isRepeated = places.indexOf(place) < at || hasPlace(before, place)
      const got = `the record ${place} a second time`
      verdict.expect(!isRepeated, { exchange, got, expected: 'each record once in a crawl' })
    }
}

function hasPlace(last: LinkedPage | undefined, place: string): boolean {
  for (let page = last; page !== undefined; page = page.before) if (page.known.has(place)) return true
  return false
}

const pageSizeDefault = 25

/** Of every list answer, whatever its limit was. */
const checkPageSize: Check = async (run, verdict) => {
  await expectDefault(run, verdict)
  for (const { exchange, records } of listPages(run)) {
    const limit = readLimit(exchange)
    const got = `${records.length} records`
    verdict.expect(records.length <= limit, { exchange, got, expected: `at most ${limit}` })
  }
}

/** Without limit as with the default limit, on a first page and on a next one. */
const expectDefault = forEachSample(async ({ collection: { path }, records }, { caller }, verdict) => {
  if (records.length <= pageSizeDefault) throw new LackError('too few records to see the default limit')
  const cursor = requireCursor(await askPage(caller, { path, query: { limit: 1 } }))
  for (const query of [{}, { cursor }]) {
    const limited = { path, query: { ...query, limit: pageSizeDefault } }
    verdict.add(await compareLists(caller, limited, { path, query }))
  }
})

/** On every page with a cursor, and on no other; it has the same cursor and limit. */
const checkNextLink: Check = async (run, verdict) => {
  for (const { exchange, cursor } of listPages(run)) {
    const { link } = exchange.headers
    const got = `Link: ${link ?? '(none)'}`
    const next = readNext(link)
    const query = next === undefined ? undefined : new URL(next, exchange.url).searchParams
    const limit = readLimit(exchange)
    const isSame = query?.get('cursor') === cursor && Number(query.get('limit')) === limit
    const expected = `Link: <…${basePath}${exchange.call.path}?cursor=(meta.cursor)&limit=${limit}>; rel="next"`
    if (cursor !== null) verdict.expect(isSame, { exchange, got, expected })
    else verdict.expect(next === undefined, { exchange, got, expected: 'no next page: cursor is null' })
  }
  await followLinks(run, verdict)
}

/** The page that a Link leads to is the one of the cursor. */
const followLinks = forEachSample(async ({ collection: { path } }, { caller }, verdict) => {
  const first = await askPage(caller, { path, query: { limit: 1 } })
  const { exchange } = first
  const cursor = requireCursor(first)
  const { origin, pathname, search } = new URL(readNext(exchange.headers['link']) ?? '', exchange.url)
  const own = new URL(exchange.url)
  // The key is sent to no other address than the one that was given.
  if (origin !== own.origin)
    throw new LackError(`Link leads to ${origin}, as PUBLIC_URL has it, and was not followed`)
  const expected = `${own.pathname}; PUBLIC_URL needs the prefix of a proxy`
  if (verdict.expect(pathname === own.pathname, { exchange, got: `Link to ${pathname}`, expected })) {
    const next = { path, query: { cursor, limit: 1 } }
    verdict.add(await compareLists(caller, next, { path, query: search.slice(1) }))
  }
})

/** A page of the run, as a link of its crawl. */
export interface LinkedPage extends Page {
  /** The page whose cursor led to it. */
  readonly before: LinkedPage | undefined
  /** Its records with their times. */
  readonly places: readonly string[]
  readonly known: ReadonlySet<string>
}

/** Every page of the run, in order, of whichever key. */
export function listPages({ caller }: Pick<Run, 'caller'>): readonly LinkedPage[] {
  const pageOfCursor = new Map<string | null, LinkedPage>()
  return caller.exchanges.flatMap((exchange) => {
    const isList = collectionNames.some((name) => exchange.call.path === `/${name}`)
    const page = isList ? readPage(exchange) : undefined
    if (page === undefined) return []
    const before = pageOfCursor.get(readQuery(exchange).get('cursor') ?? '')
    const places = page.records.map(toPlace)
    const linked = { ...page, before, places, known: new Set(places) }
    pageOfCursor.set(page.cursor, linked)
    return [linked]
  })
}

/** Id and time of a record, for a finding. */
export function toPlace(record: Json | undefined): string {
  return `${JSON.stringify(readId(record))} (${readUpdatedAt(record)})`
}

function readLimit(exchange: Exchange): number {
  return Number(readQuery(exchange).get('limit') ?? pageSizeDefault)
}

function readNext(link = ''): string | undefined {
  return /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link)?.[1]
}

/** Pages: their form, order, size and links. */
export const listGuarantees: readonly Guarantee[] = [
  defineGuarantee('lists', 'Lists answer with data and meta', checkLists),
  defineLast('order', 'Lists are in the order of updatedAt', checkOrder),
  defineLast('no-repeats', 'A crawl returns each record once', checkNoRepeats),
  defineLast('page-size', 'A page has at most limit records, 25 by default', checkPageSize),
  defineLast('next-link', 'The Link header leads to the next page', checkNextLink),
]
