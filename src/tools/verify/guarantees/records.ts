import { describe, listIds, listValues, listVariants, readId, readPage, spread, toObject } from '../answer.js'
import type { Call, Exchange, Json } from '../answer.js'
import { toAccess } from '../run.js'
import type { Check, Guarantee, Run, Sample } from '../run.js'
import { forEachSample, readSample } from '../sample.js'
import type { SampleCheck } from '../sample.js'
import { expectNoOther } from './refusals.js'

/** Records of a sample that are read one by one. */
const singlesMax = 8

/** Spread over the sample, the first and the last of a page among them. An empty id has no address. */
async function checkSingles(run: Run, { path, records, first }: Sample): Promise<string | undefined> {
  const known = records.filter((record) => readId(record) !== '')
  const expected = `200 with the record as the list has it: ${first.exchange.url}`
  for (const record of spread(known, singlesMax)) {
    const exchange = await run.ask({ path: `${path}/${encodeURIComponent(readId(record))}` })
    const isSame = exchange.status === 200 && JSON.stringify(exchange.json) === JSON.stringify(record)
    run.expect(exchange, [isSame, describeDifference(exchange, record), expected])
  }
  return known.length === 0 ? 'no record' : undefined
}

/** Names of fields only: values can be personal. */
function describeDifference(exchange: Exchange, record: Json): string {
  const single = toObject(exchange.json)
  const names = Object.keys({ ...record, ...single })
  const different = names.filter((name) => JSON.stringify(single[name]) !== JSON.stringify(record[name]))
  return `${describe(exchange)} with another ${different.join(', ') || 'order of fields'}`
}

/** Variants of a real id. */
async function checkIdExact(run: Run, { path, records }: Sample): Promise<string | undefined> {
  const ids = listIds(records)
  const id = ids.find((one) => /[a-z]/i.test(one)) ?? ids[0]
  if (id === undefined) return 'no record'
  for (const variant of listVariants(id, `${id}\t`, `${id}.json`))
    expectNoOther(run, await run.ask({ path: `${path}/${encodeURIComponent(variant)}` }), variant)
  return undefined
}

/** Verifies something for each collection that both keys can read. A record that changed meanwhile explains nothing here. */
function forBothKeys(check: (run: Run, own: Sample, other: Sample) => ReturnType<SampleCheck>): Check {
  return async (run) => {
    const isGiven = run.session.keys.otherKey !== undefined
    if (!isGiven) run.skip('it needs --other-key-env')
    for (const collection of isGiven ? run.readable : []) {
      const access = toAccess(collection.firsts.otherKey)
      const own = await readSample(run, collection)
      const other = access === 'readable' ? await readSample(run, collection, 'otherKey') : undefined
      const lacking =
        own === undefined || other === undefined
          ? 'the other key cannot read it'
          : await check(run, own, other)
      if (typeof lacking === 'string') run.skip(`${collection.name}: ${lacking}`)
    }
  }
}

/** No id in both, in no list of the run, filtered or not. */
async function checkLists(run: Run, { path, records }: Sample): Promise<void> {
  for (const filter of ['eventId', 'status'])
    for (const value of listValues(records, filter).slice(0, 1))
      await run.ask({ path, from: 'otherKey', query: { [filter]: value, limit: 100 } })
  const lists = run.exchanges.filter(({ call }) => call.path === path)
  const readIds = (exchange: Exchange): readonly string[] => listIds(readPage(exchange)?.records)
  const own = new Set(lists.filter(({ call }) => call.from === 'key').flatMap(readIds))
  for (const exchange of lists.filter(({ call }) => call.from === 'otherKey')) {
    const shared = readIds(exchange).filter((id) => own.has(id))
    const got = `${shared.length} records that the first key gets too, such as ${JSON.stringify(shared[0])}`
    const expected = 'no record in common; the two keys must be of two workspaces'
    run.expect(exchange, [shared.length === 0, got, expected])
  }
}

/** Records of either key that are read with the other one. */
const foreignMax = 4

/** The records of either key, with the other one. */
async function checkRecords(run: Run, own: Sample, other: Sample): Promise<string | undefined> {
  const [ids, otherIds] = [
    listIds(own.records).slice(-foreignMax),
    listIds(other.records).slice(0, foreignMax),
  ]
  await expectUnreadable(run, own.path, ids, ['key', 'otherKey'])
  await expectUnreadable(run, own.path, otherIds, ['otherKey', 'key'])
  return ids.length === 0 || otherIds.length === 0 ? 'one of the workspaces has no record' : undefined
}

/** The same status and text as for an id that does not exist, also where the owner's tag is known. */
async function expectUnreadable(
  run: Run,
  list: string,
  ids: readonly string[],
  [owner, from]: readonly ['key' | 'otherKey', 'key' | 'otherKey'],
): Promise<void> {
  const paths = ids.map((id) => `${list}/${encodeURIComponent(id)}`)
  const [[id], [path]] = [ids, paths]
  if (id === undefined || path === undefined) return
  const nowhere = await run.ask({ path: `${list}/${toMissingId(id)}`, from })
  const { etag = '' } = (await run.ask({ path, from: owner })).headers
  const calls: readonly Call[] = [
    ...paths.map((one) => ({ path: one })),
    { path, headers: { 'if-none-match': etag } },
    { path, method: 'HEAD' },
  ]
  for (const call of calls) {
    const exchange = await run.ask({ ...call, from })
    const isSame = call.method === 'HEAD' || renderAnswer(exchange) === renderAnswer(nowhere)
    const got = isSame ? describe(exchange) : `${describe(exchange)} that differs from the one of no such id`
    run.expect(exchange, [exchange.status === 404 && isSame, got, `404 not_found, like ${nowhere.url}`])
  }
}

/** An id of the same form that no record has: an answer may say that ids are numbers, or UUIDs. */
function toMissingId(id: string): string {
  if (/^\d+$/.test(id)) return '999999999999999999'
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)
    ? 'ffffffff-ffff-4fff-bfff-ffffffffffff'
    : 'verify-no-such-id'
}

/** The text of an answer, without what differs each time. */
function renderAnswer({ json }: Exchange): string {
  return JSON.stringify({ ...toObject(json), requestId: '' })
}

/** Records: each as its list has it, found by its id alone, and by the keys of its workspace alone. */
export const recordGuarantees: readonly Guarantee[] = [
  ['single-record', 'A single record equals the record of the list', forEachSample(checkSingles)],
  ['id-exact', 'An id matches byte for byte', forEachSample(checkIdExact)],
  ['isolation-lists', 'Lists of two workspaces have no record in common', forBothKeys(checkLists)],
  ['isolation-records', 'A record of another workspace is 404 like no record', forBothKeys(checkRecords)],
]
