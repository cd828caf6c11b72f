import { describe, toObject } from '../exchange.js'
import type { Json } from '../exchange.js'
import { askPage, keepSteady, listIds, readId, readPage, readUpdatedAt } from '../pages.js'
import type { ListQuery } from '../pages.js'
import { confirm, forEachSample, listReadable, listSettled } from '../run.js'
import type { Check, Run, Sample } from '../run.js'
import type { Verdict } from '../verdict.js'
import { findMissing, listExpected } from './updated-since.js'

/** The rarest and the most frequent status of the sample. */
export const checkFilterStatus = forEachSample(async (sample, run, verdict) => {
  const values = listValues(sample, 'status')
  for (const status of new Set([values[0], values.at(-1)]))
    if (status !== undefined) await expectFiltered(run, verdict, sample, { status })
  if (values.length === 0) verdict.skip(`${sample.collection.name}: no record has a status`)
})

/** Events of registrations, which show them. Invoices do not: there, an event that does not exist has none. */
export const checkFilterEvent = forEachSample(async (sample, run, verdict) => {
  const { path, name } = sample.collection
  const nowhere = await askPage(run.caller, { path, query: { eventId: noSuchValue, limit: 100 } })
  verdict.expect(nowhere.records.length === 0, {
    exchange: nowhere.exchange,
    got: `${nowhere.records.length} records`,
    expected: 'none: there is no such event',
  })
  const values = listValues(sample, 'eventId')
  for (const eventId of new Set([values[0], values.at(-1)]))
    if (eventId !== undefined) await expectFiltered(run, verdict, sample, { eventId })
  if (values.length === 0)
    verdict.skip(`${name} do not show their event: only an event that does not exist was verified`)
})

/** What no product has as a status or as the id of an event. */
const noSuchValue = 'verify-no-such-value'

/** All filters of a record at once, and each of them with one that does not fit. */
export const checkFiltersCombined = forEachSample(async (sample, run, verdict) => {
  const settled = listSettled(sample)
  const record = settled[Math.floor(settled.length / 2)]
  if (record === undefined) {
    verdict.skip(`${sample.collection.name}: no record older than nextUpdatedSince`)
    return
  }
  const { status, eventId } = record
  const query = {
    updatedSince: readUpdatedAt(record),
    ...(typeof status === 'string' ? { status } : {}),
    ...(typeof eventId === 'string' ? { eventId } : {}),
  }
  await expectFiltered(run, verdict, sample, query)
  const { path } = sample.collection
  const none = await askPage(run.caller, { path, query: { ...query, eventId: noSuchValue } })
  verdict.expect(none.records.length === 0, {
    exchange: none.exchange,
    got: `${none.records.length} records`,
    expected: 'none: there is no such event',
  })
})

/** Only records that match, and all of them that the sample has. */
async function expectFiltered(run: Run, verdict: Verdict, sample: Sample, query: ListQuery): Promise<void> {
  const matches = (record: Json): boolean =>
    Object.entries(query).every(([name, value]) =>
      name === 'updatedSince' ? readUpdatedAt(record) >= String(value) : record[name] === value,
    )
  const problem = await confirm(async () => {
    const page = await askPage(run.caller, { path: sample.collection.path, query: { ...query, limit: 100 } })
    const stranger = page.records.find((record) => !matches(record))
    if (stranger !== undefined) return { page, got: `the record ${describeFields(stranger, query)}` }
    const lost = findMissing(listExpected(sample, page, '').filter(matches), page)
    const known = sample.pages.find(({ records }) => records.includes(lost[0] ?? {}))
    if (known === undefined) return undefined
    const steady = keepSteady(lost, (await askPage(run.caller, known.exchange.call)).records)
    return steady.length === 0 ? ('unsteady' as const) : { page, got: `no record ${listIds(steady)}` }
  })
  if (problem === 'unsteady') return
  verdict.expect(problem === undefined, {
    exchange: problem?.page.exchange ?? sample.first.exchange,
    got: problem?.got ?? '',
    expected: `all records with ${JSON.stringify(query)}, and no other`,
  })
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
export const checkFilterExact: Check = async (run, verdict) => {
  const events = new Set<string>()
  await forEachSample((sample) => {
    for (const event of listValues(sample, 'eventId')) events.add(event)
  })(run, verdict)
  await forEachSample(async (sample) => {
    const [status] = listValues(sample, 'status').toReversed()
    const [event] = events
    for (const [parameter, real] of [
      ['status', status],
      ['eventId', event],
    ] as const)
      for (const value of real === undefined ? [] : listVariants(real))
        await expectExact(run, verdict, sample, { parameter, value, real: real ?? '' })
  })(run, verdict)
  if (listReadable(run).length > 0 && events.size === 0) verdict.skip('no record shows the id of an event')
}

/** The value in another case, with a blank behind or before it, a part of it, a pattern, and with an accent. */
function listVariants(value: string): readonly string[] {
  const swapped = value === value.toLowerCase() ? value.toUpperCase() : value.toLowerCase()
  const part = value.slice(0, -1)
  const variants = [swapped, `${value} `, ` ${value}`, part, `${value.slice(0, 1)}%`, '%', `${value}\u0301`]
  // The database would convert these to the number of the id.
  const numbers = /^\d+$/.test(value) ? [`0${value}`, `${value}.0`] : []
  return [...new Set([...variants, ...numbers])].filter((one) => one !== value && one.trim() !== '')
}

async function expectExact(
  { caller }: Run,
  verdict: Verdict,
  { collection: { path } }: Sample,
  {
    parameter,
    value,
    real,
  }: { readonly parameter: 'status' | 'eventId'; readonly value: string; readonly real: string },
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
  verdict.expect(strangers.length === 0, {
    exchange,
    got: `the record ${describeFields(strangers[0] ?? {}, { [parameter]: value })}`,
    expected,
  })
}
