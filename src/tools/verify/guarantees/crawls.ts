import { readId, readPage, readQuery, readUpdatedAt, toObject, toPlace } from '../answer.js'
import type { Exchange, Json, Page } from '../answer.js'
import { collectionNames, forEachSample, guarantee, noCursor } from '../run.js'
import type { Check, Crawl, Rule, Run, Sample } from '../run.js'

/** Page sizes of the second crawl: its pages end where no page of the first one ends. */
const otherLimits = [7, 40, 17, 3, 60, 33, 90]

/** The sample, pages of other sizes, and what follows from its last instant on. */
async function checkCrawlsAgree(run: Run, sample: Sample): Promise<string | undefined> {
  const { path, pages, records, settled, settledBefore } = sample
  if (settled.length < 2) return 'fewer than two records older than nextUpdatedSince'
  const pagesMax = 2 * pages.length + otherLimits.length
  const other = await run.crawl({ path, limits: otherLimits, pagesMax, enough: records.length })
  const query = { updatedSince: readUpdatedAt(settled.at(-1)) }
  const rest = await run.crawl({ path, query, limits: [100], pagesMax: 1 })
  for (const [one, another] of [
    [other, sample],
    [sample, other],
    [sample, rest],
  ] as const) {
    const missing = findLacking(one, another, settledBefore)
    const { exchange } = one.pages[0] ?? sample.first
    const got = `no record ${toPlace(missing)}, as with ${another.pages[0]?.exchange.url ?? ''}`
    run.compare(missing === undefined, exchange, got, 'the same records, whatever the sizes of the pages are')
  }
  return undefined
}

/** A settled record of one crawl that the other one went beyond, and does not have. */
function findLacking({ records, isComplete }: Crawl, other: Crawl, settledBefore: string): Json | undefined {
  const ids = new Set(records.map(readId))
  const end = isComplete ? settledBefore : [readUpdatedAt(records.at(-1)), settledBefore].sort()[0]
  return other.records.find((record) => readUpdatedAt(record) < (end ?? '') && !ids.has(readId(record)))
}

/** The most records of a walk through a tie. */
const walkMax = 6
/** Pages more than records: some are short, where a row cannot be shown, and the record after the tie is one too. */
const extraPages = 4

/** Records of one instant, in pages that end within a tie or that a tie fills, as one page has them. */
async function checkTies(run: Run, sample: Sample): Promise<string | undefined> {
  const tie = findTie(sample)
  if (tie === undefined) return noTie
  const { path } = sample
  const query = { updatedSince: readUpdatedAt(tie[0]) }
  const whole = (await run.askPage({ path, query: { ...query, limit: 100 } })).records.map(readId)
  // Beyond the tie, so that its rest is missed where nothing of it comes.
  const enough = Math.min(tie.length, walkMax) + 1
  let reached = 0
  for (const limit of [1, 2, 3]) {
    const pagesMax = Math.ceil(enough / limit) + extraPages
    const { pages, records, isComplete } = await run.crawl({ path, query, limits: [limit], pagesMax, enough })
    const got = records.map(readId).slice(0, whole.length).join(', ')
    const expected = whole.slice(0, isComplete ? undefined : records.length).join(', ')
    reached += expected.length
    const { exchange } = pages[0] ?? sample.first
    run.compare(got === expected, exchange, `page by page ${got}`, `the records of one page: ${expected}`)
  }
  // A walk that ended among rows that cannot be shown, before the first record, shows nothing.
  return reached === 0 ? 'too many rows that cannot be shown stand before a tie' : undefined
}

/** Why nothing is verified where there is no tie. */
export const noTie = 'no two settled records with the same updatedAt among the first ones'

/** Settled records with the same `updatedAt`: the largest group that a walk can go through, or one that a page holds. */
export function findTie({ settled, records, isComplete }: Sample): readonly Json[] | undefined {
  const groups = new Map<string, Json[]>()
  for (const record of settled) {
    const time = readUpdatedAt(record)
    groups.set(time, [...(groups.get(time) ?? []), record])
  }
  // The last group of an incomplete sample can go on behind it.
  if (!isComplete) groups.delete(readUpdatedAt(records.at(-1)))
  const ties = [...groups.values()].filter(({ length }) => length > 1 && length < 90)
  const toRank = ({ length }: readonly Json[]): number => (length > walkMax ? length : -length)
  return ties.sort((one, other) => toRank(one) - toRank(other))[0]
}

const checkLastPage = forEachSample(async (run, { path }) => {
  const { exchange, cursor } = await run.askPage({ path, query: { updatedSince: '9999-12-31' } })
  run.expect(cursor === null, exchange, 'a cursor', 'cursor: null on a page that no record can follow')
})

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
  for (const { access, firsts } of run.session.collections)
    if (access.key === 'broken') await run.askPage(firsts.key.call)
  for (const collection of run.readable) await run.readSample(collection)
  for (const { exchange } of listPages(run)) {
    const { json } = exchange
    const { meta } = toObject(json)
    const { epoch = 0 } = toObject(meta)
    const names = [json, meta].map((one) => Object.keys(toObject(one)).join()).join(' ')
    const isEpoch = Number.isInteger(epoch) && Number(epoch) >= 0
    run.expectAll(exchange, [
      // A later release can add to meta.
      [/^data,meta cursor,nextUpdatedSince(?:,|$)/.test(names), names, 'data,meta cursor,nextUpdatedSince'],
      [isEpoch, `epoch ${JSON.stringify(epoch)}`, 'an integer that is not negative'],
    ])
  }
}

