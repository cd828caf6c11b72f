import { describe, isProblem, toObject } from '../exchange.js'
import type { Call, Exchange } from '../exchange.js'
import { readId } from '../pages.js'
import { defineGuarantee, forEachSample, LackError } from '../run.js'
import type { Check, Guarantee, Run, SampleCheck } from '../run.js'
import type { Verdict } from '../verdict.js'

/** Pages of the other key. */
const otherPagesMax = 3

/** Verifies something for each collection that both keys can read. */
export function forBothKeys(check: SampleCheck): Check {
  return async (run, verdict) => {
    if (run.keys.otherKey === undefined) verdict.skip('it needs --other-key-env')
    else
      await forEachSample(async (sample) => {
        if (sample.collection.access.otherKey !== 'readable')
          throw new LackError('the other key cannot read it')
        await check(sample, run, verdict)
      })(run, verdict)
  }
}

/** No id in both, in no list of the run, filtered or not. */
const checkIsolationLists = forBothKeys(async ({ collection: { path }, records }, run, verdict) => {
  const ask = (query: Call['query'] = {}) => run.caller.ask({ path, from: 'otherKey', query })
  let query: Call['query'] = { limit: 100 }
  for (let page = 0; page < otherPagesMax; page += 1) {
    const { cursor } = toObject(toObject((await ask(query)).json)['meta'])
    if (typeof cursor !== 'string') break
    query = { cursor, limit: 100 }
  }
  for (const filter of ['eventId', 'status'] as const) {
    const [value] = records.map((record) => record[filter]).filter((one) => typeof one === 'string')
    if (value !== undefined) await ask({ [filter]: value, limit: 100 })
  }
  expectDisjoint(run, verdict, path)
})

function expectDisjoint({ caller }: Run, verdict: Verdict, path: string): void {
  const lists = caller.exchanges.filter(({ call, status }) => call.path === path && status === 200)
  const isOwn = ({ call }: Exchange): boolean => (call.from ?? 'key') === 'key'
  const own = new Map(lists.filter(isOwn).flatMap((one) => listIds(one).map((id) => [id, one] as const)))
  for (const exchange of lists.filter((one) => one.call.from === 'otherKey')) {
    const shared = listIds(exchange).filter((id) => own.has(id))
    verdict.expect(shared.length === 0, {
      exchange,
      got: `${shared.length} records that the first key gets too, such as ${JSON.stringify(shared[0])} by ${own.get(shared[0] ?? '')?.url ?? ''}`,
      expected: 'no record in common; the two keys must be of two workspaces',
    })
  }
}

function listIds({ json }: Exchange): readonly string[] {
  const { data } = toObject(json)
  return Array.isArray(data) ? data.map((record) => readId(toObject(record))) : []
}

/** Records of either key that are read with the other one. */
const foreignMax = 4

/** The same status, headers and text as for an id that does not exist, also where the owner's tag is known. */
const checkIsolationRecords = forBothKeys(async (sample, { caller }, verdict) => {
  const { name, path } = sample.collection
  const other = await caller.ask({ path, from: 'otherKey', query: { limit: foreignMax } })
  for (const { from, owner, ids } of [
    { from: 'otherKey', owner: 'key', ids: sample.records.slice(-foreignMax).map(readId) },
    { from: 'key', owner: 'otherKey', ids: listIds(other).slice(0, foreignMax) },
  ] as const) {
    if (ids.length === 0) {
      verdict.skip(`${name}: one of the workspaces has no record`)
      continue
    }
    const nowhere = await caller.ask({ path: `${path}/verify-no-such-id`, from })
    for (const [at, id] of ids.entries()) {
      const call = { path: `${path}/${encodeURIComponent(id)}`, from }
      expectNowhere(verdict, await caller.ask(call), nowhere)
      if (at > 0) continue
      const { etag = '' } = (await caller.ask({ ...call, from: owner })).headers
      expectNowhere(verdict, await caller.ask({ ...call, headers: { 'if-none-match': etag } }), nowhere)
      const head = await caller.ask({ ...call, method: 'HEAD' })
      verdict.expect(head.status === 404, { exchange: head, got: describe(head), expected: '404' })
    }
  }
})

function expectNowhere(verdict: Verdict, exchange: Exchange, nowhere: Exchange): void {
  const got =
    exchange.status === 404
      ? 'a 404 that differs from the one of an id that does not exist'
      : describe(exchange)
  const isNowhere = exchange.status === 404 && renderAnswer(exchange) === renderAnswer(nowhere)
  verdict.expect(isNowhere, { exchange, got, expected: `404 not_found, like ${nowhere.url}` })
}

/** All that could tell one 404 from another, without what differs each time. */
function renderAnswer(exchange: Exchange): string {
  const { requestId: _, ...body } = toObject(exchange.json)
  const volatile =
    /^(?:date|x-request-id|ratelimit-.*|age|set-cookie|connection|keep-alive|server-timing|via|content-length)$/
  const headers = Object.entries(exchange.headers).filter(([name]) => !volatile.test(name))
  return JSON.stringify([exchange.status, isProblem(exchange), body, headers.map(([name]) => name).sort()])
}

/** Workspaces: each key sees its own alone. */
export const isolationGuarantees: readonly Guarantee[] = [
  defineGuarantee('isolation-lists', 'Lists of two workspaces have no record in common', checkIsolationLists),
  defineGuarantee(
    'isolation-records',
    'A record of another workspace is 404 like one that does not exist',
    checkIsolationRecords,
  ),
]
