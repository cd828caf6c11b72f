import { describe, toObject } from '../exchange.js'
import type { Json } from '../exchange.js'
import { askPage, keepShown, listIds, readId, readPage, readUpdatedAt, toPlace } from '../pages.js'
import type { ListQuery, Page } from '../pages.js'
import { forEachPlace, guarantee, noSettled } from '../run.js'
import type { Check, Place } from '../run.js'
import { expectProblem } from './problems.js'
import { isEarly, listVariants, swapCase } from './values.js'

type Parameter = 'status' | 'eventId'

/** What no product has as a status or as the id of an event. */
const noSuchValue = 'verify-no-such-value'

/**
 * Only records that match, and of those that were there before and afterwards all that the sample has. Nothing but a field
 * that a record shows can match.
 */
export async function expectFiltered(place: Place, query: ListQuery): Promise<void> {
  const { path, verdict } = place
  const matches = (record: Json): boolean =>
    Object.entries(query).every(([name, value]) =>
      name === 'updatedSince' ? !isEarly(readUpdatedAt(record), String(value)) : record[name] === value,
    )
  const expected = `all records with ${JSON.stringify(query)}, and no other`
  await verdict.confirm(async () => {
    const page = await askPage(place, { path, query: { ...query, limit: 100 } })
    const { exchange, records } = page
    const stranger = records.find((record) => !matches(record))
    if (stranger !== undefined)
      return { exchange, got: `the record ${describeFields(stranger, query)}`, expected }
    const lost = listLost(place, page).filter(
      // The time first: whether a local time occurs twice takes 10 ms.
      (record) => readUpdatedAt(record) >= String(query['updatedSince'] ?? '') && matches(record),
    )
    if (lost.length === 0) return undefined
    // What is missing may have been changed or archived since the sample was read.
    const steady = await keepShown(place, place.pages, lost)
    const got = `no record ${steady.map(toPlace).slice(0, 5).join(', ')}`
    return steady.length === 0 ? 'unsteady' : { exchange, got, expected }
  })
}

/** The settled records of the sample that a page does not have, up to its end. */
function listLost({ settled }: Place, { records, cursor }: Page): readonly Json[] {
  const end = cursor === null ? '~' : readUpdatedAt(records.at(-1))
  const ids = new Set(records.map(readId))
  return settled.filter((record) => readUpdatedAt(record) < end && !ids.has(readId(record)))
}

function describeFields(record: Json | undefined, query: ListQuery): string {
  const fields = Object.keys(query).map((name) => (name === 'updatedSince' ? 'updatedAt' : name))
  return JSON.stringify(Object.fromEntries(['id', ...fields].map((name) => [name, record?.[name]])))
}

/** Values of a field in the sample, the rarest first. */
function listValues({ settled }: Pick<Place, 'settled'>, field: Parameter): readonly string[] {
  const counts = new Map<string, number>()
  for (const { [field]: value } of settled)
    if (typeof value === 'string' && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => one - other).map(([value]) => value)
}

/** The rarest and the most frequent value of the sample. */
async function checkValues(place: Place, parameter: Parameter): Promise<string | undefined> {
  const values = listValues(place, parameter)
  for (const value of new Set([...values.slice(0, 1), ...values.slice(-1)]))
    await expectFiltered(place, { [parameter]: value })
  return values.length === 0 ? `no record shows its ${parameter}: no real value was verified` : undefined
}

/** All filters of a record at once, and each of them with one that does not fit. An empty value is no filter. */
async function checkCombined(place: Place): Promise<string | undefined> {
  const record = place.settled[place.settled.length >> 1]
  if (record === undefined) return noSettled
  const parameters = Object.entries({ status: record['status'], eventId: record['eventId'] })
  const values = parameters.filter(([, value]) => typeof value === 'string' && value !== '')
  const query = { updatedSince: readUpdatedAt(record), ...(Object.fromEntries(values) as ListQuery) }
  for (const one of [query, { ...query, eventId: noSuchValue }]) await expectFiltered(place, one)
  return undefined
}

