import { describe, isProblem, toObject } from '../exchange.js'
import type { Call, Exchange } from '../exchange.js'
import { askPage, crawl, listIds, readPage } from '../pages.js'
import { forEachPlace, guarantee, listReadable, noCursor } from '../run.js'
import type { Check, Place, PlaceCheck } from '../run.js'
import { expectProblem } from './problems.js'

/** Verifies something for each collection that both keys can read. */
function forBothKeys(check: PlaceCheck): Check {
  const checkEach = forEachPlace(async (place): Promise<string | undefined> => {
    if (place.collection.access.otherKey !== 'readable') return 'the other key cannot read it'
    return (await check(place)) ?? undefined
  })
  return async (run) => {
    if (run.keys.otherKey === undefined) run.verdict.skip('it needs --other-key-env')
    else await checkEach(run)
  }
}

/** Pages of the other key. */
const otherPagesMax = 3

/** No id in both, in no list of the run, filtered or not. */
async function checkLists(place: Place): Promise<void> {
  const { path, records, verdict } = place
  await crawl(place, { path, from: 'otherKey', limits: [100], pagesMax: otherPagesMax })
  for (const filter of ['eventId', 'status'] as const) {
    const value = records.map((record) => record[filter]).find((one) => typeof one === 'string' && one !== '')
    if (typeof value === 'string')
      await place.ask({ path, from: 'otherKey', query: { [filter]: value, limit: 100 } })
  }
  const lists = place.exchanges.filter(({ call, status }) => call.path === path && status === 200)
  const isOwn = ({ call }: Exchange): boolean => call.from === 'key'
  const own = new Map(lists.filter(isOwn).flatMap((one) => readIds(one).map((id) => [id, one] as const)))
  for (const exchange of lists.filter((one) => one.call.from === 'otherKey')) {
    const shared = readIds(exchange).filter((id) => own.has(id))
    const [id = ''] = shared
    const got = `${shared.length} records that the first key gets too, such as ${JSON.stringify(id)} by ${own.get(id)?.url ?? ''}`
    const expected = 'no record in common; the two keys must be of two workspaces'
    verdict.expect(shared.length === 0, exchange, got, expected)
  }
}

function readIds(exchange: Exchange): readonly string[] {
  return listIds(readPage(exchange)?.records ?? [])
}

/** Records of either key that are read with the other one. */
const foreignMax = 4

async function checkRecords(place: Place): Promise<string | undefined> {
  const { path, records } = place
  const isEnough = (all: readonly unknown[]): boolean => all.length >= foreignMax
  const limits = [foreignMax, 100]
  const other = await crawl(place, { path, from: 'otherKey', limits, pagesMax: otherPagesMax, isEnough })
  const [ids, otherIds] = [listIds(records).slice(-foreignMax), listIds(other.records).slice(0, foreignMax)]
  await expectUnreadable(place, ids, 'otherKey', 'key')
  await expectUnreadable(place, otherIds, 'key', 'otherKey')
  return ids.length === 0 || otherIds.length === 0 ? 'one of the workspaces has no record' : undefined
}

type Key = 'key' | 'otherKey'

/** The same status, headers and text as for an id that does not exist, also where the owner's tag is known. */
async function expectUnreadable(
  { path, ask, verdict }: Place,
  ids: readonly string[],
  from: Key,
  owner: Key,
): Promise<void> {
  const [first] = ids
  if (first === undefined) return
  const nowhere = await ask({ path: `${path}/${toMissingId(first)}`, from })
  const expectNowhere = async (call: Call): Promise<void> => {
    const exchange = await ask(call)
    const isSame = exchange.status === 404 && renderAnswer(exchange) === renderAnswer(nowhere)
    const got = exchange.status === 404 ? 'a 404 that differs from the one of no such id' : describe(exchange)
    verdict.expect(isSame, exchange, got, `404 not_found, like ${nowhere.url}`)
  }
  for (const id of ids) await expectNowhere({ path: `${path}/${encodeURIComponent(id)}`, from })
  const call = { path: `${path}/${encodeURIComponent(first)}`, from }
  const { etag = '' } = (await ask({ ...call, from: owner })).headers
  await expectNowhere({ ...call, headers: { 'if-none-match': etag } })
  const head = await ask({ ...call, method: 'HEAD' })
  verdict.expect(head.status === 404, head, describe(head), '404')
}

/** An id of the same form that no record has: an answer may say that ids are numbers, or UUIDs. */
function toMissingId(id: string): string {
  if (/^\d+$/.test(id)) return '999999999999999999'
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)
    ? 'ffffffff-ffff-4fff-bfff-ffffffffffff'
    : 'verify-no-such-id'
}

const volatile =
  /^(?:date|x-request-id|ratelimit.*|age|set-cookie|connection|keep-alive|server-timing|via|content-length)$/

/** All that could tell one 404 from another, without what differs each time. */
function renderAnswer(exchange: Exchange): string {
  const { requestId: _, ...body } = toObject(exchange.json)
  const headers = Object.keys(exchange.headers).filter((name) => !volatile.test(name))
  return JSON.stringify([isProblem(exchange), body, headers.sort()])
}

/** The cursor of a list, sent to another one. */
async function expectForeign(place: Place, own: Call, other: Call): Promise<string | undefined> {
  const { cursor } = await askPage(place, { ...own, query: { limit: 1 } })
  if (cursor === null) return noCursor
  expectProblem(place.verdict, await place.ask({ ...other, query: { cursor } }), 'invalid_cursor cursor')
  return undefined
}

/** A cursor of each collection, sent to the other. */
async function checkCursorCollection(place: Place): Promise<string | undefined> {
  const { path } = place
  const other = listReadable(place).find((one) => one.path !== path)
  return other === undefined
    ? 'the key can read only one collection'
    : expectForeign(place, { path }, { path: other.path })
}

async function checkCursorWorkspace(place: Place): Promise<string | undefined> {
  const [one, other] = [{ path: place.path } as const, { path: place.path, from: 'otherKey' } as const]
  return (await expectForeign(place, one, other)) ?? expectForeign(place, other, one)
}

/** What belongs to one workspace, or to one collection. */
export const isolationGuarantees = [
  guarantee(
    'cursor-collection',
    'A cursor of another collection is refused',
    forEachPlace(checkCursorCollection),
  ),
  guarantee(
    'cursor-workspace',
    'A cursor of another workspace is refused',
    forBothKeys(checkCursorWorkspace),
  ),
  guarantee('isolation-lists', 'Lists of two workspaces have no record in common', forBothKeys(checkLists)),
  guarantee(
    'isolation-records',
    'A record of another workspace is 404 like no record',
    forBothKeys(checkRecords),
  ),
]
