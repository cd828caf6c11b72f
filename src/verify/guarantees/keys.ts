import { toObject } from '../exchange.js'
import type { Call, Exchange } from '../exchange.js'
import { listReadable } from '../run.js'
import type { Check, Collection, Run } from '../run.js'
import type { Verdict } from '../verdict.js'
import { expectProblem } from './problems.js'

/** Expects 401, with what RFC 6750 sends along. */
function expectUnauthorized(verdict: Verdict, exchange: Exchange, code: 'missing_key' | 'invalid_key'): void {
  expectProblem(verdict, exchange, 401, code)
  if (exchange.status !== 401) return
  const { 'www-authenticate': challenge = '(none)' } = exchange.headers
  const isChallenge =
    /^bearer\b/i.test(challenge) && (code === 'missing_key' || challenge.includes('invalid_token'))
  verdict.expect(isChallenge, {
    exchange,
    got: `401 with WWW-Authenticate: ${challenge}`,
    expected: code === 'missing_key' ? 'Bearer' : 'Bearer with error="invalid_token"',
  })
}

/** Lists and records, and a header of another scheme. */
export const checkMissingKey: Check = async (run, verdict) => {
  for (const { path } of run.collections.filter(({ access }) => access !== 'absent'))
    for (const call of [{ path }, { path: `${path}/verify-no-such-id` }])
      expectUnauthorized(verdict, await run.caller.ask({ ...call, from: 'none' }), 'missing_key')
  for (const { path } of listReadable(run).slice(0, 1)) {
    const from = { authorization: 'Basic dmVyaWZ5OnZlcmlmeQ==' }
    expectUnauthorized(verdict, await run.caller.ask({ path, from }), 'missing_key')
  }
}

const wrongKey = { authorization: 'Bearer verify-this-is-no-key' }
const shortKey = { authorization: 'Bearer x' }

/** Few requests, because a service counts the keys that it refuses for each address. */
export const checkInvalidKey: Check = async (run, verdict) => {
  const [collection] = listReadable(run)
  if (collection === undefined) return
  const { path } = collection
  const wrong = await run.caller.ask({ path, from: wrongKey })
  const short = await run.caller.ask({ path, from: shortKey })
  // One character too many, at the address and with the tag of an answer that the key itself gets.
  const { headers } = await run.caller.ask({ path, query: { limit: 1 } })
  const conditional = {
    path,
    query: { limit: 1 },
    headers: { 'if-none-match': headers['etag'] ?? 'W/"verify"' },
  }
  const conditionally = await run.caller.ask({ ...conditional, from: { keyWith: 'x' } })
  for (const exchange of [wrong, short, conditionally]) {
    expectUnauthorized(verdict, exchange, 'invalid_key')
    verdict.expect(toText(exchange) === toText(wrong), {
      exchange,
      got: toText(exchange),
      expected: `${toText(wrong)}, as for every key that is not valid`,
    })
  }
}

/** What a problem says, without the id of the request. */
function toText({ json }: Exchange): string {
  const { title, detail } = toObject(json)
  return JSON.stringify({ title, detail })
}

/** A collection that one of the keys may not read. */
function findForbidden({ collections }: Run): readonly (readonly [Collection, 'key' | 'otherKey'])[] {
  return collections.flatMap((collection) => [
    ...(collection.access === 'forbidden' ? [[collection, 'key'] as const] : []),
    ...(collection.otherAccess === 'forbidden' ? [[collection, 'otherKey'] as const] : []),
  ])
}

/** The list and the single records of a collection that a key has no scope for. */
export const checkScopes: Check = async (run, verdict) => {
  const forbidden = findForbidden(run)
  if (forbidden.length === 0) verdict.skip('no key lacks the scope of a collection that is served')
  for (const [{ path }, from] of forbidden)
    for (const call of [{ path }, { path: `${path}/verify-no-such-id` }]) {
      const exchange = await run.caller.ask({ ...call, from })
      expectProblem(verdict, exchange, 403, 'insufficient_scope')
      const { 'www-authenticate': challenge = '(none)' } = exchange.headers
      verdict.expect(/insufficient_scope/.test(challenge), {
        exchange,
        got: `WWW-Authenticate: ${challenge}`,
        expected: 'Bearer with error="insufficient_scope" and the scope',
      })
    }
}

/** Requests that are wrong in two ways: the first check of the contract answers. */
export const checkCheckOrder: Check = async (run, verdict) => {
  for (const { path } of listReadable(run).slice(0, 1)) {
    const wrong: Call = { path, query: 'limit=0&page=2' }
    expectProblem(verdict, await run.caller.ask({ ...wrong, from: 'none' }), 401, 'missing_key')
    expectProblem(verdict, await run.caller.ask({ ...wrong, from: wrongKey }), 401, 'invalid_key')
  }
  const forbidden = findForbidden(run)
  for (const [{ path }, from] of forbidden.slice(0, 1))
    expectProblem(
      verdict,
      await run.caller.ask({ path, from, query: 'limit=0&page=2' }),
      403,
      'insufficient_scope',
    )
  if (forbidden.length === 0)
    verdict.skip('no key lacks a scope: the place of the scope in the order was not seen')
}
