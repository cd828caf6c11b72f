import {
  describe,
  listIds,
  listValues,
  listVariants,
  readId,
  readPage,
  readUpdatedAt,
  spread,
  toObject,
} from '../answer.js'
import type { Json } from '../answer.js'
import type { Check, Crawl, Guarantee, Run, Sample } from '../run.js'
import { crawl, expectSettled, forEachSample, readSample } from '../sample.js'
import { expectProblem } from './refusals.js'

type Parameter = 'status' | 'eventId'
type Filters = Readonly<Partial<Record<Parameter | 'updatedSince', string>>>

/** What no product has as a status or as the id of an event. */
const noSuchValue = 'verify-no-such-value'

/** Only records that match, and all of the sample that do. Nothing but a field that a record shows can match. */
async function expectFiltered(run: Run, sample: Sample, query: Filters, limits = [100]): Promise<Crawl> {
  const { updatedSince = '', ...fields } = query
  const isEqual = (record: Json): boolean =>
    Object.entries(fields).every(([name, value]) => record[name] === value)
  const expected = `all records with ${JSON.stringify(query)}, and no other`
  const list = await crawl(run, { path: sample.path, query, limits })
  for (const { exchange, records } of list.pages) {
    const stranger = records.find((one) => !isEqual(one) || isEarly(readUpdatedAt(one), updatedSince))
    run.expect(exchange, [stranger === undefined, `the record ${describeFields(stranger, query)}`, expected])
  }
  expectSettled(run, sample, list, expected, (one) => isEqual(one) && readUpdatedAt(one) >= updatedSince)
  return list
}

function describeFields(record: Json | undefined, query: Filters): string {
  const fields = Object.keys(query).map((name) => (name === 'updatedSince' ? 'updatedAt' : name))
  return JSON.stringify(Object.fromEntries(['id', ...fields].map((name) => [name, record?.[name]])))
}

/** A timestamp of the API, moved. */
function addMs(instant: string, ms: number): string {
  const time = Date.parse(instant)
  return Number.isNaN(time) ? instant : new Date(time + ms).toISOString()
}

/** By how much clocks are set back in autumn, in minutes: an hour, on Lord Howe half an hour, at Troll two. */
const shifts = [60, 30, 120]
let zones: readonly Intl.DateTimeFormat[] | undefined

/**
 * Whether a record changed before an instant, as far as its time can show. A product that stores local times has an hour
 * in autumn that occurs twice: it is shown as the earlier one, and `updatedSince` then starts before it.
 */
function isEarly(updatedAt: string, since: string): boolean {
  if (updatedAt >= since || addMs(updatedAt, Math.max(...shifts) * 60_000) <= since) return updatedAt < since
  zones ??= Intl.supportedValuesOf('timeZone').map(
    (timeZone) => new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  )
  const time = Date.parse(updatedAt)
  return !zones.some((zone) => shifts.some((one) => zone.format(time) === zone.format(time + one * 60_000)))
}

/** Instants of the sample that are asked for: where shown times differ from stored ones, some records are missing. */
const instantsMax = 5

/** From the instants of records, from a millisecond before and after one of them, and from after every record. */
function listInstants({ settled }: Sample): readonly Filters[] {
  const instants = [...new Set(settled.map(readUpdatedAt))]
  const middle = instants[instants.length >> 1]
  if (middle === undefined) return []
  const all = [...spread(instants, instantsMax), addMs(middle, 1), addMs(middle, -1), '9999-12-31']
  return all.map((updatedSince) => ({ updatedSince }))
}

/** Filters by real values of the sample, and why there may be none; beside them filters that are always verified. */
function byFilters(
  toFilters: (sample: Sample) => readonly Filters[],
  toReason: (sample: Sample) => string,
  ...always: readonly Filters[]
): Check {
  return forEachSample(async (run, sample) => {
    const filters = toFilters(sample)
    for (const query of [...filters, ...always]) await expectFiltered(run, sample, query)
    return filters.length === 0 ? toReason(sample) : undefined
  })
}

/** By the rarest and the most frequent value of the sample. */
function byValues(parameter: Parameter, ...always: readonly Filters[]): Check {
  const toFilters = ({ settled }: Sample): readonly Filters[] => {
    const values = listValues(settled, parameter)
    return [...new Set([...values.slice(0, 1), ...values.slice(-1)])].map((value) => ({ [parameter]: value }))
  }
  return byFilters(
    toFilters,
    ({ records }) =>
      records.length > 0 && records.every((one) => one[parameter] === undefined)
        ? `its records do not show ${parameter}: no real value was verified`
        : `no record older than nextUpdatedSince shows its ${parameter}: no real value was verified`,
    ...always,
  )
}

