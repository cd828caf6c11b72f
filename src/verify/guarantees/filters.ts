import { swapCase } from '../caller.js'
import { describe, toObject } from '../exchange.js'
import type { Json } from '../exchange.js'
import { askPage, listIds, readId, readPage, readUpdatedAt } from '../pages.js'
import type { ListQuery } from '../pages.js'
import {
  confirm,
  defineGuarantee,
  forEachSample,
  LackError,
  listReadable,
  listSettled,
  requireSettled,
} from '../run.js'
import type { Check, Guarantee, Run, Sample } from '../run.js'
import type { Verdict } from '../verdict.js'
import { findLost } from './updated-since.js'
import { listVariants } from './values.js'

/** The rarest and the most frequent status of the sample. */
const checkFilterStatus = forEachSample(async (sample, run, verdict) => {
  const values = listValues(sample, 'status')
  for (const status of new Set([values[0], values.at(-1)]))
    if (status !== undefined) await expectFiltered(run, verdict, sample, { status })
  if (values.length === 0) throw new LackError('no record has a status')
})

/** What no product has as a status or as the id of an event. */
const noSuchValue = 'verify-no-such-value'

/** Events of registrations, which show them. Invoices do not: there, an event that does not exist has none. */
const checkFilterEvent = forEachSample(async (sample, run, verdict) => {
  await expectNone(run, verdict, sample, { eventId: noSuchValue, limit: 100 })
  const values = listValues(sample, 'eventId')
  for (const eventId of new Set([values[0], values.at(-1)]))
    if (eventId !== undefined) await expectFiltered(run, verdict, sample, { eventId })
  if (values.length === 0)
    throw new LackError('no record shows its event: only an event that does not exist was verified')
})

/** All filters of a record at once, and each of them with one that does not fit. */
const checkFiltersCombined = forEachSample(async (sample, run, verdict) => {
  const settled = requireSettled(sample)
  const record = settled[settled.length >> 1]
  const { status, eventId } = toObject(record)
  const query = {
    updatedSince: readUpdatedAt(record),
    ...(typeof status === 'string' ? { status } : {}),
    ...(typeof eventId === 'string' ? { eventId } : {}),
  }
  await expectFiltered(run, verdict, sample, query)
  await expectNone(run, verdict, sample, { ...query, eventId: noSuchValue })
})

async function expectNone(run: Run, verdict: Verdict, sample: Sample, query: ListQuery): Promise<void> {
  const { exchange, records } = await askPage(run.caller, { path: sample.collection.path, query })
  const got = `${records.length} records`
  verdict.expect(records.length === 0, { exchange, got, expected: 'none: there is no such event' })
}

/** Only records that match, and all of them that the sample has. */
async function expectFiltered(run: Run, verdict: Verdict, sample: Sample, query: ListQuery): Promise<void> {
  const matches = (record: Json): boolean =>
    Object.entries(query).every(([name, value]) =>
      name === 'updatedSince' ? readUpdatedAt(record) >= String(value) : record[name] === value,
    )
  const expected = `all records with ${JSON.stringify(query)}, and no other`
  const problem = await confirm(async () => {
    const page = await askPage(run.caller, { path: sample.collection.path, query: { ...query, limit: 100 } })
    const { exchange, records } = page
    const stranger = records.find((record) => !matches(record))
    if (stranger !== undefined)
      return { exchange, got: `the record ${describeFields(stranger, query)}`, expected }
    const lost = await findLost(run, sample, page, matches)
    if (lost === undefined || lost === 'unsteady') return lost
    return { exchange, got: `no record ${listIds(lost)}`, expected }
  })
  verdict.add(problem)
}

function describeFields(record: Json, query: ListQuery): string {
  const fields = Object.keys(query).map((name) => (name === 'updatedSince' ? 'updatedAt' : name))
  return JSON.stringify(Object.fromEntries(['id', ...fields].map((name) => [name, record[name]])))
}

/** Values of a field in the sample, the rarest first. */
function listValues(sample: Sample, field: 'status' | 'eventId'): readonly string[] {
  const counts = new Map<string, number>()
  for (const record of listSettled(sample)) {
    const value = record[field]
    if (typeof value === 'string' && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => one - other).map(([value]) => value)
}

/** Variants of real values; a collation or a pattern would find them. */
const checkFilterExact: Check = async (run, verdict) => {
  const events = new Set<string>()
  await forEachSample((sample) => {
    for (const event of listValues(sample, 'eventId')) events.add(event)
  })(run, verdict)
  const [event] = events
  await forEachSample(async (sample) => {
    const status = listValues(sample, 'status').at(-1)
    for (const value of listFilterVariants(status))
      await expectExact(run, verdict, sample, { parameter: 'status', value, real: status })
    for (const value of listFilterVariants(event))
      await expectExact(run, verdict, sample, { parameter: 'eventId', value, real: event })
  })(run, verdict)
  if (listReadable(run).length > 0 && event === undefined) verdict.skip('no record shows the id of an event')
}

/** Also a part of the value, and patterns. */
function listFilterVariants(value: string | undefined): readonly string[] {
  if (value === undefined) return []
  return listVariants(value, [swapCase(value), value.slice(0, -1), `${value.slice(0, 1)}%`, '%'])
}

interface Variant {
  readonly parameter: 'status' | 'eventId'
  readonly value: string
  readonly real: string | undefined
}

async function expectExact(
  { caller }: Run,
  verdict: Verdict,
  { collection: { path } }: Sample,
  { parameter, value, real = '' }: Variant,
): Promise<void> {
  const exchange = await caller.ask({ path, query: { [parameter]: value, limit: 100 } })
  const page = readPage(exchange)
  const expected = `no record, or only records whose ${parameter} is exactly ${JSON.stringify(value)}`
  if (page === undefined) {
    // Where the statuses are listed, another one is refused.
    const isRefused = parameter === 'status' && toObject(exchange.json)['code'] === 'invalid_parameter'
    verdict.expect(isRefused, { exchange, got: describe(exchange), expected })
    return
  }
  let strangers = page.records.filter((record) => record[parameter] !== value)
  if (parameter === 'eventId' && strangers[0]?.['eventId'] === undefined && strangers.length > 0) {
    // Invoices do not show their event: those of the real one are no others.
    const ofReal = await askPage(caller, { path, query: { [parameter]: real, limit: 100 } })
    const ids = new Set(ofReal.records.map(readId))
    strangers = strangers.filter((record) => ids.has(readId(record)))
  }
  const got = `the record ${describeFields(strangers[0] ?? {}, { [parameter]: value })}`
  verdict.expect(strangers.length === 0, { exchange, got, expected })
}

/** Filters: complete, and byte for byte. */
export const filterGuarantees: readonly Guarantee[] = [
  defineGuarantee(
    'filter-event',
    'eventId returns the records of that event, all of them and no other',
    checkFilterEvent,
  ),
  defineGuarantee(
    'filter-status',
    'status returns the records of that status, all of them and no other',
    checkFilterStatus,
  ),
  defineGuarantee('filter-exact', 'Filters match byte for byte', checkFilterExact),
  defineGuarantee(
    'filters-combined',
    'Several filters return the records that match all of them',
    checkFiltersCombined,
  ),
]
