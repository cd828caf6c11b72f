import { compareLists } from '../compare.js'
import type { Json } from '../exchange.js'
import { askPage, keepSteady, listIds, readId, readUpdatedAt, spread } from '../pages.js'
import type { Page } from '../pages.js'
import { confirm, defineGuarantee, defineLast, forEachSample, listSettled, requireSettled } from '../run.js'
import type { Check, Guarantee, Run, Sample } from '../run.js'
import type { Verdict } from '../verdict.js'
import { requireTie } from './crawls.js'
import { listPages, toPlace } from './lists.js'

/** Instants of the sample that are asked for: where shown times differ from stored ones, some records are missing. */
const instantsMax = 5

/** From the instants of records, and from a millisecond before and after one of them. */
const checkUpdatedSince = forEachSample(async (sample, run, verdict) => {
  const instants = [...new Set(requireSettled(sample).map(readUpdatedAt))]
  const middle = instants[instants.length >> 1] ?? ''
  for (const updatedSince of [...spread(instants, instantsMax), addMs(middle, 1), addMs(middle, -1)])
    await expectSince(run, verdict, sample, updatedSince)
  const query = { updatedSince: '9999-12-31' }
  expectNoneBefore(verdict, await askPage(run.caller, { path: sample.collection.path, query }), '9999-12-31')
})

/** All records of a tie, and none of them a millisecond later. */
const checkUpdatedSinceTie = forEachSample(async (sample, run, verdict) => {
  const instant = readUpdatedAt(requireTie(sample)[0])
  for (const updatedSince of [instant, addMs(instant, 1)])
    await expectSince(run, verdict, sample, updatedSince)
})

/** Of the records that were there before and afterwards, all from the instant on, and no earlier one. */
async function expectSince(run: Run, verdict: Verdict, sample: Sample, updatedSince: string): Promise<void> {
  const { path } = sample.collection
  const problem = await confirm(async () => {
    const page = await askPage(run.caller, { path, query: { updatedSince, limit: 100 } })
    if (!expectNoneBefore(verdict, page, updatedSince)) return undefined
    const lost = await findLost(run, sample, page, (record) => readUpdatedAt(record) >= updatedSince)
    if (lost === undefined || lost === 'unsteady') return lost
    return {
      exchange: page.exchange,
      got: `no record ${listIds(lost)}, changed at ${readUpdatedAt(lost[0])}`,
      expected: `every record from ${updatedSince} on`,
    }
  })
  verdict.add(problem)
}

/** The settled records of the sample that a page lacks up to its end, although they did not change since. */
export async function findLost(
  { caller }: Run,
  sample: Sample,
  { records, cursor }: Page,
  isWanted: (record: Json) => boolean,
): Promise<readonly Json[] | 'unsteady' | undefined> {
  const end = cursor === null ? '~' : readUpdatedAt(records.at(-1))
  const ids = new Set(records.map(readId))
  const lost = listSettled(sample).filter(
    (record) => isWanted(record) && readUpdatedAt(record) < end && !ids.has(readId(record)),
  )
  const known = sample.pages.find((page) => page.records.includes(lost[0] ?? {}))
  if (known === undefined) return undefined
  // What is missing may have been changed or archived since the sample was read.
  const steady = keepSteady(lost, (await askPage(caller, known.exchange.call)).records)
  return steady.length === 0 ? 'unsteady' : steady
}

function expectNoneBefore(verdict: Verdict, { exchange, records }: Page, updatedSince: string): boolean {
  const early = records.find((record) => readUpdatedAt(record) < updatedSince)
  const expected = `only records from ${updatedSince} on`
  return verdict.expect(early === undefined, { exchange, got: `the record ${toPlace(early)}`, expected })
}

/** The same instant, written in every way that the contract has. */
const checkUpdatedSinceForms = forEachSample(async (sample, { caller }, verdict) => {
  const settled = requireSettled(sample)
  const instant = readUpdatedAt(settled[Math.floor(settled.length / 3)])
  const { path } = sample.collection
  for (const [plain, form] of listForms(instant)) {
    const one = { path, query: { limit: 5, updatedSince: plain } }
    const other = { path, query: `limit=5&updatedSince=${form}` }
    verdict.add(await compareLists(caller, one, other))
  }
})

function listForms(instant: string): readonly (readonly [plain: string, form: string])[] {
  const toLocal = (hours: number): string => addMs(instant, hours * 3_600_000).slice(0, 23)
  const day = instant.slice(0, 10)
  return [
    [instant, encodeURIComponent(`${toLocal(3)}+03:00`)],
    [instant, `${toLocal(3)}+03:00`],
    [instant, encodeURIComponent(`${toLocal(-5.5)}-05:30`)],
    [instant, `${instant.slice(0, 23)}000000Z`.toLowerCase()],
    [`${day}T00:00:00.000Z`, day],
    // Exact beyond what a timestamp of the API shows, and no column has more than six digits.
    [addMs(instant, 1), `${instant.slice(0, 23)}999999Z`],
  ]
}

/** The clocks of the database and of the service can differ by so much. */
const clockDifferenceMaxMs = 5000
/** The largest `SYNC_OVERLAP_SECONDS`, and an hour for a replica that is behind and for clocks. */
const overlapMaxMs = 25 * 3_600_000

/** One value for a crawl: a time, not in the future and not older than any overlap; a list takes it as updatedSince. */
const checkNextUpdatedSince: Check = async (run, verdict) => {
  await forEachSample(async ({ collection: { path }, first: { nextUpdatedSince } }) => {
    const page = await askPage(run.caller, { path, query: { updatedSince: nextUpdatedSince, limit: 1 } })
    expectNoneBefore(verdict, page, nextUpdatedSince)
  })(run, verdict)
  for (const { exchange, before, nextUpdatedSince: got } of listPages(run)) {
    const begun = before?.nextUpdatedSince ?? got
    verdict.expect(begun === got, { exchange, got, expected: `${begun}, as on the page before` })
    const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(got) ? Date.parse(got) : Number.NaN
    const age = (Date.parse(exchange.headers['date'] ?? '') || exchange.sentAt) - time
    const isSoon = age >= -clockDifferenceMaxMs && age <= overlapMaxMs
    const expected = `a timestamp at most a day before ${exchange.headers['date'] ?? 'now'}, and not after it`
    verdict.expect(isSoon, { exchange, got, expected })
  }
}

/** A timestamp of the API, moved. */
function addMs(instant: string, ms: number): string {
  const time = Date.parse(instant)
  return Number.isNaN(time) ? instant : new Date(time + ms).toISOString()
}

/** Sync: inclusive, exact, in every form. */
export const syncGuarantees: readonly Guarantee[] = [
  defineGuarantee(
    'updated-since',
    'updatedSince returns the records of its instant and later, and no other',
    checkUpdatedSince,
  ),
  defineGuarantee(
    'updated-since-tie',
    'updatedSince returns all records of its instant, however many they are',
    checkUpdatedSinceTie,
  ),
  defineGuarantee(
    'updated-since-forms',
    'updatedSince takes offsets, fractions and dates',
    checkUpdatedSinceForms,
  ),
  defineLast(
    'next-updated-since',
    'nextUpdatedSince is the same on all pages of a crawl, and shortly before its beginning',
    checkNextUpdatedSince,
  ),
]
