import { describe, isProblem, toObject } from '../exchange.js'
import type { Call, Exchange } from '../exchange.js'
import { readId } from '../pages.js'
import { forEachSample } from '../run.js'
import type { Check, Run } from '../run.js'
import type { Verdict } from '../verdict.js'

/** Pages of the other key. */
const otherPagesMax = 3

/** No id in both, in no list of the run, filtered or not. */
export const checkIsolationLists: Check = async (run, verdict) => {
  if (!requireOther(run, verdict)) return
  await forEachSample(async ({ collection: { path, otherAccess, name }, records }, { caller }) => {
    if (otherAccess !== 'readable') {
      verdict.skip(`${name}: the other key cannot read it`)
      return
    }
    let query: Call['query'] = { limit: 100 }
    for (let page = 0; page < otherPagesMax; page += 1) {
      const exchange = await caller.ask({ path, from: 'otherKey', query })
      const { cursor } = toObject(toObject(exchange.json)['meta'])
      if (typeof cursor !== 'string') break
      query = { cursor, limit: 100 }
    }
    const [eventId] = records.map((record) => record['eventId']).filter((value) => typeof value === 'string')
    if (eventId !== undefined) await caller.ask({ path, from: 'otherKey', query: { eventId, limit: 100 } })
    expectDisjoint(run, verdict, path)
  })(run, verdict)
}

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

/** The same status, headers and text as for an id that does not exist. */
export const checkIsolationRecords: Check = async (run, verdict) => {
  if (!requireOther(run, verdict)) return
  await forEachSample(async (sample, { caller }) => {
    const { path, otherAccess, name } = sample.collection
    if (otherAccess !== 'readable') {
      verdict.skip(`${name}: the other key cannot read it`)
      return
    }
    const other = await caller.ask({ path, from: 'otherKey', query: { limit: foreignMax } })
    const cases = [
      { from: 'otherKey', ids: sample.records.slice(-foreignMax).map(readId) },
      { from: 'key', ids: listIds(other).slice(0, foreignMax) },
    ] as const
    for (const { from, ids } of cases) {
      if (ids.length === 0) verdict.skip(`${name}: one of the workspaces has no record`)
      const nowhere = await caller.ask({ path: `${path}/verify-no-such-id`, from })
      for (const id of ids) {
        const exchange = await caller.ask({ path: `${path}/${encodeURIComponent(id)}`, from })
        verdict.expect(exchange.status === 404 && renderAnswer(exchange) === renderAnswer(nowhere), {
          exchange,
          got:
            exchange.status === 404
              ? 'a 404 that differs from the one of an id that does not exist'
              : describe(exchange),
          expected: `404 not_found, like ${nowhere.url}`,
        })
      }
    }
  })(run, verdict)
}

/** All that could tell one 404 from another, without what differs each time. */
function renderAnswer(exchange: Exchange): string {
  const { requestId: _, ...body } = toObject(exchange.json)
  const volatile =
    /^(?:date|x-request-id|ratelimit-.*|age|set-cookie|connection|keep-alive|server-timing|via|content-length)$/
  const headers = Object.entries(exchange.headers).filter(([name]) => !volatile.test(name))
  return JSON.stringify([exchange.status, isProblem(exchange), body, headers.map(([name]) => name).sort()])
}

function requireOther({ hasOtherKey }: Run, verdict: Verdict): boolean {
  if (!hasOtherKey) verdict.skip('it needs --other-key-env')
  return hasOtherKey
}
