import { toObject } from '../exchange.js'
import type { Exchange, KeyName } from '../exchange.js'
import { askPage, listIds, readPage } from '../pages.js'
import { forEachPlace, guarantee, noCursor } from '../run.js'
import type { Access, Check, Place, Run } from '../run.js'
import { expectProblem } from './problems.js'
import { expectNoOther } from './records.js'
import { keyInAddress, listAlteredCursors, listInvalidKeys, refusalTables } from './refused-requests.js'
import type { Refusal, RefusalTable } from './refused-requests.js'

/** A path that requests are sent below, whose key is sent, and the id of a record of it. */
interface Target {
  readonly path: string
  readonly from: KeyName
  readonly id: string
}

async function askRefusals(
  run: Run,
  target: Target,
  refusals: readonly Refusal[],
): Promise<readonly Exchange[]> {
  const { path, from, id } = target
  const exchanges: Exchange[] = []
  for (const [text, problem, how] of refusals) {
    const [below = '', query = ''] = text.replace('{id}', encodeURIComponent(id)).split('?')
    const exchange = await run.ask({ path: `${path}${below}`, query, from, ...how })
    exchanges.push(exchange)
    if (problem === 'not_found') expectNoOther(run.verdict, exchange, decodeURIComponent(below.slice(1)))
    else expectProblem(run.verdict, exchange, problem)
  }
  return exchanges
}

/** Which lists a table is for, by the answer to a key, and why nothing is verified without such a list. */
const places: Readonly<
  Record<RefusalTable['at'], readonly [isMeant: (access: Access) => boolean, none?: string]>
> = {
  readable: [(access) => access === 'readable', 'no list can be read'],
  served: [(access) => access !== 'absent', 'no list is served'],
  absent: [(access) => access === 'absent'],
  forbidden: [(access) => access === 'forbidden', 'it needs --scoped-key-env with a key of one scope'],
  api: [() => false],
}

function listTargets({ collections }: Run, at: RefusalTable['at']): readonly Target[] {
  if (at === 'api') return [{ path: '', from: 'key', id: '' }]
  return collections.flatMap(({ path, access, first }) => {
    const [id = 'verify-no-such-id'] = listIds(readPage(first)?.records ?? [])
    const keys = (Object.keys(access) as KeyName[]).filter((from) => from === 'key' || at === 'forbidden')
    return keys.filter((from) => places[at][0](access[from] ?? 'broken')).map((from) => ({ path, from, id }))
  })
}

/** A guarantee that is a table of requests. */
function byTable({ at, refusals }: RefusalTable): Check {
  return async (run) => {
    const targets = listTargets(run, at)
    const [, none] = places[at]
    if (targets.length === 0 && none !== undefined) run.verdict.skip(none)
    for (const target of targets) {
      if (at === 'absent') run.verdict.skip(`${target.path.slice(1)} are not served here`)
      await askRefusals(run, target, refusals)
    }
  }
}

/** One character other, too many or too few, and texts that were never a cursor. */
async function checkCursorAltered(place: Place): Promise<string | undefined> {
  const { path } = place
  const { cursor } = await askPage(place, { path, query: { limit: 1 } })
  if (cursor === null) return noCursor
  await askRefusals(place, { path, from: 'key', id: '' }, listAlteredCursors(cursor))
  return undefined
}

/** The texts are the same for every key that is not valid, and neither a tag nor a cursor helps. */
async function checkInvalidKey(place: Place): Promise<void> {
  const { path, records, keys, verdict } = place
  const [id = 'verify-no-such-id'] = listIds(records)
  const { exchange: first, cursor } = await askPage(place, { path, query: { limit: 1 } })
  const tagged = { headers: { 'if-none-match': first.headers['etag'] ?? 'W/"verify"' } }
  const refusals = listInvalidKeys(keys.revokedKey !== undefined, cursor ?? 'verify').map(
    ([target, problem, how]): Refusal => [target, problem, { ...how, ...tagged }],
  )
  const exchanges = await askRefusals(place, { path, from: 'key', id }, refusals)
  const [expected = '', ...others] = exchanges.map(({ json }) => String(toObject(json)['detail']))
  for (const [at, got] of others.entries())
    verdict.expect(got === expected, exchanges[at + 1] ?? first, got, `${expected}, as for every invalid key`)
  if (keys.revokedKey === undefined) verdict.skip('a revoked key needs --revoked-key-env')
}

const checkKeyInAddress: Check = async (run) => {
  const { hostname } = new URL(run.document.url)
  if (/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) await byTable(keyInAddress)(run)
}

/** Requests that must be refused. */
export const refusalGuarantees = [
  guarantee('cursor-altered', 'An altered cursor is refused', forEachPlace(checkCursorAltered)),
  guarantee('invalid-key', 'A key that is not valid is 401 invalid_key', forEachPlace(checkInvalidKey)),
  ...refusalTables.map(([name, title, ...tables]) => {
    const more = name === 'missing-key' ? [checkKeyInAddress] : []
    return guarantee(name, title, ...tables.map(byTable), ...more)
  }),
]
