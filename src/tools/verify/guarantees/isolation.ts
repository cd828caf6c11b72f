import { describe, isProblem, toObject } from '../exchange.js'
import type { Call, Exchange } from '../exchange.js'
import { askPage, crawl, listIds, readPage } from '../pages.js'
import { forEachPlace, LackError, listReadable, requireCursor } from '../run.js'
import type { Check, Checks, PlaceCheck, Run } from '../run.js'
import type { Verdict } from '../verdict.js'
import { expectProblem } from './problems.js'

/** Verifies something for each collection that both keys can read. */
function forBothKeys(check: PlaceCheck): Check {
  const checkEach = forEachPlace(async (place) => {
    if (place.collection.access.otherKey !== 'readable') throw new LackError('the other key cannot read it')
    await check(place)
  })
  return async (run) => {
    if (run.keys.otherKey === undefined) run.verdict.skip('it needs --other-key-env')
    else await checkEach(run)
  }
}

/** Pages of the other key. */
const otherPagesMax = 3

/** No id in both, in no list of the run, filtered or not. */
const checkLists: PlaceCheck = async ({ path, records, caller, verdict }) => {
  const ask = (query: NonNullable<Call['query']>) => caller.ask({ path, from: 'otherKey', query })
  await crawl(caller, { path, from: 'otherKey', limits: [100], pagesMax: otherPagesMax })
  for (const filter of ['eventId', 'status'] as const) {
    const value = records.map((record) => record[filter]).find((one) => typeof one === 'string' && one !== '')
    if (typeof value === 'string') await ask({ [filter]: value, limit: 100 })
  }
  const lists = caller.exchanges.filter(({ call, status }) => call.path === path && status === 200)
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

/** The same status, headers and text as for an id that does not exist, also where the owner's tag is known. */
const checkRecords: PlaceCheck = async ({ path, records, collection: { name }, caller, verdict }) => {
  const isEnough = (all: readonly unknown[]): boolean => all.length >= foreignMax
  const limits = [foreignMax, 100]
  const other = await crawl(caller, { path, from: 'otherKey', limits, pagesMax: otherPagesMax, isEnough })
  for (const { from, owner, ids } of [
    { from: 'otherKey', owner: 'key', ids: listIds(records).slice(-foreignMax) },
    { from: 'key', owner: 'otherKey', ids: listIds(other.records).slice(0, foreignMax) },
  ] as const) {
    if (ids.length === 0) {
      verdict.skip(`${name}: one of the workspaces has no record`)
      continue
    }
    const nowhere = await caller.ask({ path: `${path}/${toMissingId(ids[0] ?? '')}`, from })
    for (const [at, id] of ids.entries()) {
      const call = { path: `${path}/${encodeURIComponent(id)}`, from }
      expectNowhere(verdict, await caller.ask(call), nowhere)
      if (at > 0) continue
      const { etag = '' } = (await caller.ask({ ...call, from: owner })).headers
      expectNowhere(verdict, await caller.ask({ ...call, headers: { 'if-none-match': etag } }), nowhere)
      const head = await caller.ask({ ...call, method: 'HEAD' })
      verdict.expect(head.status === 404, head, describe(head), '404')
    }
  }
}

/** An id of the same form that no record has: an answer may say that ids are numbers, or UUIDs. */
function toMissingId(id: string): string {
  if (/^\d+$/.test(id)) return '999999999999999999'
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)
    ? 'ffffffff-ffff-4fff-bfff-ffffffffffff'
    : 'verify-no-such-id'
}

function expectNowhere(verdict: Verdict, exchange: Exchange, nowhere: Exchange): void {
  const is404 = exchange.status === 404
  const got = is404 ? 'a 404 that differs from the one of an id that does not exist' : describe(exchange)
  const isSame = is404 && renderAnswer(exchange) === renderAnswer(nowhere)
  verdict.expect(isSame, exchange, got, `404 not_found, like ${nowhere.url}`)
}

const volatile =
  /^(?:date|x-request-id|ratelimit.*|age|set-cookie|connection|keep-alive|server-timing|via|content-length)$/

/** All that could tell one 404 from another, without what differs each time. */
function renderAnswer(exchange: Exchange): string {
  const { requestId: _, ...body } = toObject(exchange.json)
  const headers = Object.keys(exchange.headers).filter((name) => !volatile.test(name))
  return JSON.stringify([exchange.status, isProblem(exchange), body, headers.sort()])
}

/** The cursor of a list, sent to another one. */
async function expectForeign({ caller, verdict }: Run, own: Call, other: Call): Promise<void> {
  const cursor = requireCursor(await askPage(caller, { ...own, query: { limit: 1 } }))
  expectProblem(verdict, await caller.ask({ ...other, query: { cursor } }), 'invalid_cursor cursor')
}

/** A cursor of each collection, sent to the other. */
const checkCursorCollection = forEachPlace(async (place) => {
  const { path } = place
  const others = listReadable(place).filter((other) => other.path !== path)
  if (others.length === 0) place.verdict.skip('the key can read only one collection')
  for (const other of others) await expectForeign(place, { path }, { path: other.path })
})

/** What belongs to one workspace, or to one collection. */
export const isolationChecks: Checks = {
  'cursor-collection': checkCursorCollection,
  'cursor-workspace': forBothKeys(async (place) => {
    const { path } = place
    const [one, other] = [{ path } as const, { path, from: 'otherKey' } as const]
    await expectForeign(place, one, other)
    await expectForeign(place, other, one)
  }),
  'isolation-lists': forBothKeys(checkLists),
  'isolation-records': forBothKeys(checkRecords),
}
