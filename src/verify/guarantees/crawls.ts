import type { Caller } from '../caller.js'
import type { Exchange, Json } from '../exchange.js'
import { askPage, crawl, keepSteady, readId, readUpdatedAt, toTexts } from '../pages.js'
import type { Crawl, ListQuery, Page } from '../pages.js'
import { confirm, forEachSample, listSettled } from '../run.js'
import type { Sample } from '../run.js'
import { toPlace } from './lists.js'

/** Page sizes of the second crawl: its pages end where no page of the first one ends. */
const otherLimits = [7, 40, 17, 3, 60, 33, 90]

/**
 * The sample, read again with pages of other sizes. A record that only one of the two has counts as lost if the same
 * page still has it, unchanged, when it is read once more: then it was there all the time.
 */
export const checkCrawlsAgree = forEachSample(async (sample, { caller }, verdict) => {
  const settled = listSettled(sample)
  if (settled.length < 2) {
    verdict.skip(`${sample.collection.name}: fewer than two records older than nextUpdatedSince`)
    return
  }
  const wanted = Math.min(sample.records.length, 250)
  const other = await crawl(caller, {
    path: sample.collection.path,
    limits: otherLimits,
    pagesMax: 12,
    isEnough: (records) => records.length >= wanted,
  })
  const lost = await findLost(caller, sample, other)
  const extra = lost ?? (await findLost(caller, other, sample, sample.settledBefore))
  const [exchange] = [extra?.page.exchange ?? other.pages[0]?.exchange ?? sample.first.exchange]
  verdict.expect(extra === undefined, {
    exchange,
    got:
      extra === undefined
        ? ''
        : `no record ${toPlace(extra.record)}, which the same crawl with other limits has`,
    expected: 'the same records, whatever the sizes of the pages are',
  })
})

interface Lost {
  readonly record: Json
  /** The page on which it is missing. */
  readonly page: Page
}

/** A record that is in one crawl, is missing in the other, and is still in the first one afterwards. */
async function findLost(
  caller: Caller,
  having: Crawl,
  lacking: Crawl,
  settledBefore = having.pages[0]?.nextUpdatedSince ?? '',
): Promise<Lost | undefined> {
  const ids = new Set(lacking.records.map(readId))
  const candidates = having.records.filter(
    (record) => !ids.has(readId(record)) && readUpdatedAt(record) < settledBefore && covers(lacking, record),
  )
  for (const record of candidates.slice(0, 5)) {
    const lackingPages = findPagesAround(lacking, record)
    const havingPage = having.pages.find(({ records }) => records.includes(record))
    const [page] = lackingPages
    if (page === undefined || havingPage === undefined) continue
    // In this order: there before, absent in between, and there afterwards.
    const again = []
    for (const one of lackingPages) again.push(await readAgain(caller, one))
    const text = (await readAgain(caller, havingPage)).get(readId(record))
    const isStillLacking = again.every((records) => !records.has(readId(record)))
    if (isStillLacking && text === JSON.stringify(record)) return { record, page }
  }
  return undefined
}

/** Whether a crawl went beyond the place of a record. */
function covers({ records, isComplete }: Crawl, record: Json): boolean {
  return isComplete || readUpdatedAt(record) < readUpdatedAt(records.at(-1))
}

/** The pages that a record belongs to by its time: two, if a tie goes on from one to the next. */
function findPagesAround({ pages }: Crawl, record: Json): readonly Page[] {
  const time = readUpdatedAt(record)
  return pages.filter(({ records, cursor }, at) => {
    const before = pages[at - 1]?.records.at(-1)
    const startsBefore = before === undefined || readUpdatedAt(before) <= time
    return startsBefore && (cursor === null || readUpdatedAt(records.at(-1)) >= time)
  })
}

async function readAgain(caller: Caller, { exchange }: Page): Promise<ReadonlyMap<string, string>> {
  return toTexts((await askPage(caller, exchange.call)).records)
}

/** The most records of a walk through a tie. */
const walkMax = 6
/** Pages more than records: some are empty, where a row cannot be shown, and the record after the tie is one too. */
const extraPages = 4

/** Records of one instant, one page for each, between two readings of the same instant in one page. */
export const checkTies = forEachSample(async (sample, { caller }, verdict) => {
  const tie = findTie(sample)
  const { path, name } = sample.collection
  if (tie === undefined) {
    verdict.skip(
      `${name}: no two settled records with the same updatedAt among the first ${sample.records.length}`,
    )
    return
  }
  const updatedSince = readUpdatedAt(tie[0])
  const readTie = async (): Promise<Page> => askPage(caller, { path, query: { updatedSince, limit: 100 } })
  const problem = await confirm(async () => {
    const before = await readTie()
    // Beyond the tie, so that its rest is missed where nothing of it comes.
    const wanted = Math.min(tie.length, walkMax) + 1
    const walk = await crawl(caller, {
      path,
      query: { updatedSince },
      limits: [1],
      pagesMax: wanted + extraPages,
      isEnough: (records) => records.length >= wanted,
    })
    const after = await readTie()
    const steady = keepSteady(before.records, after.records).map(readId)
    const walked = walk.records.map(readId)
    // Records that were archived or changed meanwhile may be missing; the others stand in the same order.
    const last = steady.findLastIndex((id) => walked.includes(id))
    const expected = steady.slice(0, last + 1)
    const got = walked.filter((id) => steady.includes(id))
    const isEqual = expected.length > 0 && expected.join('\n') === got.join('\n')
    return isEqual
      ? undefined
      : { exchange: walk.pages[0]?.exchange ?? before.exchange, expected: steady, got: walked }
  })
  verdict.expect(problem === undefined || problem === 'unsteady', {
    exchange: typeof problem === 'object' ? problem.exchange : sample.first.exchange,
    got: typeof problem === 'object' ? `page by page ${problem.got.join(', ')}` : '',
    expected:
      typeof problem === 'object'
        ? `the records of one page: ${problem.expected.slice(0, walkMax).join(', ')}`
        : '',
  })
})

