import type { Caller } from '../caller.js'
import type { Json } from '../exchange.js'
import { askPage, crawl, isSame, keepShown, keepSteady, readId, readUpdatedAt, toPlace } from '../pages.js'
import type { Crawl, ListQuery, Page } from '../pages.js'
import { forEachPlace, LackError, listSettled, requireSettled } from '../run.js'
import type { Checks, Place, Sample } from '../run.js'
import { confirm } from '../verdict.js'
import type { Attempt } from '../verdict.js'
import { listPages } from './lists.js'

/** Page sizes of the second crawl: its pages end where no page of the first one ends. */
const otherLimits = [7, 40, 17, 3, 60, 33, 90]

/** The sample, compared with pages of other sizes and with every other list; read once more where they differ. */
const checkCrawlsAgree = forEachPlace(async (sample) => {
  const { path, pages, settledBefore, caller, verdict } = sample
  requireSettled(sample, 2)
  const pagesMax = 2 * pages.length + otherLimits.length
  const isEnough = (records: readonly Json[]): boolean => records.length >= sample.records.length
  const other = await crawl(caller, { path, limits: otherLimits, pagesMax, isEnough })
  const isSettled = (record: Json): boolean => readUpdatedAt(record) < settledBefore
  const seen = listPages({ caller }).filter(
    ({ exchange: { call } }) => call.path === path && call.from === 'key',
  )
  const shown = seen.flatMap(({ records }) => records)
  const extra = listLacking(sample, shown).find(isSettled)
  const isLost = listLacking(other, sample.records).some(isSettled)
  // What the sample had before and has afterwards, unchanged, was there all the time.
  const isRead = extra !== undefined || isLost
  const again = isRead ? await crawl(caller, { path, limits: [100], pagesMax: pages.length }) : sample
  const lost = listLacking(other, keepSteady(sample.records, again.records)).find(isSettled)
  const [missing, crawled] = lost === undefined ? [extra, again] : [lost, other]
  const lacking = missing === undefined ? [] : listLacking(crawled, [missing])
  // What another list had can have been archived since then.
  const isMissing = (lost === undefined ? await keepShown(caller, seen, lacking) : lacking).length > 0
  const { exchange } = findPage(crawled, missing)
  const got = `no record ${toPlace(missing)}, which another list has`
  verdict.expect(!isMissing, exchange, got, 'the same records, whatever the sizes of the pages are')
})

/** Those of the records that a crawl went beyond, and that it does not have. */
function listLacking({ records, isComplete }: Crawl, wanted: readonly Json[]): readonly Json[] {
  const ids = new Set(records.map(readId))
  const end = readUpdatedAt(records.at(-1))
  return wanted.filter((record) => (isComplete || readUpdatedAt(record) < end) && !ids.has(readId(record)))
}

/** The page that a record belongs to by its time. */
function findPage({ pages }: Crawl, record: Json | undefined): Page {
  const isBehind = ({ records, cursor }: Page): boolean =>
    cursor === null || readUpdatedAt(records.at(-1)) >= readUpdatedAt(record)
  return pages.find(isBehind) ?? (pages[0] as Page)
}

/** The most records of a walk through a tie. */
const walkMax = 6
/** Pages more than records: some are short, where a row cannot be shown, and the record after the tie is one too. */
const extraPages = 4
/** Records for each page of a walk: some pages end within a tie, and some are filled by one. */
const walkLimits = [1, 2, 3]

/** Records of one instant in small pages, between two readings of the same instant in one page. */
async function findTieProblem({ caller, path }: Place, tie: readonly Json[]): Promise<Attempt> {
  const query = { updatedSince: readUpdatedAt(tie[0]) }
  const readTie = (): Promise<Page> => askPage(caller, { path, query: { ...query, limit: 100 } })
  // Beyond the tie, so that its rest is missed where nothing of it comes.
  const wanted = Math.min(tie.length, walkMax) + 1
  const isEnough = (all: readonly Json[]): boolean => all.length >= wanted
  const before = await readTie()
  const walks: Crawl[] = []
  for (const limit of walkLimits) {
    const pagesMax = Math.ceil(wanted / limit) + extraPages
    walks.push(await crawl(caller, { path, query, limits: [limit], pagesMax, isEnough }))
  }
  const steady = keepSteady(before.records, (await readTie()).records).map(readId)
  // A walk that ended among rows that cannot be shown, before the first record, shows nothing.
  const reached = walks.filter(({ records, isComplete }) => records.length > 0 || isComplete)
  if (steady.length === 0 || reached.length === 0)
    throw new LackError('too many rows that cannot be shown stand before the records of one instant')
  for (const { pages, records } of reached) {
    const walked = records.map(readId)
    // Records that were archived or changed meanwhile may be missing; the others stand in the same order.
    const last = steady.findLastIndex((id) => walked.includes(id))
    const got = walked.filter((id) => steady.includes(id))
    if (last >= 0 && steady.slice(0, last + 1).join('\n') === got.join('\n')) continue
    const expected = `the records of one page: ${steady.slice(0, walkMax).join(', ')}`
    const { exchange } = pages[0] ?? before
    return { exchange, got: `page by page ${got.join(', ')}`, expected }
  }
  return undefined
}