/** Variants of real values; a collation or a pattern would find them. The real event can be of the other collection. */
const checkExact: Check = async (run) => {
  const events: string[] = []
  await forEachPlace((place) => Promise.resolve(void events.push(...listValues(place, 'eventId'))))(run)
  await forEachPlace(async (place) => {
    const reals = { status: listValues(place, 'status').at(-1), eventId: events[0] }
    for (const [parameter, real] of Object.entries(reals) as [Parameter, string | undefined][]) {
      if (real === undefined) continue
      const others = [swapCase(real), real.slice(0, -1), `${real.slice(0, 1)}%`, '%']
      for (const value of listVariants(real, others)) await expectExact(place, parameter, value, real)
    }
  })(run)
  if (events.length === 0) run.verdict.skip('no record shows the id of an event')
}

async function expectExact(place: Place, parameter: Parameter, value: string, real: string): Promise<void> {
  const { path, verdict } = place
  const exchange = await place.ask({ path, query: { [parameter]: value, limit: 100 } })
  const page = readPage(exchange)
  const expected = `no record, or only records whose ${parameter} is exactly ${JSON.stringify(value)}`
  if (page === undefined) {
    // Where the statuses are listed, another one is refused.
    const isRefused = parameter === 'status' && toObject(exchange.json)['code'] === 'invalid_parameter'
    verdict.expect(isRefused, exchange, describe(exchange), expected)
    return
  }
  let strangers = page.records.filter((record) => record[parameter] !== value)
  if (parameter === 'eventId' && strangers.length > 0 && strangers[0]?.['eventId'] === undefined) {
    // Invoices do not show their event: those of the real one are no others.
    const ofReal = await askPage(place, { path, query: { [parameter]: real, limit: 100 } })
    const ids = new Set(listIds(ofReal.records))
    strangers = strangers.filter((record) => listIds([record]).some((id) => ids.has(id)))
  }
  const got = `the record ${describeFields(strangers[0], { [parameter]: value })}`
  verdict.expect(strangers.length === 0, exchange, got, expected)
}

/** The filters of a cursor go on without being sent; sent along, they must be the same. */
async function checkCursorFilters(place: Place): Promise<string | undefined> {
  const { path, ask, verdict } = place
  const [status, cursor] = await findFilteredPage(place)
  if (cursor === undefined) return 'no status has two records among the first'
  const { exchange, records } = await askPage(place, { path, query: { cursor, limit: 100 } })
  const stranger = records.find((record) => record['status'] !== status)
  const got = `a record with status ${JSON.stringify(stranger?.['status'])}`
  const expected = `only ${JSON.stringify(status)}, the filter of the crawl`
  verdict.expect(stranger === undefined, exchange, got, expected)
  const same = await ask({ path, query: { cursor, status, limit: 1 } })
  verdict.expect(same.status === 200, same, describe(same), '200: the filter equals the one of the cursor')
  for (const query of [{ eventId: 'verify-other-event' }, { updatedSince: '2001-02-03T04:05:06Z' }]) {
    const other = await ask({ path, query: { cursor, ...query } })
    expectProblem(verdict, other, `cursor_mismatch ${Object.keys(query).join()}`)
  }
  return undefined
}

/** A status that has more than a page of one record, and the cursor of that page. */
async function findFilteredPage(place: Place): Promise<readonly [status: string, cursor?: string]> {
  for (const status of listValues(place, 'status').toReversed().slice(0, 3)) {
    const { cursor } = await askPage(place, { path: place.path, query: { status, limit: 1 } })
    if (cursor !== null) return [status, cursor]
  }
  return ['']
}

/** Filters: complete, and byte for byte. */
export const filterGuarantees = [
  guarantee(
    'cursor-filters',
    'A cursor carries its filters and takes no other',
    forEachPlace(checkCursorFilters),
  ),
  guarantee(
    'filter-event',
    'eventId returns the records of that event, all of them and no other',
    // Invoices do not show their events: there, an event that does not exist has none.
    forEachPlace((place) => expectFiltered(place, { eventId: noSuchValue })),
    forEachPlace((place) => checkValues(place, 'eventId')),
  ),
  guarantee(
    'filter-status',
    'status returns the records of that status, all of them and no other',
    forEachPlace((place) => checkValues(place, 'status')),
  ),
  guarantee('filter-exact', 'Filters match byte for byte', checkExact),
  guarantee('filters-combined', 'Several filters must all match', forEachPlace(checkCombined)),
]
