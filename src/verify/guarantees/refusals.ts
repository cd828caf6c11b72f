import { swapCase } from '../caller.js'
import { describe, isFromProxy, toObject } from '../exchange.js'
import type { Exchange, KeyName } from '../exchange.js'
import { askPage, readId } from '../pages.js'
import { defineGuarantee, forEachSample } from '../run.js'
import type { Check, Collection, Guarantee, Run, Sample } from '../run.js'
import type { Verdict } from '../verdict.js'
import { expectProblem } from './problems.js'
import {
  noKey,
  wrongKey,
  withoutKey,
  withWrongKey,
  withRevokedKey,
  withoutScope,
  wrongTwice,
  wrongParameters,
  alteredCursors,
  otherMethods,
  malformed,
  nowhere,
  noPaths,
  noPathsAtAll,
} from './refused-requests.js'
import type { Refusal } from './refused-requests.js'

/** What stands for a placeholder of a target. */
type Fill = Readonly<Record<string, string>>

async function askRefusals(
  { caller }: Pick<Run, 'caller'>,
  verdict: Verdict,
  { path, fill, refusals, isProxyAllowed = false }: RefusalInput,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  for (const [target, problem, how] of refusals) {
    const [below = '', query = ''] = target.replace(/\{\w+\}/g, (name) => fill[name] ?? name).split('?')
    const exchange = await caller.ask({ path: `${path}${below}`, query, ...how })
    exchanges.push(exchange)
    if (isProxyAllowed && exchange.status >= 400 && exchange.status < 500 && isFromProxy(exchange))
      verdict.skip(`a proxy answered ${describe(exchange)} itself where ${problem} is expected`)
    else expectProblem(verdict, exchange, problem)
  }
  return exchanges
}

interface RefusalInput {
  readonly path: string
  readonly fill: Fill
  readonly refusals: readonly Refusal[]
  /** Whether a proxy may refuse the request in its own way. */
  readonly isProxyAllowed?: boolean
}

/** A guarantee that is a table: the requests for each collection that the key can read. */
function refuse(
  name: string,
  title: string,
  refusals: readonly Refusal[],
  isProxyAllowed = false,
): Guarantee {
  const check = forEachSample(async (sample, run, verdict) => {
    const { path } = sample.collection
    await askRefusals(run, verdict, { path, fill: toFill(sample), refusals, isProxyAllowed })
  })
  return defineGuarantee(name, title, check)
}

