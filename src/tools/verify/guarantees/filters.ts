import { swapCase } from '../caller.js'
import { describe, toObject } from '../exchange.js'
import type { Json } from '../exchange.js'
import { askPage, keepShown, listIds, readId, readPage, readUpdatedAt, toPlace } from '../pages.js'
import type { ListQuery, Page } from '../pages.js'
import { forEachPlace, inTurn, LackError, listReadable, listSettled, requireSettled } from '../run.js'
import type { Check, Checks, Place, Sample } from '../run.js'
import { confirm } from '../verdict.js'
import { expectProblem } from './problems.js'
import { isEarly, listVariants } from './values.js'

type Parameter = 'status' | 'eventId'

/** What no product has as a status or as the id of an event. */
const noSuchValue = 'verify-no-such-value'

/** The rarest and the most frequent value of the sample. @throws LackError */
async function checkValues(place: Place, parameter: Parameter, lacking: string): Promise<void> {
  const values = listValues(place, parameter)
  for (const value of new Set([...values.slice(0, 1), ...values.slice(-1)]))
    await expectFiltered(place, { [parameter]: value })
  if (values.length === 0) throw new LackError(lacking)
}

/** All filters of a record at once, and each of them with one that does not fit. An empty value is no filter. */
async function checkCombined(place: Place): Promise<void> {
  const settled = requireSettled(place)
  const record = settled[settled.length >> 1]
  const parameters = Object.entries({ status: record?.['status'], eventId: record?.['eventId'] })
  const values = parameters.filter(([, value]) => typeof value === 'string' && value !== '')
  const query = { updatedSince: readUpdatedAt(record), ...(Object.fromEntries(values) as ListQuery) }
  for (const one of [query, { ...query, eventId: noSuchValue }]) await expectFiltered(place, one)
}

/**
 * Only records that match, and of those that were there before and afterwards all that the sample has. Nothing but a field
 * that a record shows can match.
 */
export async function expectFiltered(place: Place, query: ListQuery): Promise<void> {
  const { path, caller, verdict } = place
  const matches = (record: Json): boolean =>
    Object.entries(query).every(([name, value]) =>
      name === 'updatedSince' ? !isEarly(readUpdatedAt(record), String(value)) : record[name] === value,
    )
  // The time first: whether a local time occurs twice takes 10 ms.
  const isWanted = (record: Json): boolean =>
    readUpdatedAt(record) >= String(query['updatedSince'] ?? '') && matches(record)
  const expected = `all records with ${JSON.stringify(query)}, and no other`
  const attempt = async () => {
    const page = await askPage(caller, { path, query: { ...query, limit: 100 } })
    const { exchange, records } = page
    const stranger = records.find((record) => !matches(record))
    if (stranger !== undefined)
      return { exchange, got: `the record ${describeFields(stranger, query)}`, expected }
    const lost = await findLost(place, page, isWanted)
    if (lost === undefined || lost === 'unsteady') return lost
    return { exchange, got: `no record ${lost.map(toPlace).slice(0, 5).join(', ')}`, expected }
  }
  verdict.add(await confirm(attempt))
}

/** The settled records of the sample that a page lacks up to its end, although they did not change since. */
async function findLost(
  { caller, ...sample }: Place,
  { records, cursor }: Page,
  isWanted: (record: Json) => boolean,
): Promise<readonly Json[] | 'unsteady' | undefined> {
  const end = cursor === null ? '~' : readUpdatedAt(records.at(-1))
  const ids = new Set(records.map(readId))
  const lost = listSettled(sample).filter(
    (record) => isWanted(record) && readUpdatedAt(record) < end && !ids.has(readId(record)),
  )
  if (lost.length === 0) return undefined
  // What is missing may have been changed or archived since the sample was read.
  const steady = await keepShown(caller, sample.pages, lost)
  return steady.length === 0 ? 'unsteady' : steady
}

function describeFields(record: Json | undefined, query: ListQuery): string {
  const fields = Object.keys(query).map((name) => (name === 'updatedSince' ? 'updatedAt' : name))
  return JSON.stringify(Object.fromEntries(['id', ...fields].map((name) => [name, record?.[name]])))
}