/** Variants of real values; a collation or a pattern would find them. The real event can be of the other collection. */
const checkExact: Check = async (run) => {
  const events: string[] = []
  for (const collection of run.readable)
    events.push(...listValues((await readSample(run, collection))?.settled, 'eventId'))
  if (events.length === 0) run.skip('no record older than nextUpdatedSince shows the id of an event')
  await forEachSample(async (_, sample) => {
    await expectExact(run, sample, 'status', listValues(sample.settled, 'status').at(-1))
    await expectExact(run, sample, 'eventId', events[0])
  })(run)
}

async function expectExact(run: Run, { path }: Sample, parameter: Parameter, real?: string): Promise<void> {
  if (real === undefined) return
  const ofReal = listIds((await run.askPage({ path, query: { [parameter]: real, limit: 100 } })).records)
  for (const value of listVariants(real, real.slice(0, -1), `${real.slice(0, 1)}%`, '%')) {
    const exchange = await run.ask({ path, query: { [parameter]: value, limit: 100 } })
    // Invoices do not show their event: those of the real one are not those of the variant.
    const stranger = readPage(exchange)?.records.find((one) =>
      one[parameter] === undefined ? ofReal.includes(readId(one)) : one[parameter] !== value,
    )
    // Where the statuses are listed, another one is refused.
    const isRefused = parameter === 'status' && toObject(exchange.json)['code'] === 'invalid_parameter'
    const isMet = stranger === undefined && (readPage(exchange) !== undefined || isRefused)
    const got = `${describe(exchange)} ${describeFields(stranger, { [parameter]: value })}`
    run.expect(exchange, [isMet, got, `only records whose ${parameter} is ${JSON.stringify(value)}`])
  }
}

/** An offset with an encoded `+` and with a plain one, which a proxy or a form turns into a blank: both as in UTC. */
async function checkOffsets(run: Run, { path, settled }: Sample): Promise<string | undefined> {
  const since = readUpdatedAt(settled[settled.length >> 1])
  if (since === '') return 'no record is older than nextUpdatedSince'
  const { exchange, records } = await run.askPage({ path, query: { updatedSince: since, limit: 100 } })
  const ids = listIds(records).join()
  for (const plus of ['%2B', '+']) {
    const query = `updatedSince=${encodeURIComponent(since.slice(0, -1))}${plus}00:00&limit=100`
    const page = await run.askPage({ path, query })
    const got = `other records than for ${since}`
    run.expect(page.exchange, [listIds(page.records).join() === ids, got, `those of ${exchange.url}`])
  }
  return undefined
}

/** The filters of a cursor go on without being sent; sent along, they must be the same. */
async function checkCursorFilters(run: Run, sample: Sample): Promise<string | undefined> {
  const { path } = sample
  for (const status of listValues(sample.settled, 'status').toReversed().slice(0, 3)) {
    const { pages } = await expectFiltered(run, sample, { status }, [1, 100])
    const cursor = pages[0]?.cursor ?? null
    if (cursor === null) continue
    const same = await run.ask({ path, query: { cursor, status, limit: 1 } })
    run.expect(same, [same.status === 200, describe(same), '200: the filter equals the one of the cursor'])
    const other = await run.ask({ path, query: { cursor, eventId: noSuchValue } })
    expectProblem(run, other, '400 cursor_mismatch eventId')
    return undefined
  }
  return 'no status has two records among the first'
}

/** Filters: inclusive and exact, complete, and byte for byte. */
export const filterGuarantees: readonly Guarantee[] = [
  [
    'updated-since',
    'updatedSince is inclusive and exact',
    byFilters(listInstants, () => 'no record is older than nextUpdatedSince'),
    forEachSample(checkOffsets),
  ],
  [
    'filter-event',
    'eventId returns the records of that event, all of them and no other',
    // Invoices do not show their events: there, an event that does not exist has none.
    byValues('eventId', { eventId: noSuchValue }),
  ],
  [
    'filter-status',
    'status returns the records of that status, all of them and no other',
    byValues('status'),
  ],
  ['cursor-filters', 'A cursor carries its filters and takes no other', forEachSample(checkCursorFilters)],
  ['filter-exact', 'Filters match byte for byte', checkExact],
]
