import { readQuery } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { readUpdatedAt, spread } from '../pages.js'
import { forEachPlace, guarantee, noSettled, watching } from '../run.js'
import type { Check, Place } from '../run.js'
import { findTie, noTie } from './crawls.js'
import { expectFiltered } from './filters.js'
import { listPages } from './lists.js'
import { isTimestamp } from './values.js'

/** A timestamp of the API, moved. */
function addMs(instant: string, ms: number): string {
  const time = Date.parse(instant)
  return Number.isNaN(time) ? instant : new Date(time + ms).toISOString()
}

/** Instants of the sample that are asked for: where shown times differ from stored ones, some records are missing. */
const instantsMax = 5

/** From the instants of records, and from a millisecond before and after one of them. */
async function checkInstants(place: Place): Promise<string | undefined> {
  const instants = [...new Set(place.settled.map(readUpdatedAt))]
  const middle = instants[instants.length >> 1]
  if (middle === undefined) return noSettled
  const moved = [addMs(middle, 1), addMs(middle, -1), '9999-12-31']
  for (const updatedSince of [...spread(instants, instantsMax), ...moved])
    await expectFiltered(place, { updatedSince })
  return undefined
}

/** All records of a tie, and none of them a millisecond later. */
async function checkTie(place: Place): Promise<string | undefined> {
  const tie = findTie(place)
  if (tie === undefined) return noTie
  const instant = readUpdatedAt(tie[0])
  for (const updatedSince of [instant, addMs(instant, 1)]) await expectFiltered(place, { updatedSince })
  return undefined
}

/** The clocks of the database and of the service can differ by so much. */
const clockDifferenceMaxMs = 5000
/** The largest `SYNC_OVERLAP_SECONDS`, and an hour for a replica that is behind and for clocks. */
const overlapMaxMs = 25 * 3_600_000

/** Whether it is a time, not in the future and not older than any overlap. */
function isSoon({ headers: { date = '' }, sentAt }: Exchange, time: number): boolean {
  const age = (Date.parse(date) || sentAt) - time
  return age >= -clockDifferenceMaxMs && age <= overlapMaxMs
}

/** One value for a crawl. Without a fresh heartbeat it is the start of the crawl: a sync repeats and loses nothing. */
const checkNext: Check = ({ exchanges, verdict }) => {
  for (const { exchange, before, nextUpdatedSince: got } of listPages({ exchanges })) {
    const { nextUpdatedSince: begun } = before ?? {}
    const time = isTimestamp(got) ? Date.parse(got) : Number.NaN
    const isRepeated = time === Date.parse(readQuery(exchange).get('updatedSince') ?? '1970-01-01')
    if (isRepeated) verdict.skip('the heartbeat is not fresh, so that every sync repeats')
    if (begun === undefined)
      verdict.expect(
        isRepeated || isSoon(exchange, time),
        exchange,
        got,
        'a time of the day before, and not after',
      )
    else verdict.expect(begun === got, exchange, got, `${begun}, as on the page before`)
  }
}

/** Sync: inclusive and exact. */
export const syncGuarantees = [
  guarantee('updated-since', 'updatedSince is inclusive and exact', forEachPlace(checkInstants)),
  guarantee('updated-since-tie', 'updatedSince returns all records of its instant', forEachPlace(checkTie)),
  watching(
    'next-updated-since',
    'nextUpdatedSince is the same on all pages of a crawl, and shortly before its beginning',
    // A list takes it as updatedSince.
    forEachPlace((place) => expectFiltered(place, { updatedSince: place.first.nextUpdatedSince })),
    checkNext,
  ),
]