function toFill({ records: [record] }: Sample): Fill {
  return { '{id}': record === undefined ? 'verify-no-such-id' : encodeURIComponent(readId(record)) }
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

/** A key in a header, in the address, without a scheme, and none. */
const checkMissingKey: Check = async (run, verdict) => {
  for (const { path, access } of run.collections) {
    if (access.key === 'absent') continue
    const { hostname } = new URL(run.document.url)
    // Servers log addresses: the key is part of one only on this machine.
    const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
    const inAddress: readonly Refusal[] = isHere ? [['?access_token={key}', 'missing_key', noKey]] : []
    const refusals = [...withoutKey, ...inAddress]
    await askRefusals(run, verdict, { path, fill: { '{id}': 'verify-no-such-id' }, refusals })
  }
}

/** The texts are the same for every key that is not valid, and no tag gets a 304. */
const checkInvalidKey: Check = async (run, verdict) => {
  const { caller, keys } = run
  if (keys.revokedKey === undefined) verdict.skip('a revoked key needs --revoked-key-env')
  const swapped: readonly Refusal[] =
    swapCase(keys.key) === keys.key
      ? []
      : [['', 'invalid_key', { from: { authorization: 'Bearer {swappedKey}' } }]]
  const refusals = [...withWrongKey, ...swapped, ...(keys.revokedKey === undefined ? [] : withRevokedKey)]
  await forEachSample(async (sample) => {
    const { path } = sample.collection
    const { headers } = await caller.ask({ path, query: 'limit=1' })
    const tagged = { headers: { 'if-none-match': headers['etag'] ?? 'W/"verify"' } }
    const withTag = refusals.map(
      ([target, problem, how]) => [target, problem, { ...how, ...tagged }] as const,
    )
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

/** A collection that one of the keys may not read. */
function findForbidden({ collections }: Run): readonly (readonly [Collection, KeyName])[] {
  return collections.flatMap((collection) =>
    (Object.keys(collection.access) as KeyName[])
      .filter((from) => collection.access[from] === 'forbidden')
      .map((from) => [collection, from] as const),
  )
}

const checkScopes: Check = async (run, verdict) => {
  const forbidden = findForbidden(run)
  if (forbidden.length === 0)
    verdict.skip('no key lacks the scope of a collection that is served: it needs --scoped-key-env')
  for (const [{ path }, from] of forbidden) {
    const refusals = withoutScope.map(
      ([target, problem, how]) => [target, problem, { ...how, from }] as const,
    )
    await askRefusals(run, verdict, { path, fill: { '{id}': 'verify-no-such-id' }, refusals })
  }
}

const checkCheckOrder: Check = async (run, verdict) => {
  await forEachSample(async ({ collection: { path } }) => {
    const refusals: readonly Refusal[] = [
      [wrongTwice, 'missing_key', noKey],
      [wrongTwice, 'invalid_key', wrongKey],
    ]
    await askRefusals(run, verdict, { path, fill: {}, refusals })
  })(run, verdict)
  const forbidden = findForbidden(run)
  if (forbidden.length === 0)
    verdict.skip('no key lacks a scope: the place of the scope in the order was not seen')
  for (const [{ path }, from] of forbidden)
    await askRefusals(run, verdict, {
      path,
      fill: {},
      refusals: [[wrongTwice, 'insufficient_scope', { from }]],
    })
}

const checkRoutes: Check = async (run, verdict) => {
  const refusals = noPathsAtAll.map((path) => [path, 'not_found'] as const)
  await askRefusals(run, verdict, { path: '', fill: {}, refusals })
  for (const { name, path, access } of run.collections) {
    if (access.key !== 'absent') continue
    verdict.skip(`${name} are not served here`)
    const absent: readonly Refusal[] = [['', 'not_found'], ...nowhere.slice(0, 1)]
    await askRefusals(run, verdict, { path, fill: {}, refusals: absent })
  }
  await forEachSample(async (sample) => {
    const { path } = sample.collection
    await askRefusals(run, verdict, { path, fill: toFill(sample), refusals: noPaths })
  })(run, verdict)
}

/** Both lists share their parameters, so that a third of them is enough for the second one. */
const checkParameters: Check = async (run, verdict) => {
  let step = 1
  await forEachSample(async (sample) => {
    const refusals = wrongParameters.filter((_, at) => at % step === 0)
    await askRefusals(run, verdict, { path: sample.collection.path, fill: toFill(sample), refusals })
    step = 3
  })(run, verdict)
  const refusals: readonly Refusal[] = [['?limit=1', 'unknown_parameter limit', noKey]]
  await askRefusals(run, verdict, { path: '/openapi.json', fill: {}, refusals })
}

/** Requests that must be refused. */
export const refusalGuarantees: readonly Guarantee[] = [
  defineGuarantee('cursor-altered', 'An altered cursor is refused', checkCursorAltered),
  refuse('not-found', 'An id that does not exist is 404', nowhere),
  defineGuarantee('missing-key', 'A request without a key is 401 missing_key', checkMissingKey),
  defineGuarantee('invalid-key', 'A key that is not valid is 401 invalid_key', checkInvalidKey),
  defineGuarantee('scopes', 'A key without the scope is 403 insufficient_scope', checkScopes),
  defineGuarantee(
    'check-order',
    'The key is checked first, then the scope, then the parameters',
    checkCheckOrder,
  ),
  defineGuarantee(
    'parameters',
    'Unknown, repeated and invalid parameters are 400 and named',
    checkParameters,
  ),
  defineGuarantee('routes', 'Paths that the API does not have are 404', checkRoutes),
  refuse('methods', 'Other methods are 405 with Allow', otherMethods),
  refuse(
    'request-limits',
    'Malformed, too long and too large requests are refused with a problem',
    malformed,
    true,
  ),
]