/**
 * Settled records with the same `updatedAt`: the largest group that a walk can go through, or one that a page holds.
 *
 * @throws LackError
 */
export function requireTie(sample: Sample): readonly Json[] {
  const groups = new Map<string, Json[]>()
  for (const record of listSettled(sample)) {
    const time = readUpdatedAt(record)
    groups.set(time, [...(groups.get(time) ?? []), record])
  }
  // The last group of an incomplete sample can go on behind it.
  if (!sample.isComplete) groups.delete(readUpdatedAt(sample.records.at(-1)))
  const sizes = [...groups.values()].filter(({ length }) => length > 1 && length < 90)
  const toRank = ({ length }: readonly Json[]): number => (length > walkMax ? length : -length)
  const [tie] = sizes.sort((one, other) => toRank(one) - toRank(other))
  if (tie !== undefined) return tie
  throw new LackError(
    `no two settled records with the same updatedAt among the first ${sample.records.length}`,
  )
}

/** The end in one page, in a page that its records just fill, and in one that is a record too short. */
async function findEndProblem(caller: Caller, path: string, filter: ListQuery): Promise<Attempt> {
  const read = (query: ListQuery): Promise<Page> => askPage(caller, { path, query })
  const before = await read({ ...filter, limit: 100 })
  const count = before.records.length
  if (count < 2 || before.cursor !== null) return 'unsteady'
  const problems: Attempt[] = []
  for (const limit of [count, count - 1]) {
    const page = await read({ ...filter, limit })
    // Rows that cannot be shown count for a limit: then another page follows a full one, which may be empty.
    const rest = page.cursor === null ? undefined : await read({ cursor: page.cursor, limit: 100 })
    problems.push(findRestProblem(before, page, rest))
  }
  if (!isSame(before, await read({ ...filter, limit: 100 }))) return 'unsteady'
  return problems.find((problem) => problem !== undefined)
}

function findRestProblem(before: Page, { exchange, records }: Page, rest: Page | undefined): Attempt {
  const isShort = records.length < before.records.length
  if (isShort && rest === undefined)
    return { exchange, got: 'cursor: null', expected: 'a cursor: a record follows' }
  if (rest !== undefined && rest.cursor !== null)
    return { exchange: rest.exchange, got: 'a cursor', expected: 'cursor: null on the last page' }
  if (JSON.stringify([...records, ...(rest?.records ?? [])]) === JSON.stringify(before.records))
    return undefined
  return { exchange, got: 'other records', expected: `the ${before.records.length} records of one page` }
}

const probesMax = 12

/**
 * The filter of a list with two to ninety records, which are the last ones: a time after which at most a page of records
 * changed, found from the end.
 *
 * @throws LackError
 */
async function findTail({ caller, path, records, isComplete, settledBefore }: Place): Promise<ListQuery> {
  const beforeEnd = (all: readonly Json[]): ListQuery => ({ updatedSince: readUpdatedAt(all.at(-50)) })
  if (isComplete) {
    if (records.length < 2) throw new LackError('fewer than two records')
    return records.length < 90 ? {} : beforeEnd(records)
  }
  let low = Date.parse(readUpdatedAt(records.at(-1)))
  let high = Date.parse(settledBefore)
  for (let probe = 0; probe < probesMax && high - low > 1; probe += 1) {
    const middle = low + Math.floor((high - low) / 2)
    const updatedSince = new Date(middle).toISOString()
    const page = await askPage(caller, { path, query: { updatedSince, limit: 100 } })
    const last = readEnd(page, updatedSince)
    if (page.cursor !== null) low = Math.max(middle, Date.parse(last))
    else if (page.records.length < 2) high = middle
    else return page.records.length <= 90 ? { updatedSince } : beforeEnd(page.records)
  }
  throw new LackError('no time was found after which a page of records changed')
}

/** The time of the last record; that of the request where a page is empty, because its rows cannot be shown. */
function readEnd({ records }: Page, updatedSince: string): string {
  return records.length === 0 ? updatedSince : readUpdatedAt(records.at(-1))
}

/** Crawls: nothing is lost or repeated, wherever pages end. */
export const crawlChecks: Checks = {
  'crawls-agree': checkCrawlsAgree,
  ties: forEachPlace(async (place) => {
    const tie = requireTie(place)
    place.verdict.add(await confirm(() => findTieProblem(place, tie)))
  }),
  'last-page': forEachPlace(async (place) => {
    const { caller, path, verdict } = place
    const { exchange, cursor } = await askPage(caller, { path, query: { updatedSince: '9999-12-31' } })
    verdict.expect(cursor === null, exchange, 'a cursor', 'cursor: null on a page that no record can follow')
    const filter = await findTail(place)
    const problem = await confirm(() => findEndProblem(caller, path, filter))
    if (problem === 'unsteady')
      throw new LackError('the last records changed all the time, or have times of an hour that occurs twice')
    verdict.add(problem)
  }),
}
