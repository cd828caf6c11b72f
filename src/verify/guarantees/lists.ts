import { basePath } from '../caller.js'
import { compareLists } from '../compare.js'
import { describe, readQuery, toObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { askPage, listIds, NoPageError, readId, readPage, readUpdatedAt } from '../pages.js'
import type { Page } from '../pages.js'
import { collectionNames, defineGuarantee, defineLast, forEachSample } from '../run.js'
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
  const lastOfCursor = new Map<string, Json>()
  for (const { exchange, records, cursor } of listPages(run)) {
    const before = lastOfCursor.get(readQuery(exchange).get('cursor') ?? '')
    const sequence = before === undefined ? records : [before, ...records]
    const at = sequence.findIndex(
      (one, index) => index > 0 && readUpdatedAt(sequence[index - 1]) > readUpdatedAt(one),
    )
    const got = `${toPlace(sequence[at])} after ${toPlace(sequence[at - 1])}`
    verdict.expect(at === -1, { exchange, got, expected })
    const last = records.at(-1)
    if (cursor !== null && last !== undefined) lastOfCursor.set(cursor, last)
  }
}

/** A page as a link of its crawl. */
interface Link {
  readonly times: ReadonlyMap<string, string>
  readonly before: Link | undefined
}

/**
 * Within a page, and on the pages that its cursor leads to. A record can come again only if it has changed, which moves
 * it towards the end.
 */
const checkNoRepeats: Check = (run, verdict) => {
  const linkOfCursor = new Map<string, Link>()
  for (const { exchange, records, cursor } of listPages(run)) {
    const times = new Map<string, string>()
    const link = { times, before: linkOfCursor.get(readQuery(exchange).get('cursor') ?? '') }
    for (const record of records) {
      const got = `the record ${toPlace(record)} a second time`
      verdict.expect(!hasRecord(link, record), { exchange, got, expected: 'each record once in a crawl' })
      times.set(readId(record), readUpdatedAt(record))
    }
    if (cursor !== null) linkOfCursor.set(cursor, link)
  }
}

function hasRecord(last: Link, record: Json): boolean {
  const [id, time] = [readId(record), readUpdatedAt(record)]
  for (let link: Link | undefined = last; link !== undefined; link = link.before)
    if (link.times.get(id) === time) return true
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
const expectDefault = forEachSample(async ({ collection: { path, name }, records }, { caller }, verdict) => {
  if (records.length <= pageSizeDefault) {
    verdict.skip(`${name}: too few records to see the default limit`)
    return
  }
  const { cursor } = await askPage(caller, { path, query: { limit: 1 } })
  for (const query of [{}, cursor === null ? {} : { cursor }]) {
    const limited = { path, query: { ...query, limit: pageSizeDefault } }
    verdict.add(
      await compareLists(caller, limited, { path, query }, (one, other) => ({
        exchange: other.exchange,
        got: `${other.records.length} records`,
        expected: `${one.records.length} records, as with limit=${pageSizeDefault}`,
      })),
    )
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

const followLinks = forEachSample(async ({ collection: { path, name } }, { caller }, verdict) => {
  const first = await askPage(caller, { path, query: { limit: 1 } })
  const { exchange, records } = first
  const next = readNext(exchange.headers['link'])
  if (first.cursor === null || next === undefined) {
    verdict.skip(`${name}: too few records for a next page`)
    return
  }
  const { origin, pathname, search } = new URL(next, exchange.url)
  const own = new URL(exchange.url)
  if (origin !== own.origin) {
    // The key is sent to no other address than the one that was given.
    verdict.skip(`${name}: Link leads to ${origin}, as PUBLIC_URL has it, and was not followed`)
    return
  }
  const expected = `${own.pathname}; PUBLIC_URL needs the prefix of a proxy`
  if (!verdict.expect(pathname === own.pathname, { exchange, got: `Link to ${pathname}`, expected })) return
  const followed = await caller.ask({ path, query: search.slice(1) })
  const page = readPage(followed)
  const last = readUpdatedAt(records.at(-1))
  const isNext = page !== undefined && readUpdatedAt(page.records[0] ?? records.at(-1)) >= last
  verdict.expect(isNext, {
    exchange: followed,
    got: page === undefined ? describe(followed) : `records from ${listIds(page.records.slice(0, 1))}`,
    expected: 'the page after the one with this Link',
  })
})

/** Every page of the run, in order, of whichever key. */
export function listPages({ caller }: Pick<Run, 'caller'>): readonly Page[] {
  const paths = new Set<string>(collectionNames.map((name) => `/${name}`))
  return caller.exchanges.flatMap((exchange) => {
    const page = paths.has(exchange.call.path) ? readPage(exchange) : undefined
    return page === undefined ? [] : [page]
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
