import { describe, listIds, readId, readPage, readUpdatedAt, spread, toObject, toPlace } from '../answer.js'
import type { Json, Page } from '../answer.js'
import { forEachSample, guarantee, noSettled } from '../run.js'
import type { Check, Run, Sample } from '../run.js'
import { findTie, noTie } from './crawls.js'
import { expectProblem } from './problems.js'
import { isEarly, listVariants, swapCase } from './records.js'

type Parameter = 'status' | 'eventId'
type Filters = Readonly<Partial<Record<Parameter | 'updatedSince', string>>>

/** What no product has as a status or as the id of an event. */
const noSuchValue = 'verify-no-such-value'

/** Only records that match, and all of the sample that do. Nothing but a field that a record shows can match. */
export async function expectFiltered(run: Run, sample: Sample, query: Filters): Promise<void> {
  const matches = (record: Json): boolean =>
    Object.entries(query).every(([name, value]) =>
      name === 'updatedSince' ? !isEarly(readUpdatedAt(record), value) : record[name] === value,
    )
  const page = await run.askPage({ path: sample.path, query: { ...query, limit: 100 } })
  const stranger = page.records.find((record) => !matches(record))
  const expected = `all records with ${JSON.stringify(query)}, and no other`
  const got = `the record ${describeFields(stranger, query)}`
  run.expect(stranger === undefined, page.exchange, got, expected)
  const lost = listLost(sample, page).find(
    (record) => readUpdatedAt(record) >= (query.updatedSince ?? '') && matches(record),
  )
  run.compare(lost === undefined, page.exchange, `no record ${toPlace(lost)}`, expected)
}

/** The settled records of the sample that a page does not have, up to its end. */
function listLost({ settled }: Sample, { records, cursor }: Page): readonly Json[] {
  const end = cursor === null ? '~' : readUpdatedAt(records.at(-1))
  const ids = new Set(records.map(readId))
  return settled.filter((record) => readUpdatedAt(record) < end && !ids.has(readId(record)))
}

function describeFields(record: Json | undefined, query: Filters): string {
  const fields = Object.keys(query).map((name) => (name === 'updatedSince' ? 'updatedAt' : name))
  return JSON.stringify(Object.fromEntries(['id', ...fields].map((name) => [name, record?.[name]])))
}

/** Values of a field in the sample, the rarest first. */
function listValues({ settled }: Sample, field: Parameter): readonly string[] {
  const counts = new Map<string, number>()
  for (const { [field]: value } of settled)
    if (typeof value === 'string' && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => one - other).map(([value]) => value)
}

/** The rarest and the most frequent value of the sample. */
function checkValues(parameter: Parameter): Check {
  return forEachSample(async (run, sample) => {
    const values = listValues(sample, parameter)
    for (const value of new Set([...values.slice(0, 1), ...values.slice(-1)]))
      await expectFiltered(run, sample, { [parameter]: value })
    return values.length === 0 ? `no record shows its ${parameter}: no real value was verified` : undefined
  })
}

/** All filters of a record at once, and each of them with one that does not fit. An empty value is no filter. */
async function checkCombined(run: Run, sample: Sample): Promise<string | undefined> {
  const record = sample.settled[sample.settled.length >> 1]
  if (record === undefined) return noSettled
  const query: Partial<Record<keyof Filters, string>> = { updatedSince: readUpdatedAt(record) }
  for (const name of ['status', 'eventId'] as const) {
    const { [name]: value } = record
    if (typeof value === 'string' && value !== '') query[name] = value
  }
  for (const one of [query, { ...query, eventId: noSuchValue }]) await expectFiltered(run, sample, one)
  return undefined
}

/** Variants of real values; a collation or a pattern would find them. The real event can be of the other collection. */
const checkExact: Check = async (run) => {
  const events: string[] = []
  const readEvents = (_: Run, sample: Sample) =>
    Promise.resolve(void events.push(...listValues(sample, 'eventId')))
  await forEachSample(readEvents)(run)
  await forEachSample(async (_, sample) => {
    const reals = { status: listValues(sample, 'status').at(-1), eventId: events[0] }
    for (const [parameter, real] of Object.entries(reals) as [Parameter, string | undefined][]) {
      if (real === undefined) continue
      const others = [swapCase(real), real.slice(0, -1), `${real.slice(0, 1)}%`, '%']
      for (const value of listVariants(real, others))
        await expectExact(run, sample, { parameter, value, real })
    }
  })(run)
  if (events.length === 0) run.skip('no record shows the id of an event')
}

interface Variant {
  readonly parameter: Parameter
  readonly value: string
  readonly real: string
}

