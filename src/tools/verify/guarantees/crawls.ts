import { collectionNames } from '../../../client/records.js'
import { readPage, readUpdatedAt, toPlace } from '../answer.js'
import type { Exchange, Json, Page } from '../answer.js'
import { toAccess } from '../run.js'
import type { Check, Guarantee, Rule, Run, Sample } from '../run.js'
import { crawl, expectSettled, forEachSample, readSample } from '../sample.js'

const checkLists: Check = async (run) => {
  for (const { firsts } of run.session.collections)
    if (toAccess(firsts.key) === 'broken') await run.askPage(firsts.key.call)
  for (const collection of run.readable) await readSample(run, collection)
}

/** The sample, pages that end elsewhere, and what follows from its last instant on. */
async function checkCrawlsAgree(run: Run, sample: Sample): Promise<string | undefined> {
  const { path, records, settled } = sample
  if (settled.length < 2) return 'fewer than two records older than nextUpdatedSince'
  const since = readUpdatedAt(settled.at(-1))
  const other = await crawl(run, { path, limits: toOtherLimits(records) })
  const rest = await crawl(run, { path, query: { updatedSince: since }, limits: [100] })
  const expected = `the records of ${sample.first.exchange.url}, wherever pages end`
  expectSettled(run, sample, other, expected)
  expectSettled(run, sample, rest, expected, (record) => readUpdatedAt(record) >= since)
  const isTied = new Set(records.map(readUpdatedAt)).size < records.length
  return isTied ? undefined : 'no two records have one updatedAt: no page ended between such records'
}

/** The largest pages of the second crawl, one after the other. */
const otherSizes = [7, 40, 17, 3, 60, 33, 90]
/** Pages of the second crawl. */
const otherPagesMax = 20

/** Sizes of pages that end between two records of one instant, where there are such records. */
function toOtherLimits(records: readonly Json[]): readonly number[] {
  const times = records.map(readUpdatedAt)
  const limits: number[] = []
  for (let at = 0; at < times.length && limits.length < otherPagesMax; at += limits.at(-1) ?? 1) {
    const most = otherSizes[limits.length % otherSizes.length] ?? 25
    const next = times.slice(at, at + most + 1)
    const size = next.findLastIndex((time, index) => time === next[index - 1])
    limits.push(size === -1 ? most : size)
  }
  return limits
}

const readQuery = ({ url }: Exchange): URLSearchParams => new URL(url).searchParams

/** A page of the run, and the page whose cursor led to it. */
interface LinkedPage extends Page {
  readonly before: LinkedPage | undefined
}

/** Every page of the run, in order, of whichever key. */
function listPages({ exchanges }: Pick<Run, 'exchanges'>): readonly LinkedPage[] {
  const pageOfCursor = new Map<string | null, LinkedPage>()
  return exchanges.flatMap((exchange) => {
    const isList = collectionNames.some((name) => exchange.call.path === `/${name}`)
    const page = isList ? readPage(exchange) : undefined
    if (page === undefined) return []
    const linked = { ...page, before: pageOfCursor.get(readQuery(exchange).get('cursor') ?? '') }
    pageOfCursor.set(page.cursor, linked)
    return [linked]
  })
}

/** Within a page, and from a page to the one that its cursor leads to. */
function toOrderRule({ records, before }: LinkedPage): Rule {
  const sequence = [...(before?.records.slice(-1) ?? []), ...records]
  const at = sequence.findIndex((one, index) => readUpdatedAt(one) < readUpdatedAt(sequence[index - 1]))
  const got = `${toPlace(sequence[at])} after ${toPlace(sequence[at - 1])}`
  return [at === -1, got, 'updatedAt that never goes back']
}

/** A record can come again in a crawl only if it has changed, which moves it towards the end. */
function toRepeatRule({ records, before }: LinkedPage): Rule {
  const known = new Set<string>()
  for (let page = before; page !== undefined; page = page.before)
    for (const one of page.records) known.add(toPlace(one))
  const repeated = records.map(toPlace).find((place) => known.size === known.add(place).size)
  return [repeated === undefined, `the record ${repeated ?? ''} a second time`, 'each record once in a crawl']
}

