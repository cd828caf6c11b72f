import { compareLists, readUpdatedAt, spread } from '../pages.js'
import { byRules, forEachPlace, inTurn, requireSettled } from '../run.js'
import type { Checks, Rule } from '../run.js'
import { requireTie } from './crawls.js'
import { expectFiltered } from './filters.js'
import { listPages } from './lists.js'
import type { LinkedPage } from './lists.js'

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
const checkNextTaken = forEachPlace((place) =>
  expectFiltered(place, { updatedSince: place.first.nextUpdatedSince }),
)

/** A timestamp of the API, moved. */
function addMs(instant: string, ms: number): string {
  const time = Date.parse(instant)
  return Number.isNaN(time) ? instant : new Date(time + ms).toISOString()
}

/** Instants of the sample that are asked for: where shown times differ from stored ones, some records are missing. */
const instantsMax = 5

/** Sync: inclusive, exact, in every form. */
export const syncChecks: Checks = {
  // From the instants of records, and from a millisecond before and after one of them.
  'updated-since': forEachPlace(async (place) => {
    const instants = [...new Set(requireSettled(place).map(readUpdatedAt))]
    const middle = instants[instants.length >> 1] ?? ''
    const moved = [addMs(middle, 1), addMs(middle, -1), '9999-12-31']
    for (const updatedSince of [...spread(instants, instantsMax), ...moved])
      await expectFiltered(place, { updatedSince })
  }),
  // All records of a tie, and none of them a millisecond later.
  'updated-since-tie': forEachPlace(async (place) => {
    const instant = readUpdatedAt(requireTie(place)[0])
    for (const updatedSince of [instant, addMs(instant, 1)]) await expectFiltered(place, { updatedSince })
  }),
  // The same instant, written in every way that the contract has.
  'updated-since-forms': forEachPlace(async (place) => {
    const settled = requireSettled(place)
    const { path, caller, verdict } = place
    for (const [plain, form] of listForms(readUpdatedAt(settled[Math.floor(settled.length / 3)]))) {
      const one = { path, query: { limit: 5, updatedSince: plain } }
      verdict.add(await compareLists(caller, one, { path, query: `limit=5&updatedSince=${form}` }))
    }
  }),
  'next-updated-since': inTurn(checkNextTaken, byRules(listPages, listNextRules)),
}
