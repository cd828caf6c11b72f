import { describe, isProblem, listIds, readPage, toObject } from '../answer.js'
import type { Call, Exchange } from '../answer.js'
import { forEachSample, guarantee } from '../run.js'
import type { Check, Run, Sample, SampleCheck } from '../run.js'

/** Verifies something for each collection that both keys can read. */
function forBothKeys(check: SampleCheck): Check {
  const checkEach = forEachSample(async (run, sample): Promise<string | undefined> => {
    if (sample.collection.access.otherKey !== 'readable') return 'the other key cannot read it'
    return (await check(run, sample)) ?? undefined
  })
  return async (run) => {
    if (run.session.keys.otherKey === undefined) run.skip('it needs --other-key-env')
    else await checkEach(run)
  }
}

/** Pages of the other key. */
const otherPagesMax = 3
/** Records of either key that are read with the other one. */
const foreignMax = 4

/** No id in both, in no list of the run, filtered or not. */
async function checkLists(run: Run, { path, records }: Sample): Promise<void> {
  await run.crawl({ path, from: 'otherKey', limits: [100], pagesMax: otherPagesMax })
  for (const filter of ['eventId', 'status'] as const) {
    const value = records.map((record) => record[filter]).find((one) => typeof one === 'string' && one !== '')
    if (typeof value === 'string')
      await run.ask({ path, from: 'otherKey', query: { [filter]: value, limit: 100 } })
  }
  const own = new Map<string, Exchange>()
  const lists = run.exchanges.filter(({ call }) => call.path === path)
  const readIds = (exchange: Exchange): readonly string[] => listIds(readPage(exchange)?.records)
  for (const exchange of lists.filter(({ call }) => call.from === 'key'))
    for (const id of readIds(exchange)) own.set(id, exchange)
  for (const exchange of lists.filter(({ call }) => call.from === 'otherKey')) {
    const shared = readIds(exchange).filter((id) => own.has(id))
    const [id = ''] = shared
    const got = `${shared.length} records that the first key gets too, such as ${JSON.stringify(id)} by ${own.get(id)?.url ?? ''}`
    const expected = 'no record in common; the two keys must be of two workspaces'
    run.expect(shared.length === 0, exchange, got, expected)
  }
}

/** The records of either key, with the other one. */
async function checkRecords(run: Run, { path, records }: Sample): Promise<string | undefined> {
  const input = { limits: [foreignMax, 100], pagesMax: otherPagesMax, enough: foreignMax }
  const other = await run.crawl({ path, from: 'otherKey', ...input })
  const [ids, otherIds] = [listIds(records).slice(-foreignMax), listIds(other.records).slice(0, foreignMax)]
  await expectUnreadable(run, path, ids, ['key', 'otherKey'])
  await expectUnreadable(run, path, otherIds, ['otherKey', 'key'])
  return ids.length === 0 || otherIds.length === 0 ? 'one of the workspaces has no record' : undefined
}

/** The same status, headers and text as for an id that does not exist, also where the owner's tag is known. */
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
    run.expect(exchange.status === 404 && isSame, exchange, got, `404 not_found, like ${nowhere.url}`)
  }
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

/** What belongs to one workspace. */
export const isolationGuarantees = [
  guarantee('isolation-lists', 'Lists of two workspaces have no record in common', forBothKeys(checkLists)),
  guarantee(
    'isolation-records',
    'A record of another workspace is 404 like no record',
    forBothKeys(checkRecords),
  ),
]
