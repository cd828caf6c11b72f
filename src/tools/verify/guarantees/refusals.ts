import { swapCase } from '../caller.js'
import { describe, isFromProxy, toObject } from '../exchange.js'
import type { Exchange, KeyName } from '../exchange.js'
import { askPage, listIds, readPage } from '../pages.js'
import { forEachPlace, inTurn, requireCursor } from '../run.js'
import type { Access, Check, Checks, Place, Run } from '../run.js'
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

type Requests = Pick<RefusalTable, 'refusals' | 'isProxyAllowed'>

async function askRefusals(
  { caller, verdict }: Run,
  { path, from, id }: Target,
  { refusals, isProxyAllowed = false }: Requests,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  for (const [target, problem, how] of refusals) {
    const [below = '', query = ''] = target.replace('{id}', encodeURIComponent(id)).split('?')
    const exchange = await caller.ask({ path: `${path}${below}`, query, from, ...how })
    exchanges.push(exchange)
    if (isProxyAllowed && exchange.status >= 400 && exchange.status < 500 && isFromProxy(exchange))
      verdict.skip(`a proxy answered ${describe(exchange)} itself where ${problem} is expected`)
    else if (problem === 'not_found') expectNoOther(verdict, exchange, decodeURIComponent(below.slice(1)))
    else expectProblem(verdict, exchange, problem)
  }
  return exchanges
}

/** Which lists a table is for, by the answer to a key. */
const isMeant: Readonly<Record<RefusalTable['at'], (access: Access) => boolean>> = {
  readable: (access) => access === 'readable',
  served: (access) => access !== 'absent',
  absent: (access) => access === 'absent',
  forbidden: (access) => access === 'forbidden',
  api: () => false,
}

function listTargets({ collections }: Run, at: RefusalTable['at']): readonly Target[] {
  if (at === 'api') return [{ path: '', from: 'key', id: '' }]
  return collections.flatMap(({ path, access, first }) => {
    const [id = 'verify-no-such-id'] = listIds(readPage(first)?.records ?? [])
    const keys = (Object.keys(access) as KeyName[]).filter((from) => from === 'key' || at === 'forbidden')
    return keys.filter((from) => isMeant[at](access[from] ?? 'broken')).map((from) => ({ path, from, id }))
  })
}

async function askTable(run: Run, table: RefusalTable): Promise<void> {
  const { verdict } = run
  const { at, refusals, none = 'no list can be read', isShared = false } = table
  const targets = listTargets(run, at)
  if (targets.length === 0 && at !== 'absent') verdict.skip(none)
  for (const [place, target] of targets.entries()) {
    if (at === 'absent') verdict.skip(`${target.path.slice(1)} are not served here`)
    const asked = isShared && place > 0 ? refusals.filter((_, number) => number % 3 === 0) : refusals
    await askRefusals(run, target, { ...table, refusals: asked })
  }
}

/** A guarantee that is a table of requests. */
function byTables(...tables: readonly RefusalTable[]): Check {
  return inTurn(...tables.map((table) => (run: Run) => askTable(run, table)))
}

/** One character other, too many or too few, and texts that were never a cursor. */
async function checkCursorAltered(place: Place): Promise<void> {
  const { path, caller } = place
  const cursor = requireCursor(await askPage(caller, { path, query: { limit: 1 } }))
  await askRefusals(place, { path, from: 'key', id: '' }, { refusals: listAlteredCursors(cursor) })
}

/** The texts are the same for every key that is not valid, and neither a tag nor a cursor helps. */
const checkInvalidKey = forEachPlace(async (place) => {
  const { path, records, caller, keys, verdict } = place
  const [id = 'verify-no-such-id'] = listIds(records)
  const { headers, json } = await caller.ask({ path, query: 'limit=1' })
  const { cursor } = toObject(toObject(json)['meta'])
  const refusals = listInvalidKeys({
    hasLetters: swapCase(keys.key) !== keys.key,
    hasRevoked: keys.revokedKey !== undefined,
    cursor: typeof cursor === 'string' ? cursor : 'verify',
  })
  const tagged = { headers: { 'if-none-match': headers['etag'] ?? 'W/"verify"' } }
  const withTag = refusals.map(([target, problem, how]): Refusal => [target, problem, { ...how, ...tagged }])
  const exchanges = await askRefusals(place, { path, from: 'key', id }, { refusals: withTag })
  const [first] = exchanges.map(toText)
  for (const exchange of exchanges) {
    const got = toText(exchange)
    verdict.expect(got === first, exchange, got, `${first ?? ''}, as for every key that is not valid`)
  }
})

/** What a problem says, without the id of the request. */
function toText(exchange: Exchange): string {
  const { title, detail } = toObject(exchange.json)
  return JSON.stringify({ title, detail })
}

function isLocal({ document }: Run): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(document.url).hostname)
}

/** Requests that must be refused. */
export const refusalChecks: Checks = {
  ...Object.fromEntries(
    Object.entries(refusalTables).map(([name, tables]) => [name, byTables(...tables)] as const),
  ),
  'cursor-altered': forEachPlace(checkCursorAltered),
  'invalid-key': async (run) => {
    if (run.keys.revokedKey === undefined) run.verdict.skip('a revoked key needs --revoked-key-env')
    await checkInvalidKey(run)
  },
  'missing-key': async (run) => {
    const tables = refusalTables['missing-key']
    const local = isLocal(run) ? [{ at: 'served', refusals: keyInAddress } as const] : []
    await byTables(...tables, ...local)(run)
  },
}
