import { swapCase } from '../caller.js'
import { describe, isFromProxy, toObject } from '../exchange.js'
import type { Exchange, KeyName } from '../exchange.js'
import { askPage, readId, readPage } from '../pages.js'
import { defineGuarantee } from '../run.js'
import type { Access, Check, Guarantee, Run } from '../run.js'
import type { Verdict } from '../verdict.js'
import { expectProblem } from './problems.js'
import {
  keyInAddress,
  listAlteredCursors,
  refusalTables,
  withRevokedKey,
  withSwappedKey,
  withWrongKey,
} from './refused-requests.js'
import type { Refusal, RefusalTable } from './refused-requests.js'

/** A path that requests are sent below, whose key is sent, and the id of a record of it. */
interface Target {
  readonly path: string
  readonly from: KeyName
  readonly id: string
}

type Requests = Pick<RefusalTable, 'refusals' | 'isProxyAllowed'>

async function askRefusals(
  { caller }: Run,
  verdict: Verdict,
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
    const id = readId(readPage(first)?.records[0]) || 'verify-no-such-id'
    const keys = (Object.keys(access) as KeyName[]).filter((from) => from === 'key' || at === 'forbidden')
    return keys.filter((from) => isMeant[at](access[from] ?? 'broken')).map((from) => ({ path, from, id }))
  })
}

async function askTable(run: Run, verdict: Verdict, table: RefusalTable): Promise<void> {
  const { at, refusals, none = 'no list can be read', isShared = false } = table
  const targets = listTargets(run, at)
  if (targets.length === 0 && at !== 'absent') verdict.skip(none)
  for (const [place, target] of targets.entries()) {
    if (at === 'absent') verdict.skip(`${target.path.slice(1)} are not served here`)
    const asked = isShared && place > 0 ? refusals.filter((_, number) => number % 3 === 0) : refusals
    await askRefusals(run, verdict, target, { ...table, refusals: asked })
  }
}

/** One character other, too many or too few, and texts that were never a cursor. */
const checkCursorAltered: Check = async (run, verdict) => {
  for (const target of listTargets(run, 'readable')) {
    const { path } = target
    const { cursor } = await askPage(run.caller, { path, query: { limit: 1 } })
    if (cursor === null) verdict.skip(`${path.slice(1)}: fewer than two records, so that there is no cursor`)
    else await askRefusals(run, verdict, target, { refusals: listAlteredCursors(cursor) })
  }
}

/** The texts are the same for every key that is not valid, and no tag gets a 304. */
const checkInvalidKey: Check = async (run, verdict) => {
  const { caller, keys } = run
  if (keys.revokedKey === undefined) verdict.skip('a revoked key needs --revoked-key-env')
  const refusals = [
    ...withWrongKey,
    ...(swapCase(keys.key) === keys.key ? [] : withSwappedKey),
    ...(keys.revokedKey === undefined ? [] : withRevokedKey),
  ]
  for (const target of listTargets(run, 'readable')) {
    const { path } = target
    const { headers } = await caller.ask({ path, query: 'limit=1' })
    const tagged = { headers: { 'if-none-match': headers['etag'] ?? 'W/"verify"' } }
    const withTag = refusals.map(([target, problem, how]): Refusal => [
      target,
      problem,
      { ...how, ...tagged },
    ])
    const exchanges = await askRefusals(run, verdict, target, { refusals: withTag })
    const expected = `${toText(exchanges[0])}, as for every key that is not valid`
    for (const exchange of exchanges) {
      const got = toText(exchange)
      verdict.expect(got === toText(exchanges[0]), { exchange, got, expected })
    }
  }
}

/** What a problem says, without the id of the request. */
function toText(exchange: Exchange | undefined): string {
  const { title, detail } = toObject(exchange?.json)
  return JSON.stringify({ title, detail })
}

/** Requests that must be refused. */
export const refusalGuarantees: readonly Guarantee[] = [
  defineGuarantee('cursor-altered', 'An altered cursor is refused', checkCursorAltered),
  defineGuarantee('invalid-key', 'A key that is not valid is 401 invalid_key', checkInvalidKey),
  ...refusalTables.map(([name, title, ...tables]) =>
    defineGuarantee(name, title, async (run, verdict) => {
      for (const table of tables) await askTable(run, verdict, table)
      if (name === 'missing-key' && isLocal(run))
        await askTable(run, verdict, { at: 'served', refusals: keyInAddress })
    }),
  ),
]

function isLocal({ document }: Run): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(document.url).hostname)
}
