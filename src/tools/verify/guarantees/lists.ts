import { readQuery, toObject } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { askPage, compareLists, readPage, readUpdatedAt, toPlace } from '../pages.js'
import type { Page } from '../pages.js'
import { byRules, collectionNames, findSample, forEachPlace, guarantee, noCursor, watching } from '../run.js'
import type { Check, Place, Run } from '../run.js'
import type { Rule } from '../verdict.js'

/** A page of the run, as a link of its crawl. */
export interface LinkedPage extends Page {
  /** The page whose cursor led to it. */
  readonly before: LinkedPage | undefined
  /** Its records with their times. */
  readonly places: readonly string[]
}

/** Every page of the run, in order, of whichever key. */
export function listPages({ exchanges }: Pick<Run, 'exchanges'>): readonly LinkedPage[] {
  const pageOfCursor = new Map<string | null, LinkedPage>()
  return exchanges.flatMap((exchange) => {
    const isList = collectionNames.some((name) => exchange.call.path === `/${name}`)
    const page = isList ? readPage(exchange) : undefined
    if (page === undefined) return []
    const before = pageOfCursor.get(readQuery(exchange).get('cursor') ?? '')
    const linked = { ...page, before, places: page.records.map(toPlace) }
    pageOfCursor.set(page.cursor, linked)
    return [linked]
  })
}

const checkLists: Check = async (run) => {
  for (const collection of run.collections) {
    const { key } = collection.access
    if (key === 'broken') await askPage(run, collection.first.call)
    if (key === 'readable') await findSample(run, collection)
  }
  for (const { exchange } of listPages(run)) {
    const { meta } = toObject(exchange.json)
    const { epoch = 0 } = toObject(meta)
    const names = [exchange.json, meta].map((one) => Object.keys(toObject(one)).join()).join(' ')
    const isEpoch = Number.isInteger(epoch) && Number(epoch) >= 0
    run.verdict.expectAll(exchange, [
      // A later release can add to meta.
      [/^data,meta cursor,nextUpdatedSince(?:,|$)/.test(names), names, 'data,meta cursor,nextUpdatedSince'],
      [isEpoch, `epoch ${JSON.stringify(epoch)}`, 'an integer that is not negative'],
    ])
  }
}

/** Within a page, and from a page to the one that its cursor leads to. */
function listOrderRules({ records, before }: LinkedPage): readonly Rule[] {
  const sequence = [...(before?.records.slice(-1) ?? []), ...records]
  const at = sequence.findIndex((one, index) => readUpdatedAt(one) < readUpdatedAt(sequence[index - 1]))
  const got = `${toPlace(sequence[at])} after ${toPlace(sequence[at - 1])}`
  return [[at === -1, got, 'updatedAt that never goes back']]
}

/** A record can come again in a crawl only if it has changed, which moves it towards the end. */
function listRepeatRules({ places, before }: LinkedPage): readonly Rule[] {
  const known = new Set<string>()
  for (let page = before; page !== undefined; page = page.before)
    for (const one of page.places) known.add(one)
  const repeated = places.find((place, at) => places.indexOf(place) < at || known.has(place))
  return [
    [repeated === undefined, `the record ${repeated ?? ''} a second time`, 'each record once in a crawl'],
  ]
}

const readLimit = (exchange: Exchange): number => Number(readQuery(exchange).get('limit') ?? 25)

function listSizeRules({ exchange, records }: LinkedPage): readonly Rule[] {
  const limit = readLimit(exchange)
  return [[records.length <= limit, `${records.length} records`, `at most ${limit}`]]
}

/** Where the Link header leads to as the next page. */
function readNext({ headers, url }: Exchange): URL | undefined {
  const [, next] = /<([^>]*)>[^<]*?;\s*rel="?next"?(?:[\s;,]|$)/.exec(headers['link'] ?? '') ?? []
  return next === undefined ? undefined : new URL(next, url)
}

/** On every page with a cursor, and on no other; it has the same cursor and limit. */
function listLinkRules({ exchange, cursor }: LinkedPage): readonly Rule[] {
  const next = readNext(exchange)
  const limit = readLimit(exchange)
  const query = next?.searchParams
  const isSame = `${query?.get('cursor')} ${query?.get('limit')}` === `${cursor} ${limit}`
  const expected = cursor === null ? 'no next page' : `rel="next" with the cursor and limit=${limit}`
  const got = `Link: ${exchange.headers['link'] ?? '(none)'}`
  return [[cursor === null ? next === undefined : isSame, got, expected]]
}

/** The page that a Link leads to is the one of the cursor. */
async function followLink(place: Place): Promise<string | undefined> {
  const { path, verdict } = place
  const { exchange, cursor } = await askPage(place, { path, query: { limit: 1 } })
  const next = readNext(exchange)
  if (cursor === null || next === undefined) return noCursor
  const own = new URL(exchange.url)
  // The key is sent to no other address than the one that was given.
  if (next.origin !== own.origin) return `Link leads to ${next.origin}, as PUBLIC_URL has it: not followed`
  const expected = `${own.pathname}; PUBLIC_URL needs the prefix of a proxy`
  if (verdict.expect(next.pathname === own.pathname, exchange, `Link to ${next.pathname}`, expected))
    await compareLists(place, { path, query: { cursor, limit: 1 } }, { path, query: next.search.slice(1) })
  return undefined
}

/** Pages: their form, order, size and links. */
export const listGuarantees = [
  guarantee('lists', 'Lists answer with data and meta', checkLists),
  watching('order', 'Lists are in the order of updatedAt', byRules(listPages, listOrderRules)),
  watching('no-repeats', 'A crawl returns each record once', byRules(listPages, listRepeatRules)),
  watching('page-size', 'A page has at most limit records, 25 by default', byRules(listPages, listSizeRules)),
  watching(
    'next-link',
    'Link leads to the next page',
    byRules(listPages, listLinkRules),
    forEachPlace(followLink),
  ),
]
