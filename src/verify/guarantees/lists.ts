import { describe, toObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { askPage, listIds, NoPageError, readId, readPage, readUpdatedAt } from '../pages.js'
import type { Page } from '../pages.js'
import { compareLists } from '../compare.js'
import { collectionNames, forEachSample } from '../run.js'
import type { Check, Run, SampleCheck } from '../run.js'
import { basePath } from '../caller.js'

/** Lists answer with a page: data, and meta with cursor and nextUpdatedSince. */
export const checkLists: Check = async (run, verdict) => {
  for (const collection of run.collections) {
    const { first, access, name } = collection
    if (access === 'absent' || access === 'forbidden') continue
    const expected = '200 with { "data": […], "meta": { "cursor", "nextUpdatedSince" } }'
    try {
      await run.findSample(collection)
      verdict.expect(access === 'readable', { exchange: first, got: describeList(first), expected })
    } catch (error) {
      if (!(error instanceof NoPageError)) throw error
      const { exchange } = error
      verdict.expect(false, { exchange, got: `${name}: ${describeList(exchange)}`, expected })
    }
  }
  for (const { exchange } of listPages(run)) {
    const names = [exchange.json, toObject(exchange.json)['meta']].map((one) =>
      Object.keys(toObject(one)).join(),
    )
    verdict.expect(names.join(' ') === 'data,meta cursor,nextUpdatedSince', {
      exchange,
      got: `the members ${names.join(' and ')}`,
      expected: 'data and meta, and in meta cursor and nextUpdatedSince',
    })
  }
}

/** Within a page, and from a page to the one that its cursor leads to. */
export const checkOrder: Check = (run, verdict) => {
  const lastOfCursor = new Map<string, Json>()
  for (const { exchange, records, cursor } of listPages(run)) {
    const before = lastOfCursor.get(readQuery(exchange).get('cursor') ?? '')
    const sequence = before === undefined ? records : [before, ...records]
    const at = sequence.findIndex(
      (one, index) => index > 0 && readUpdatedAt(sequence[index - 1]) > readUpdatedAt(one),
    )
    verdict.expect(at === -1, {
      exchange,
      got: `${toPlace(sequence[at])} after ${toPlace(sequence[at - 1])}`,
      expected: 'updatedAt that never goes back',
    })
    const last = records.at(-1)
    if (cursor !== null && last !== undefined) lastOfCursor.set(cursor, last)
  }
}

/**
 * Within a page, and on the pages that its cursor leads to. A record can come again only if it has changed, which moves
 * it towards the end.
 */
export const checkNoRepeats: Check = (run, verdict) => {
  const seenBefore = new Map<string, ReadonlyMap<string, string>>()
  for (const { exchange, records, cursor } of listPages(run)) {
    const seen = new Map(seenBefore.get(readQuery(exchange).get('cursor') ?? ''))
    for (const record of records) {
      const id = readId(record)
      verdict.expect(seen.get(id) !== readUpdatedAt(record), {
        exchange,
        got: `the record ${toPlace(record)} a second time`,
        expected: 'each record once in a crawl',
      })
      seen.set(id, readUpdatedAt(record))
    }
    if (cursor !== null) seenBefore.set(cursor, seen)
  }
}

const pageSizeDefault = 25

/** Of every list answer, whatever its limit was. */
export const checkPageSize: Check = async (run, verdict) => {
  await forEachSample(expectDefault)(run, verdict)
  for (const { exchange, records } of listPages(run)) {
    const limit = Number(readQuery(exchange).get('limit') ?? pageSizeDefault)
    verdict.expect(records.length <= limit, {
      exchange,
      got: `${records.length} records`,
      expected: `at most ${limit}`,
    })
  }
}

/** Without limit as with the default limit, on a first page and on a next one. */
const expectDefault: SampleCheck = async ({ collection: { path, name }, records }, { caller }, verdict) => {
  if (records.length <= pageSizeDefault) {
    verdict.skip(`${name}: too few records to see the default limit`)
    return
  }
  const { cursor } = await askPage(caller, { path, query: { limit: 1 } })
  for (const query of [{}, cursor === null ? {} : { cursor }]) {
    const limited = { path, query: { ...query, limit: pageSizeDefault } }
    const difference = await compareLists(caller, limited, { path, query })
    if (difference === undefined || difference === 'unsteady') continue
    const [got, expected] = [difference.other, difference.one].map((page) => `${page.records.length} records`)
    verdict.expect(false, {
      exchange: difference.other.exchange,
      got: got ?? '',
      expected: `${expected ?? ''}, as with limit=${pageSizeDefault}`,
    })
  }
}

/** On every page with a cursor, and on no other; it has the same cursor and limit. */
export const checkNextLink: Check = async (run, verdict) => {
  for (const page of listPages(run)) {
    const { exchange, cursor } = page
    const { link } = exchange.headers
    const next = link === undefined ? undefined : readNext(link)
    if (cursor === null) {
      verdict.expect(next === undefined, {
        exchange,
        got: `Link: ${link ?? ''}`,
        expected: 'no next page: cursor is null',
      })
      continue
    }
    const query = next === undefined ? undefined : new URL(next, exchange.url).searchParams
    const isSame = query?.get('cursor') === cursor && Number(query.get('limit')) === readLimit(exchange)
    const expected = `Link: <…${basePath}${exchange.call.path}?cursor=(meta.cursor)&limit=${readLimit(exchange)}>; rel="next"`
    verdict.expect(isSame, { exchange, got: `Link: ${link ?? '(none)'}`, expected })
  }
  await followLinks(run, verdict)
}

const followLinks = forEachSample(async ({ collection }, { caller }, verdict) => {
  const first = await askPage(caller, { path: collection.path, query: { limit: 1 } })
  const next = readNext(first.exchange.headers['link'] ?? '')
  if (first.cursor === null || next === undefined) {
    verdict.skip(`${collection.name}: too few records for a next page`)
    return
  }
  const { origin, pathname, search } = new URL(next, first.exchange.url)
  const own = new URL(first.exchange.url)
  if (origin !== own.origin) {
    // The key is sent to no other address than the one that was given.
    verdict.skip(`${collection.name}: Link leads to ${origin}, as PUBLIC_URL has it, and was not followed`)
    return
  }
  if (
    !verdict.expect(pathname === own.pathname, {
      exchange: first.exchange,
      got: `Link to ${pathname}`,
      expected: `${own.pathname}; PUBLIC_URL needs the prefix of a proxy`,
    })
  )
    return
  const exchange = await caller.ask({ path: collection.path, query: search.slice(1) })
  const page = readPage(exchange)
  const isNext =
    page !== undefined &&
    readUpdatedAt(page.records[0] ?? first.records.at(-1)) >= readUpdatedAt(first.records.at(-1))
  verdict.expect(isNext, {
    exchange,
    got: page === undefined ? describe(exchange) : `records from ${listIds(page.records.slice(0, 1))}`,
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

/** The parameters of a request. */
export function readQuery({ url }: Pick<Exchange, 'url'>): URLSearchParams {
  return new URL(url).searchParams
}

function readLimit(exchange: Exchange): number {
  return Number(readQuery(exchange).get('limit') ?? pageSizeDefault)
}

function readNext(link: string): string | undefined {
  return /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link)?.[1]
}

function describeList(exchange: Exchange): string {
  if (exchange.status !== 200) return describe(exchange)
  return exchange.json === undefined ? '200 without JSON' : '200 with JSON that is no page'
}
