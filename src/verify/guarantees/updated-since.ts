import type { Json } from '../exchange.js'
import { compareLists } from '../compare.js'
import { askPage, keepSteady, listIds, readId, readUpdatedAt } from '../pages.js'
import type { Page } from '../pages.js'
import { confirm, forEachSample, listSettled } from '../run.js'
import type { Check, Run, Sample } from '../run.js'
import type { Verdict } from '../verdict.js'
import { listPages, readQuery, toPlace } from './lists.js'
import { findTie } from './crawls.js'

/** From the instant of a record in the middle of the sample, and from one millisecond later. */
export const checkUpdatedSince = forEachSample(async (sample, run, verdict) => {
  const settled = listSettled(sample)
  const middle = settled[Math.floor(settled.length / 2)]
  if (middle === undefined) {
    verdict.skip(`${sample.collection.name}: no record older than nextUpdatedSince`)
    return
  }
  const instant = readUpdatedAt(middle)
  for (const updatedSince of [instant, addMs(instant, 1), addMs(instant, -1)])
    await expectSince(run, verdict, sample, updatedSince)
  const far = await askPage(run.caller, {
    path: sample.collection.path,
    query: { updatedSince: '9999-12-31' },
  })
  expectNoneBefore(verdict, far, '9999-12-31')
})

/** All records of a tie, and none of them a millisecond later. */
export const checkUpdatedSinceTie = forEachSample(async (sample, run, verdict) => {
  const tie = findTie(sample)
  if (tie === undefined) {
    verdict.skip(
      `${sample.collection.name}: no two settled records with the same updatedAt among the first ${sample.records.length}`,
    )
    return
  }
  const instant = readUpdatedAt(tie[0])
  for (const updatedSince of [instant, addMs(instant, 1)])
    await expectSince(run, verdict, sample, updatedSince)
})

/** Of the records that were there before and afterwards, all from the instant on, and no earlier one. */
async function expectSince(run: Run, verdict: Verdict, sample: Sample, updatedSince: string): Promise<void> {
  const problem = await confirm(async () => {
    const page = await askPage(run.caller, {
      path: sample.collection.path,
      query: { updatedSince, limit: 100 },
    })
    if (!expectNoneBefore(verdict, page, updatedSince)) return undefined
    const wanted = listExpected(sample, page, updatedSince)
    const lost = findMissing(wanted, page)
    if (lost.length === 0) return undefined
    // What is missing may have been changed or archived since the sample was read.
    const known = sample.pages.find(({ records }) => records.includes(lost[0] ?? {}))
    const again = known && (await askPage(run.caller, known.exchange.call))
    const steady = keepSteady(lost, again?.records ?? [])
    return steady.length === 0 ? ('unsteady' as const) : { page, lost: steady }
  })
  if (problem === 'unsteady') return
  verdict.expect(problem === undefined, {
    exchange: problem?.page.exchange ?? sample.first.exchange,
    got: `no record ${listIds(problem?.lost ?? [])}, changed at ${readUpdatedAt(problem?.lost[0])}`,
    expected: `every record from ${updatedSince} on`,
  })
}

/** The records of the sample that a page must have: from its instant on, up to its last record. */
export function listExpected(sample: Sample, page: Page, updatedSince: string): readonly Json[] {
  const last = page.cursor === null ? '~' : readUpdatedAt(page.records.at(-1))
  return listSettled(sample).filter(
    (record) => readUpdatedAt(record) >= updatedSince && readUpdatedAt(record) < last,
  )
}

/** The records that a page lacks. */
export function findMissing(wanted: readonly Json[], { records }: Page): readonly Json[] {
  const ids = new Set(records.map(readId))
  return wanted.filter((record) => !ids.has(readId(record)))
}

function expectNoneBefore(verdict: Verdict, { exchange, records }: Page, updatedSince: string): boolean {
  const early = records.find((record) => readUpdatedAt(record) < updatedSince)
  return verdict.expect(early === undefined, {
    exchange,
    got: `the record ${toPlace(early)}`,
    expected: `only records from ${updatedSince} on`,
  })
}

/** The same instant, written in every way that the contract has. */
export const checkUpdatedSinceForms = forEachSample(async (sample, { caller }, verdict) => {
  const settled = listSettled(sample)
  const instant = readUpdatedAt(settled[Math.floor(settled.length / 3)])
  if (settled.length === 0 || Number.isNaN(Date.parse(instant))) {
    verdict.skip(`${sample.collection.name}: no record older than nextUpdatedSince`)
    return
  }
  const local = addMs(instant, 3 * 3_600_000).slice(0, 23)
  const day = instant.slice(0, 10)
  const forms = [
    [instant, encodeURIComponent(`${local}+03:00`)],
    [instant, `${local}+03:00`],
    [instant, encodeURIComponent(`${addMs(instant, -5.5 * 3_600_000).slice(0, 23)}-05:30`)],
    [instant, `${instant.slice(0, 23)}000000Z`.toLowerCase()],
    [`${day}T00:00:00.000Z`, day],
    // Exact beyond what a timestamp of the API shows, and no column has more than six digits.
    [addMs(instant, 1), `${instant.slice(0, 23)}999999Z`],
  ] as const
  const { path } = sample.collection
  for (const [plain, form] of forms) {
    const query = `limit=5&updatedSince=${form}`
    const difference = await compareLists(
      caller,
      { path, query: { limit: 5, updatedSince: plain } },
      { path, query },
    )
    if (difference === 'unsteady') continue
    verdict.expect(difference === undefined, {
      exchange: difference?.other.exchange ?? sample.first.exchange,
      got: `records from ${toPlace(difference?.other.records[0])}`,
      expected: `from ${toPlace(difference?.one.records[0])}, as with ${plain}`,
    })
  }
})

/** The clocks of the database and of this machine can differ by so much; a sync that begins later would lose changes. */
const clockDifferenceMaxMs = 60_000

/** One value for a crawl, which is a time and not in the future; a list takes it as updatedSince. */
export const checkNextUpdatedSince: Check = async (run, verdict) => {
  await forEachSample(async ({ collection: { path }, first }) => {
    const { nextUpdatedSince } = first
    const page = await askPage(run.caller, { path, query: { updatedSince: nextUpdatedSince, limit: 1 } })
    expectNoneBefore(verdict, page, nextUpdatedSince)
  })(run, verdict)
  const ofCursor = new Map<string, string>()
  for (const { exchange, cursor, nextUpdatedSince } of listPages(run)) {
    const begun = ofCursor.get(readQuery(exchange).get('cursor') ?? '')
    verdict.expect(begun === undefined || begun === nextUpdatedSince, {
      exchange,
      got: nextUpdatedSince,
      expected: `${begun ?? ''}, as on the page before`,
    })
    if (cursor !== null) ofCursor.set(cursor, nextUpdatedSince)
    const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(nextUpdatedSince)
      ? Date.parse(nextUpdatedSince)
      : Number.NaN
    const now = Date.parse(exchange.headers['date'] ?? '') || exchange.sentAt
    verdict.expect(time <= now + clockDifferenceMaxMs, {
      exchange,
      got: nextUpdatedSince,
      expected: 'a timestamp not later than the beginning of the crawl',
    })
  }
}

/** A timestamp of the API, moved. */
function addMs(instant: string, ms: number): string {
  const time = Date.parse(instant)
  return Number.isNaN(time) ? instant : new Date(time + ms).toISOString()
}