/** Values of a field in the sample, the rarest first. */
function listValues(sample: Pick<Sample, 'records' | 'settledBefore'>, field: Parameter): readonly string[] {
  const counts = new Map<string, number>()
  for (const record of listSettled(sample)) {
    const value = record[field]
    if (typeof value === 'string' && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => one - other).map(([value]) => value)
}

/** Variants of real values; a collation or a pattern would find them. The real event can be of the other collection. */
const checkFilterExact: Check = async (run) => {
  const events: string[] = []
  const learn = forEachPlace((place) => void events.push(...listValues(place, 'eventId')))
  const expectAll = forEachPlace(async (place) => {
    const reals = { status: listValues(place, 'status').at(-1), eventId: events[0] }
    for (const [parameter, real] of Object.entries(reals) as [Parameter, string | undefined][])
      for (const value of listFilterVariants(real)) await expectExact(place, parameter, value, real)
  })
  await inTurn(learn, expectAll)(run)
  if (listReadable(run).length > 0 && events.length === 0)
    run.verdict.skip('no record shows the id of an event')
}

/** Also a part of the value, and patterns. */
function listFilterVariants(value: string | undefined): readonly string[] {
  if (value === undefined) return []
  return listVariants(value, [swapCase(value), value.slice(0, -1), `${value.slice(0, 1)}%`, '%'])
}

async function expectExact(
  { path, caller, verdict }: Place,
  parameter: Parameter,
  value: string,
  real = '',
): Promise<void> {
  const exchange = await caller.ask({ path, query: { [parameter]: value, limit: 100 } })
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
    const ofReal = await askPage(caller, { path, query: { [parameter]: real, limit: 100 } })
    const ids = new Set(listIds(ofReal.records))
    strangers = strangers.filter((record) => listIds([record]).some((id) => ids.has(id)))
  }
  const got = `the record ${describeFields(strangers[0], { [parameter]: value })}`
  verdict.expect(strangers.length === 0, exchange, got, expected)
}

/** The filters of a cursor go on without being sent; sent along, they must be the same. */
async function checkCursorFilters(place: Place): Promise<void> {
  const { path, caller, verdict } = place
  const { status, cursor } = await findFilteredPage(place)
  const { exchange, records } = await askPage(caller, { path, query: { cursor, limit: 100 } })
  const stranger = records.find((record) => record['status'] !== status)
  const got = `a record with status ${JSON.stringify(stranger?.['status'])}`
  const expected = `only ${JSON.stringify(status)}, the filter of the crawl`
  verdict.expect(stranger === undefined, exchange, got, expected)
  const same = await caller.ask({ path, query: { cursor, status, limit: 1 } })
  verdict.expect(same.status === 200, same, describe(same), '200: the filter equals the one of the cursor')
  for (const [parameter, value] of [
    ['eventId', 'verify-other-event'],
    ['updatedSince', '2001-02-03T04:05:06Z'],
  ] as const) {
    const other = await caller.ask({ path, query: { cursor, [parameter]: value } })
    expectProblem(verdict, other, `cursor_mismatch ${parameter}`)
  }
}

/** @throws LackError */
async function findFilteredPage({ path, records, caller }: Place) {
  const statuses = new Set(records.map(({ status }) => status).filter((one) => typeof one === 'string'))
  for (const status of [...statuses].filter((one) => one !== '').slice(0, 3)) {
    const { cursor } = await askPage(caller, { path, query: { status, limit: 1 } })
    if (cursor !== null) return { status, cursor }
  }
  throw new LackError('no status has two records among the first')
}

/** Filters: complete, and byte for byte. */
export const filterChecks: Checks = {
  'cursor-filters': forEachPlace(checkCursorFilters),
  // Invoices do not show their events: there, an event that does not exist has none.
  'filter-event': forEachPlace(async (place) => {
    await expectFiltered(place, { eventId: noSuchValue })
    const lacking = 'no record shows its event: only an event that does not exist was verified'
    await checkValues(place, 'eventId', lacking)
  }),
  'filter-status': forEachPlace((place) => checkValues(place, 'status', 'no record has a status')),
  'filter-exact': checkFilterExact,
  'filters-combined': forEachPlace(checkCombined),
}