/** Settled records with the same `updatedAt`: the largest group that a walk can go through, or one that a page holds. */
export function findTie(sample: Sample): readonly Json[] | undefined {
  const groups = new Map<string, Json[]>()
  for (const record of listSettled(sample)) {
    const group = groups.get(readUpdatedAt(record)) ?? []
    groups.set(readUpdatedAt(record), [...group, record])
  }
  // The last group of an incomplete sample can go on behind it.
  if (!sample.isComplete) groups.delete(readUpdatedAt(sample.records.at(-1)))
  const sizes = [...groups.values()].filter(({ length }) => length > 1 && length < 90)
  const toRank = ({ length }: readonly Json[]): number => (length > walkMax ? length : -length)
  return sizes.sort((one, other) => toRank(one) - toRank(other))[0]
}

/** The last page, found from the end: a time after which at most a page of records changed. */
export const checkLastPage = forEachSample(async (sample, { caller }, verdict) => {
  const { path, name } = sample.collection
  const future = await askPage(caller, { path, query: { updatedSince: '9999-12-31' } })
  verdict.expect(future.cursor === null, {
    exchange: future.exchange,
    got: 'a cursor',
    expected: 'cursor: null on a page that no record can follow',
  })
  const since = await findTail(caller, sample)
  if (since === undefined) {
    verdict.skip(`${name}: no time was found after which a page of records changed`)
    return
  }
  const filter = since === '' ? {} : { updatedSince: since }
  const problem = await confirm(() => findEndProblem(caller, path, filter))
  if (problem === 'unsteady') verdict.skip(`${name}: the last records changed all the time`)
  else
    verdict.expect(problem === undefined, {
      exchange: problem?.exchange ?? future.exchange,
      got: problem?.got ?? '',
      expected: problem?.expected ?? '',
    })
})

interface EndProblem {
  readonly exchange: Exchange
  readonly got: string
  readonly expected: string
}

/** The end in one page, in a page that it just fills, and in a page that is one record too short. */
async function findEndProblem(
  caller: Caller,
  path: string,
  filter: ListQuery,
): Promise<EndProblem | 'unsteady' | undefined> {
  const read = (query: ListQuery): Promise<Page> => askPage(caller, { path, query })
  const before = await read({ ...filter, limit: 100 })
  const count = before.records.length
  if (count < 2 || before.cursor !== null) return 'unsteady'
  const exact = await read({ ...filter, limit: count })
  const shorter = await read({ ...filter, limit: count - 1 })
  // Rows that cannot be shown count for a limit: then another page follows, which may be empty.
  const beyond = exact.cursor === null ? undefined : await read({ cursor: exact.cursor, limit: 100 })
  const rest = shorter.cursor === null ? undefined : await read({ cursor: shorter.cursor, limit: 100 })
  const after = await read({ ...filter, limit: 100 })
  if (JSON.stringify(after.records) !== JSON.stringify(before.records)) return 'unsteady'
  const { exchange } = shorter
  if (rest === undefined) return { exchange, got: 'cursor: null', expected: 'a cursor: a record follows' }
  const ends = [beyond, rest].filter((page) => page !== undefined)
  const endless = ends.find(({ cursor }) => cursor !== null)
  if (endless !== undefined)
    return { exchange: endless.exchange, got: 'a cursor', expected: 'cursor: null on the last page' }
  const wrong = [[exact, beyond] as const, [shorter, rest] as const].find(
    ([page, next]) =>
      JSON.stringify([...page.records, ...(next?.records ?? [])]) !== JSON.stringify(before.records),
  )
  if (wrong === undefined) return undefined
  return { exchange: wrong[0].exchange, got: 'other records', expected: `the ${count} records of one page` }
}

const probesMax = 12

/** An `updatedSince` with two to ninety records; an empty text if the whole collection has so few. */
async function findTail(caller: Caller, sample: Sample): Promise<string | undefined> {
  const { path } = sample.collection
  if (sample.isComplete) {
    const { records } = sample
    const from = records.at(-50)
    if (records.length < 2) return undefined
    return from === undefined || records.length < 90 ? '' : readUpdatedAt(from)
  }
  let low = Date.parse(readUpdatedAt(sample.records.at(-1)))
  let high = Date.parse(sample.settledBefore)
  for (let probe = 0; probe < probesMax && high - low > 1; probe += 1) {
    const middle = low + Math.floor((high - low) / 2)
    const updatedSince = new Date(middle).toISOString()
    const page = await askPage(caller, { path, query: { updatedSince, limit: 100 } })
    if (page.cursor !== null) low = Math.max(middle, Date.parse(readUpdatedAt(page.records.at(-1))))
    else if (page.records.length < 2) high = middle
    else if (page.records.length <= 90) return updatedSince
    else return readUpdatedAt(page.records.at(-50))
  }
  return undefined
}
