import type { Json } from '../exchange.js'
import {
  askPage,
  compareLists,
  keepSteady,
  listIds,
  readId,
  readUpdatedAt,
  spread,
  toPlace,
} from '../pages.js'
import type { Page } from '../pages.js'
import { atLast, byRules, forEachSample, forSamples, listSettled, requireSettled } from '../run.js'
import type { Rule, Run, Sample, Ways } from '../run.js'
import { confirm } from '../verdict.js'
import type { Verdict } from '../verdict.js'
import { requireTie } from './crawls.js'
import { listPages } from './lists.js'
import type { LinkedPage } from './lists.js'
import { isEarly } from './values.js'

/** Of the records that were there before and afterwards, all from the instant on, and no earlier one. */
async function expectSince(run: Run, verdict: Verdict, sample: Sample, updatedSince: string): Promise<void> {
  const { path } = sample
  const problem = await confirm(async () => {
    const page = await askPage(run.caller, { path, query: { updatedSince, limit: 100 } })
    if (!expectNoneBefore(verdict, page, updatedSince)) return undefined
    const lost = await findLost(run, sample, page, (record) => readUpdatedAt(record) >= updatedSince)
    if (lost === undefined || lost === 'unsteady') return lost
    const got = `no record ${renderIds(lost)}, changed at ${readUpdatedAt(lost[0])}`
    return { exchange: page.exchange, got, expected: `every record from ${updatedSince} on` }
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

/** Ids for a finding. */
export function renderIds(records: readonly Json[]): string {
  const ids = listIds(records).map((id) => JSON.stringify(id))
  return `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ` and ${ids.length - 5} more` : ''}`
}

function expectNoneBefore(verdict: Verdict, { exchange, records }: Page, updatedSince: string): boolean {
  const early = records.find((record) => isEarly(readUpdatedAt(record), updatedSince))
  const expected = `only records from ${updatedSince} on`
  return verdict.expect(early === undefined, exchange, `the record ${toPlace(early)}`, expected)
}

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

/** One value for a crawl: a time, not in the future and not older than any overlap. */
function listNextRules({ exchange, before, nextUpdatedSince: got }: LinkedPage): readonly Rule[] {
  const { date } = exchange.headers
  const begun = before?.nextUpdatedSince ?? got
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(got) ? Date.parse(got) : Number.NaN
  const age = (Date.parse(date ?? '') || exchange.sentAt) - time
  const isSoon = age >= -clockDifferenceMaxMs && age <= overlapMaxMs
  return [
    [begun === got, got, `${begun}, as on the page before`],
    [isSoon, got, `a timestamp at most a day before ${date ?? 'now'}, and not after it`],
  ]
}

/** A list takes it as updatedSince. */
const checkNextTaken = forEachSample(async ({ path, first: { nextUpdatedSince } }, { caller }, verdict) => {
  const page = await askPage(caller, { path, query: { updatedSince: nextUpdatedSince, limit: 1 } })
  expectNoneBefore(verdict, page, nextUpdatedSince)
})

/** A timestamp of the API, moved. */
function addMs(instant: string, ms: number): string {
  const time = Date.parse(instant)
  return Number.isNaN(time) ? instant : new Date(time + ms).toISOString()
}

/** Instants of the sample that are asked for: where shown times differ from stored ones, some records are missing. */
const instantsMax = 5

/** Sync: inclusive, exact, in every form. */
export const syncWays: Ways = {
  // From the instants of records, and from a millisecond before and after one of them.
  'updated-since': forSamples(async (sample, run, verdict) => {
    const instants = [...new Set(requireSettled(sample).map(readUpdatedAt))]
    const middle = instants[instants.length >> 1] ?? ''
    for (const updatedSince of [...spread(instants, instantsMax), addMs(middle, 1), addMs(middle, -1)])
      await expectSince(run, verdict, sample, updatedSince)
    const query = { updatedSince: '9999-12-31' }
    expectNoneBefore(verdict, await askPage(run.caller, { path: sample.path, query }), '9999-12-31')
  }),
  // All records of a tie, and none of them a millisecond later.
  'updated-since-tie': forSamples(async (sample, run, verdict) => {
    const instant = readUpdatedAt(requireTie(sample)[0])
    for (const since of [instant, addMs(instant, 1)]) await expectSince(run, verdict, sample, since)
  }),
  // The same instant, written in every way that the contract has.
  'updated-since-forms': forSamples(async (sample, { caller }, verdict) => {
    const settled = requireSettled(sample)
    const { path } = sample
    for (const [plain, form] of listForms(readUpdatedAt(settled[Math.floor(settled.length / 3)]))) {
      const one = { path, query: { limit: 5, updatedSince: plain } }
      verdict.add(await compareLists(caller, one, { path, query: `limit=5&updatedSince=${form}` }))
    }
  }),
  'next-updated-since': atLast(checkNextTaken, byRules(listPages, listNextRules).check),
}