async function expectExact(run: Run, { path }: Sample, { parameter, value, real }: Variant): Promise<void> {
  const exchange = await run.ask({ path, query: { [parameter]: value, limit: 100 } })
  const page = readPage(exchange)
  const expected = `no record, or only records whose ${parameter} is exactly ${JSON.stringify(value)}`
  if (page === undefined) {
    // Where the statuses are listed, another one is refused.
    const isRefused = parameter === 'status' && toObject(exchange.json)['code'] === 'invalid_parameter'
    run.expect(isRefused, exchange, describe(exchange), expected)
    return
  }
  let strangers = page.records.filter((record) => record[parameter] !== value)
  if (parameter === 'eventId' && strangers.length > 0 && strangers[0]?.['eventId'] === undefined) {
    // Invoices do not show their event: those of the real one are no others.
    const ofReal = listIds((await run.askPage({ path, query: { [parameter]: real, limit: 100 } })).records)
    strangers = strangers.filter((record) => ofReal.includes(readId(record)))
  }
  const got = `the record ${describeFields(strangers[0], { [parameter]: value })}`
  run.expect(strangers.length === 0, exchange, got, expected)
}

/** The filters of a cursor go on without being sent; sent along, they must be the same. */
async function checkCursorFilters(run: Run, sample: Sample): Promise<string | undefined> {
  const { path } = sample
  for (const status of listValues(sample, 'status').toReversed().slice(0, 3)) {
    const { cursor } = await run.askPage({ path, query: { status, limit: 1 } })
    if (cursor === null) continue
    const { exchange, records } = await run.askPage({ path, query: { cursor, limit: 100 } })
    const stranger = records.find((record) => record['status'] !== status)
    const got = `a record with status ${JSON.stringify(stranger?.['status'])}`
    run.expect(stranger === undefined, exchange, got, `only ${JSON.stringify(status)}, as the crawl filters`)
    const same = await run.ask({ path, query: { cursor, status, limit: 1 } })
    run.expect(same.status === 200, same, describe(same), '200: the filter equals the one of the cursor')
    for (const query of [{ eventId: noSuchValue }, { updatedSince: '2001-02-03T04:05:06Z' }]) {
      const other = await run.ask({ path, query: { cursor, ...query } })
      expectProblem(run, other, `cursor_mismatch ${Object.keys(query).join()}`)
    }
    return undefined
  }
  return 'no status has two records among the first'
}

/** A timestamp of the API, moved. */
function addMs(instant: string, ms: number): string {
  const time = Date.parse(instant)
  return Number.isNaN(time) ? instant : new Date(time + ms).toISOString()
}

/** Instants of the sample that are asked for: where shown times differ from stored ones, some records are missing. */
const instantsMax = 5

/** From the instants of records, and from a millisecond before and after one of them. */
async function checkInstants(run: Run, sample: Sample): Promise<string | undefined> {
  const instants = [...new Set(sample.settled.map(readUpdatedAt))]
  const middle = instants[instants.length >> 1]
  if (middle === undefined) return noSettled
  const moved = [addMs(middle, 1), addMs(middle, -1), '9999-12-31']
  for (const updatedSince of [...spread(instants, instantsMax), ...moved])
    await expectFiltered(run, sample, { updatedSince })
  return undefined
}

/** All records of a tie, and none of them a millisecond later. */
async function checkTie(run: Run, sample: Sample): Promise<string | undefined> {
  const instant = readUpdatedAt(findTie(sample)?.[0])
  if (instant === '') return noTie
  for (const updatedSince of [instant, addMs(instant, 1)]) await expectFiltered(run, sample, { updatedSince })
  return undefined
}

/** Filters: inclusive and exact, complete, and byte for byte. */
export const filterGuarantees = [
  guarantee('updated-since', 'updatedSince is inclusive and exact', forEachSample(checkInstants)),
  guarantee('updated-since-tie', 'updatedSince returns all records of its instant', forEachSample(checkTie)),
  guarantee(
    'cursor-filters',
    'A cursor carries its filters and takes no other',
    forEachSample(checkCursorFilters),
  ),
  guarantee(
    'filter-event',
    'eventId returns the records of that event, all of them and no other',
    // Invoices do not show their events: there, an event that does not exist has none.
    forEachSample((run, sample) => expectFiltered(run, sample, { eventId: noSuchValue })),
    checkValues('eventId'),
  ),
  guarantee(
    'filter-status',
    'status returns the records of that status, all of them and no other',
    checkValues('status'),
  ),
  guarantee('filter-exact', 'Filters match byte for byte', checkExact),
  guarantee('filters-combined', 'Several filters must all match', forEachSample(checkCombined)),
]
