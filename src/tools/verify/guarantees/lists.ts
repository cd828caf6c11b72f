import { basePath } from '../caller.js'
import { describe, readLink, readQuery, toObject } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { askPage, compareLists, NoPageError, readPage, readUpdatedAt, toPlace } from '../pages.js'
import type { Page } from '../pages.js'
import { byRules, collectionNames, forEachPlace, inTurn, LackError, requireCursor } from '../run.js'
import type { Check, Checks, Rule, Run } from '../run.js'

const pageForm = '200 with { "data": […], "meta": { "cursor", "nextUpdatedSince" } }'

/** Lists answer with a page: data, and meta with cursor and nextUpdatedSince; a later release can add to meta. */
const checkLists: Check = async (run) => {
  const { verdict } = run
  for (const collection of run.collections) {
    const { first, access, name } = collection
    if (access.key === 'absent' || access.key === 'forbidden') continue
    try {
      await run.findSample(collection)
      verdict.expect(access.key === 'readable', first, describeList(first), pageForm)
    } catch (error) {
      if (!(error instanceof NoPageError)) throw error
      verdict.expect(false, error.exchange, `${name}: ${describeList(error.exchange)}`, pageForm)
    }
  }
  for (const { exchange } of listPages(run)) verdict.expectAll(exchange, listMemberRules(exchange))
}

function listMemberRules({ json }: Exchange): readonly Rule[] {
  const { meta } = toObject(json)
  const { epoch = 0 } = toObject(meta)
  const names = [json, meta].map((one) => Object.keys(toObject(one)).join()).join(' ')
  const isEpoch = Number.isInteger(epoch) && Number(epoch) >= 0
  return [
    [/^data,meta cursor,nextUpdatedSince(?:,|$)/.test(names), `the members ${names}`, pageForm],
    [isEpoch, `epoch ${JSON.stringify(epoch)}`, 'an integer that is not negative'],
  ]
}

function describeList(exchange: Exchange): string {
  if (exchange.status !== 200) return describe(exchange)
  return exchange.json === undefined ? '200 without JSON' : '200 with JSON that is no page'
}

/** Within a page, and from a page to the one that its cursor leads to. */
function listOrderRules({ records, before }: LinkedPage): readonly Rule[] {
  const sequence = [...(before?.records.slice(-1) ?? []), ...records]
  const at = sequence.findIndex((one, index) => readUpdatedAt(one) < readUpdatedAt(sequence[index - 1]))
  const got = `${toPlace(sequence[at])} after ${toPlace(sequence[at - 1])}`
  return [[at === -1, got, 'updatedAt that never goes back']]
}

/**
 * Within a page, and on the pages that its cursor leads to. A record can come again only if it has changed, which moves
 * it towards the end.
 */
function listRepeatRules({ places, before }: LinkedPage): readonly Rule[] {
  const repeated = places.find((place, at) => places.indexOf(place) < at || hasPlace(before, place))
  return [
    [repeated === undefined, `the record ${repeated ?? ''} a second time`, 'each record once in a crawl'],
  ]
}

function hasPlace(last: LinkedPage | undefined, place: string): boolean {
  for (let page = last; page !== undefined; page = page.before) if (page.known.has(place)) return true
  return false
}

const pageSizeDefault = 25

/** Without limit as with the default limit, on a first page and on a next one. */
const checkDefault = forEachPlace(async ({ path, records, caller, verdict }) => {
  if (records.length <= pageSizeDefault) throw new LackError('too few records to see the default limit')
  const cursor = requireCursor(await askPage(caller, { path, query: { limit: 1 } }))
  for (const query of [{}, { cursor }]) {
    const limited = { path, query: { ...query, limit: pageSizeDefault } }
    verdict.add(await compareLists(caller, limited, { path, query }))
  }
})

function listSizeRules({ exchange, records }: LinkedPage): readonly Rule[] {
  const limit = readLimit(exchange)
  return [[records.length <= limit, `${records.length} records`, `at most ${limit}`]]
}

/** On every page with a cursor, and on no other; it has the same cursor and limit. */
function listLinkRules({ exchange, cursor }: LinkedPage): readonly Rule[] {
  const got = `Link: ${exchange.headers['link'] ?? '(none)'}`
  const next = readLink(exchange, 'next')
  if (cursor === null) return [[next === undefined, got, 'no next page: cursor is null']]
  const query = next === undefined ? undefined : new URL(next, exchange.url).searchParams
  const limit = readLimit(exchange)
  const isSame = query?.get('cursor') === cursor && Number(query.get('limit')) === limit
  const address = `${basePath}${exchange.call.path}?cursor=(meta.cursor)&limit=${limit}`
  return [[isSame, got, `Link: <…${address}>; rel="next"`]]
}

/** The page that a Link leads to is the one of the cursor. */
const followLinks = forEachPlace(async ({ path, caller, verdict }) => {
  const first = await askPage(caller, { path, query: { limit: 1 } })
  const { exchange } = first
  const cursor = requireCursor(first)
  const { origin, pathname, search } = new URL(readLink(exchange, 'next') ?? '', exchange.url)
  const own = new URL(exchange.url)
  // The key is sent to no other address than the one that was given.
  if (origin !== own.origin)
    throw new LackError(`Link leads to ${origin}, as PUBLIC_URL has it, and was not followed`)
  const expected = `${own.pathname}; PUBLIC_URL needs the prefix of a proxy`
  if (!verdict.expect(pathname === own.pathname, exchange, `Link to ${pathname}`, expected)) return
  const next = { path, query: { cursor, limit: 1 } }
  verdict.add(await compareLists(caller, next, { path, query: search.slice(1) }))
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

function readLimit(exchange: Exchange): number {
  return Number(readQuery(exchange).get('limit') ?? pageSizeDefault)
}

/** Pages: their form, order, size and links. */
export const listChecks: Checks = {
  lists: checkLists,
  order: byRules(listPages, listOrderRules),
  'no-repeats': byRules(listPages, listRepeatRules),
  'page-size': inTurn(checkDefault, byRules(listPages, listSizeRules)),
  'next-link': inTurn(byRules(listPages, listLinkRules), followLinks),
}