/** On every page with a cursor, and on no other. Where PUBLIC_URL names another origin, the prefix before the list is its own. */
function toLinkRule({ exchange, cursor }: LinkedPage): Rule {
  const { url, call } = exchange
  const next = readNext(exchange)
  const [own, led] = [new URL(url), new URL(next ?? url, url)]
  const [path, sent] =
    led.origin === own.origin
      ? [own.pathname, led.pathname]
      : [call.path, led.pathname.slice(-call.path.length)]
  const limit = own.searchParams.get('limit') ?? 25
  const wanted = cursor === null ? 'no page' : `${path}?limit=${limit}&cursor=${cursor}`
  const query = led.searchParams
  const got = `${sent}?limit=${query.get('limit')}&cursor=${query.get('cursor')}`
  const expected = `as the next page, with the prefix of a proxy in PUBLIC_URL: ${wanted}`
  return next === undefined
    ? [cursor === null, 'no Link to a next page', expected]
    : [got === wanted, `Link to ${got}`, expected]
}

/** It can be ahead by the difference of two clocks, and behind by the largest `SYNC_OVERLAP_SECONDS` and an hour. */
const [aheadMaxMs, behindMaxMs] = [5000, 25 * 3_600_000]

/**
 * Never later than on the page before: a heartbeat can be earlier on a later page. Without a fresh heartbeat it is the start
 * of the crawl: a sync repeats and loses nothing.
 */
function toNextRule({ exchange, before, nextUpdatedSince: got }: LinkedPage, run: Run): Rule {
  const time = Date.parse(got)
  const isRepeated = time === Date.parse(readQuery(exchange).get('updatedSince') ?? '1970-01-01')
  if (isRepeated) run.skip('the heartbeat is not fresh, so that every sync repeats')
  if (before !== undefined)
    return [got <= before.nextUpdatedSince || isRepeated, got, `${before.nextUpdatedSince} or earlier`]
  const { headers, sentAt } = exchange
  const age = (Date.parse(headers['date'] ?? '') || sentAt) - time
  const isSoon = age >= -aheadMaxMs && age <= behindMaxMs
  return [isSoon || isRepeated, got, 'a time of the day before, and not after']
}

/** Links that lead to another address than the caller's. */
const checkOrigin: Check = (run) => {
  for (const { exchange } of listPages(run)) {
    const [own, led] = [new URL(exchange.url), new URL(readNext(exchange) ?? exchange.url, exchange.url)]
    if (led.origin === own.origin) continue
    run.warn(exchange, `Link to ${led.origin}`, `${own.origin}: PUBLIC_URL is the address that callers use`)
    return
  }
}

/** The address of the next page, as `Link` has it. */
function readNext({ headers }: Exchange): string | undefined {
  return /<([^>]*)>[^<]*?;\s*rel="?next"?(?:[\s;,]|$)/.exec(headers['link'] ?? '')?.[1]
}

/** Verifies each page of the run by a rule. */
function byRule(toRule: (page: LinkedPage, run: Run) => Rule): Check {
  return (run) => {
    for (const page of listPages(run)) run.expect(page.exchange, toRule(page, run))
  }
}

/** Crawls: nothing is lost or repeated, wherever pages end. */
export const crawlGuarantees: readonly Guarantee[] = [
  ['lists', 'Lists answer with data and meta', checkLists],
  ['crawls-agree', 'Crawls in pages of any size return the same', forEachSample(checkCrawlsAgree)],
]

/** Every page of the run: its order, its size, and what it leads to. */
export const pageGuarantees: readonly Guarantee[] = [
  ['order', 'Lists are in the order of updatedAt', byRule(toOrderRule)],
  ['no-repeats', 'A crawl returns each record once', byRule(toRepeatRule)],
  ['next-link', 'Link leads to the next page', byRule(toLinkRule), checkOrigin],
  [
    'next-updated-since',
    'nextUpdatedSince is shortly before the beginning of a crawl, and never later on a later page',
    byRule(toNextRule),
  ],
]
