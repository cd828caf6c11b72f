import type { Json } from '../exchange.js'
import { askPage, crawl, keepShown, keepSteady, readId, readUpdatedAt, toPlace } from '../pages.js'
import type { Crawl, Page } from '../pages.js'
import { forEachPlace, guarantee, watching } from '../run.js'
import type { Place, Sample } from '../run.js'
import type { Attempt } from '../verdict.js'
import { listPages } from './lists.js'

/** Page sizes of the second crawl: its pages end where no page of the first one ends. */
const otherLimits = [7, 40, 17, 3, 60, 33, 90]

/** The sample, compared with pages of other sizes and with every other list; read once more where they differ. */
async function checkCrawlsAgree(place: Place): Promise<string | undefined> {
  const { path, pages, settled, settledBefore, verdict, exchanges } = place
  if (settled.length < 2) return 'fewer than two records older than nextUpdatedSince'
  const pagesMax = 2 * pages.length + otherLimits.length
  const isEnough = (records: readonly Json[]): boolean => records.length >= place.records.length
  const other = await crawl(place, { path, limits: otherLimits, pagesMax, isEnough })
  const isSettled = (record: Json): boolean => readUpdatedAt(record) < settledBefore
  const seen = listPages({ exchanges }).filter(
    ({ exchange: { call } }) => call.path === path && call.from === 'key',
  )
  const shown = seen.flatMap(({ records }) => records)
  const extra = listLacking(place, shown).find(isSettled)
  const isLost = listLacking(other, place.records).some(isSettled)
  // What the sample had before and has afterwards, unchanged, was there all the time.
  const isRead = extra !== undefined || isLost
  const again = isRead ? await crawl(place, { path, limits: [100], pagesMax: pages.length }) : place
  const lost = listLacking(other, keepSteady(place.records, again.records)).find(isSettled)
  const [missing, crawled] = lost === undefined ? [extra, again] : [lost, other]
  const lacking = missing === undefined ? [] : listLacking(crawled, [missing])
  // What another list had can have been archived since then.
  const isMissing = (lost === undefined ? await keepShown(place, seen, lacking) : lacking).length > 0
  const got = `no record ${toPlace(missing)}, which another list has`
  const { exchange } = findPage(crawled, missing) ?? place.first
  verdict.expect(!isMissing, exchange, got, 'the same records, whatever the sizes of the pages are')
  return undefined
}

/** Those of the records that a crawl went beyond, and that it does not have. */
function listLacking({ records, isComplete }: Crawl, wanted: readonly Json[]): readonly Json[] {
  const ids = new Set(records.map(readId))
  const end = readUpdatedAt(records.at(-1))
  return wanted.filter((record) => (isComplete || readUpdatedAt(record) < end) && !ids.has(readId(record)))
}

/** The page that a record belongs to by its time. */
function findPage({ pages }: Crawl, record: Json | undefined): Page | undefined {
  return pages.find(
    ({ records, cursor }) => cursor === null || readUpdatedAt(records.at(-1)) >= readUpdatedAt(record),
  )
}

/** The most records of a walk through a tie. */
const walkMax = 6
/** Pages more than records: some are short, where a row cannot be shown, and the record after the tie is one too. */
const extraPages = 4
/** Records for each page of a walk: some pages end within a tie, and some are filled by one. */
const walkLimits = [1, 2, 3]

async function checkTies(place: Place): Promise<string | undefined> {
  const tie = findTie(place)
  if (tie === undefined) return noTie
  const found = await place.verdict.confirm(() => findTieProblem(place, tie))
  return found === 'unsteady' ? 'too many rows that cannot be shown stand before a tie' : undefined
}

/** Records of one instant in small pages, between two readings of the same instant in one page. */
async function findTieProblem(place: Place, tie: readonly Json[]): Promise<Attempt> {
  const { path } = place
  const query = { updatedSince: readUpdatedAt(tie[0]) }
  const readTie = (): Promise<Page> => askPage(place, { path, query: { ...query, limit: 100 } })
  // Beyond the tie, so that its rest is missed where nothing of it comes.
  const wanted = Math.min(tie.length, walkMax) + 1
  const isEnough = (all: readonly Json[]): boolean => all.length >= wanted
  const before = await readTie()
  const walks: Crawl[] = []
  for (const limit of walkLimits) {
    const pagesMax = Math.ceil(wanted / limit) + extraPages
    walks.push(await crawl(place, { path, query, limits: [limit], pagesMax, isEnough }))
  }
  const steady = keepSteady(before.records, (await readTie()).records).map(readId)
  // A walk that ended among rows that cannot be shown, before the first record, shows nothing.
  const reached = walks.filter(({ records, isComplete }) => records.length > 0 || isComplete)
  if (steady.length === 0 || reached.length === 0) return 'unsteady'
  for (const { pages, records } of reached) {
    const walked = records.map(readId)
    // Records that were archived or changed meanwhile may be missing; the others stand in the same order.
    const last = steady.findLastIndex((id) => walked.includes(id))
    const got = walked.filter((id) => steady.includes(id))
    if (last >= 0 && steady.slice(0, last + 1).join('\n') === got.join('\n')) continue
    const expected = `the records of one page: ${steady.slice(0, walkMax).join(', ')}`
    return { exchange: (pages[0] ?? before).exchange, got: `page by page ${got.join(', ')}`, expected }
  }
  return undefined
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

async function checkLastPage(place: Place): Promise<void> {
  const { exchange, cursor } = await askPage(place, {
    path: place.path,
    query: { updatedSince: '9999-12-31' },
  })
  const expected = 'cursor: null on a page that no record can follow'
  place.verdict.expect(cursor === null, exchange, 'a cursor', expected)
}

/** Crawls: nothing is lost or repeated, wherever pages end. */
export const crawlGuarantees = [
  guarantee('ties', 'Records of one updatedAt are returned wherever a page ends', forEachPlace(checkTies)),
  guarantee('last-page', 'The cursor is null on the last page', forEachPlace(checkLastPage)),
  watching('crawls-agree', 'Crawls in pages of any size return the same', forEachPlace(checkCrawlsAgree)),
]