/** Within a page, and from a page to the one that its cursor leads to. */
function toOrderRule({ records, before }: LinkedPage): Rule {
  const sequence = [...(before?.records.slice(-1) ?? []), ...records]
  const at = sequence.findIndex((one, index) => readUpdatedAt(one) < readUpdatedAt(sequence[index - 1]))
  const got = `${toPlace(sequence[at])} after ${toPlace(sequence[at - 1])}`
  return [at === -1, got, 'updatedAt that never goes back']
}

/** A record can come again in a crawl only if it has changed, which moves it towards the end. */
function toRepeatRule({ places, before }: LinkedPage): Rule {
  const known = new Set<string>()
  for (let page = before; page !== undefined; page = page.before)
    for (const one of page.places) known.add(one)
  const repeated = places.find((place, at) => places.indexOf(place) < at || known.has(place))
  return [repeated === undefined, `the record ${repeated ?? ''} a second time`, 'each record once in a crawl']
}

const readLimit = (exchange: Exchange): number => Number(readQuery(exchange).get('limit') ?? 25)

function toSizeRule({ exchange, records }: LinkedPage): Rule {
  const limit = readLimit(exchange)
  return [records.length <= limit, `${records.length} records`, `at most ${limit}`]
}

/** Where the Link header leads to as the next page. */
function readNext({ headers, url }: Exchange): URL | undefined {
  const [, next] = /<([^>]*)>[^<]*?;\s*rel="?next"?(?:[\s;,]|$)/.exec(headers['link'] ?? '') ?? []
  return next === undefined ? undefined : new URL(next, url)
}

/** On every page with a cursor, and on no other; it has the same cursor and limit. */
function toLinkRule({ exchange, cursor }: LinkedPage): Rule {
  const next = readNext(exchange)
  const limit = readLimit(exchange)
  const query = next?.searchParams
  const isSame = `${query?.get('cursor')} ${query?.get('limit')}` === `${cursor} ${limit}`
  const expected = cursor === null ? 'no next page' : `rel="next" with the cursor and limit=${limit}`
  const got = `Link: ${exchange.headers['link'] ?? '(none)'}`
  return [cursor === null ? next === undefined : isSame, got, expected]
}

/** The page that a Link leads to is the one of the cursor. */
const followLink = forEachSample(async (run, { path }) => {
  const { exchange, cursor } = await run.askPage({ path, query: { limit: 1 } })
  const next = readNext(exchange)
  if (cursor === null || next === undefined) return noCursor
  const own = new URL(exchange.url)
  // The key is sent to no other address than the one that was given.
  if (next.origin !== own.origin) return `Link leads to ${next.origin}, as PUBLIC_URL has it: not followed`
  const expected = `${own.pathname}; PUBLIC_URL needs the prefix of a proxy`
  if (run.expect(next.pathname === own.pathname, exchange, `Link to ${next.pathname}`, expected)) {
    const page = await run.askPage({ path, query: { cursor, limit: 1 } })
    compareRecords(run, page, await run.askPage({ path, query: next.search.slice(1) }))
  }
  return undefined
})

/** Two lists that must have the same records. */
export function compareRecords(run: Run, one: Page, other: Page): void {
  const render = ({ records }: Page): string =>
    `${records.length} records from ${JSON.stringify(readId(records[0]))} on`
  const isSame = JSON.stringify(one.records) === JSON.stringify(other.records)
  const expected = `${render(one)}, as with ${one.exchange.url}`
  run.compare(isSame, other.exchange, `other records: ${render(other)}`, expected)
}

/** Crawls: nothing is lost or repeated, wherever pages end. */
export const crawlGuarantees = [
  guarantee('lists', 'Lists answer with data and meta', checkLists),
  guarantee('ties', 'Records of one updatedAt are returned wherever a page ends', forEachSample(checkTies)),
  guarantee('last-page', 'The cursor is null on the last page', checkLastPage),
  guarantee('crawls-agree', 'Crawls in pages of any size return the same', forEachSample(checkCrawlsAgree)),
]

/** Verifies each page of the run by a rule. */
function byRule(toRule: (page: LinkedPage) => Rule): Check {
  return (run) => {
    for (const page of listPages(run)) run.expectAll(page.exchange, [toRule(page)])
  }
}

/** Every page of the run: its order, its size, and what it leads to. */
export const pageGuarantees = [
  guarantee('order', 'Lists are in the order of updatedAt', byRule(toOrderRule)),
  guarantee('no-repeats', 'A crawl returns each record once', byRule(toRepeatRule)),
  guarantee('page-size', 'A page has at most limit records, 25 by default', byRule(toSizeRule)),
  guarantee('next-link', 'Link leads to the next page', byRule(toLinkRule), followLink),
]
