import { swapCase } from '../caller.js'
import { describe, isFromProxy, toObject } from '../exchange.js'
import type { Exchange, Sender } from '../exchange.js'
import { askPage, readId } from '../pages.js'
import { defineGuarantee, forEachSample } from '../run.js'
import type { Check, Guarantee, Run, Sample } from '../run.js'
import type { Verdict } from '../verdict.js'
import { expectProblem } from './problems.js'
import {
  alteredCursors,
  keyInAddress,
  refusalTables,
  withRevokedKey,
  withSwappedKey,
  withWrongKey,
} from './refused-requests.js'
import type { Refusal, RefusalTable } from './refused-requests.js'

/** A path that requests are sent below. */
interface Target {
  readonly path: string
  /** What stands for a placeholder of a request. */
  readonly fill: Readonly<Record<string, string>>
  /** Whose key is sent; the one that reads where it is not given. */
  readonly from?: Sender
}

async function askRefusals(
  { caller }: Pick<Run, 'caller'>,
  verdict: Verdict,
  {
    path,
    fill,
    from,
    refusals,
    isProxyAllowed = false,
  }: Target & Pick<RefusalTable, 'refusals' | 'isProxyAllowed'>,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  for (const [target, problem, how] of refusals) {
    const [below = '', query = ''] = target.replace(/\{\w+\}/g, (name) => fill[name] ?? name).split('?')
    const own = from === undefined ? {} : { from }
    const exchange = await caller.ask({ path: `${path}${below}`, query, ...own, ...how })
    exchanges.push(exchange)
    if (isProxyAllowed && exchange.status >= 400 && exchange.status < 500 && isFromProxy(exchange))
      verdict.skip(`a proxy answered ${describe(exchange)} itself where ${problem} is expected`)
    else expectProblem(verdict, exchange, problem)
  }
  return exchanges
}

function toFill({ records: [record] }: Sample): Target['fill'] {
  return { '{id}': record === undefined ? 'verify-no-such-id' : encodeURIComponent(readId(record)) }
}

const noRecord = { '{id}': 'verify-no-such-id' }

/** The places of a table but lists that the key can read, whose samples must be read first. */
function listTargets(run: Run, at: RefusalTable['at']): readonly Target[] {
  if (at === 'api') return [{ path: '', fill: {} }]
  return run.collections.flatMap(({ path, access }): readonly Target[] => {
    const isAbsent = access.key === 'absent'
    if (at !== 'forbidden') return isAbsent === (at === 'absent') ? [{ path, fill: noRecord }] : []
    return Object.entries(access).flatMap(([from, found]) =>
      found === 'forbidden' ? [{ path, fill: noRecord, from: from as keyof typeof access }] : [],
    )
  })
}

async function askTable(run: Run, verdict: Verdict, table: RefusalTable): Promise<void> {
  const { at, refusals, none, isShared = false } = table
  if (at === 'readable') {
    let step = 1
    await forEachSample(async (sample) => {
      const asked = refusals.filter((_, place) => place % step === 0)
      const target = { path: sample.collection.path, fill: toFill(sample) }
      await askRefusals(run, verdict, { ...table, ...target, refusals: asked })
      step = isShared ? 3 : 1
    })(run, verdict)
    return
  }
  const targets = listTargets(run, at)
  if (targets.length === 0 && none !== undefined) verdict.skip(none)
  for (const target of targets) {
    if (at === 'absent') verdict.skip(`${target.path.slice(1)} are not served here`)
    await askRefusals(run, verdict, { ...table, ...target })
  }
}

/** One character other, too many or too few, and texts that were never a cursor. */
const checkCursorAltered = forEachSample(async ({ collection }, run, verdict) => {
  const { path, name } = collection
  const { cursor } = await askPage(run.caller, { path, query: { limit: 1 } })
  if (cursor === null) {
    verdict.skip(`${name}: fewer than two records, so that there is no cursor`)
    return
  }
  const replace = (at: number): string =>
    `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`
  const fill = {
    '{cursor}': cursor,
    '{cursor0}': replace(0),
    '{cursor18}': replace(18),
    '{cursorMiddle}': replace(cursor.length >> 1),
    '{cursorEnd}': replace(cursor.length - 1),
    '{cursorShort}': cursor.slice(0, -1),
  }
  await askRefusals(run, verdict, { path, fill, refusals: alteredCursors })
})

/** The texts are the same for every key that is not valid, and no tag gets a 304. */
const checkInvalidKey: Check = async (run, verdict) => {
  const { caller, keys } = run
  if (keys.revokedKey === undefined) verdict.skip('a revoked key needs --revoked-key-env')
  const refusals = [
    ...withWrongKey,
    ...(swapCase(keys.key) === keys.key ? [] : withSwappedKey),
    ...(keys.revokedKey === undefined ? [] : withRevokedKey),
  ]
  await forEachSample(async (sample) => {
    const { path } = sample.collection
    const { headers } = await caller.ask({ path, query: 'limit=1' })
    const tagged = { headers: { 'if-none-match': headers['etag'] ?? 'W/"verify"' } }
    const withTag = refusals.map(([target, problem, how]): Refusal => [
      target,
      problem,
      { ...how, ...tagged },
    ])
    const exchanges = await askRefusals(run, verdict, { path, fill: toFill(sample), refusals: withTag })
    const expected = `${toText(exchanges[0])}, as for every key that is not valid`
    for (const exchange of exchanges) {
      const got = toText(exchange)
      verdict.expect(got === toText(exchanges[0]), { exchange, got, expected })
    }
  })(run, verdict)
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
