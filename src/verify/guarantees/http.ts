import { describe, listItems } from '../exchange.js'
import type { Call, Exchange } from '../exchange.js'
import { readId } from '../pages.js'
import { confirm, forEachSample, listReadable } from '../run.js'
import type { Check, Run, Sample } from '../run.js'
import type { Verdict } from '../verdict.js'
import { expectProblem, isFromProxy } from './problems.js'

const headHeaders = [
  'etag',
  'content-type',
  'content-length',
  'cache-control',
  'vary',
  'x-content-type-options',
]

/** A list, a record, the document and an error. */
export const checkHead: Check = async (run, verdict) => {
  await expectHead(run, verdict, { path: '/openapi.json', from: 'none' })
  await forEachSample(async (sample) => {
    const { path } = sample.collection
    for (const call of [
      { path, query: { limit: 5 } },
      ...listRecordCalls(sample),
      { path: `${path}/verify-no-such-id` },
    ])
      await expectHead(run, verdict, call)
  })(run, verdict)
}

async function expectHead({ caller }: Run, verdict: Verdict, call: Call): Promise<void> {
  const problem = await confirm(async () => {
    const get = await caller.ask(call)
    const head = await caller.ask({ ...call, method: 'HEAD' })
    const different = headHeaders.filter((name) => !isSameHeader(name, get, head))
    if (get.status === head.status && head.body.length === 0 && different.length === 0) return undefined
    const again = await caller.ask(call)
    return again.headers['etag'] === get.headers['etag'] ? { get, head, different } : ('unsteady' as const)
  })
  if (problem === 'unsteady') return
  const show = ({ status, headers }: Exchange): string =>
    [
      String(status),
      ...(problem?.different ?? []).map((name) => `${name}: ${headers[name] ?? '(none)'}`),
    ].join(', ')
  verdict.expect(problem === undefined, {
    exchange: problem?.head ?? lastOf(caller.exchanges),
    got: problem === undefined ? '' : show(problem.head),
    expected: problem === undefined ? '' : `${show(problem.get)}, as GET, without a body`,
  })
}

function isSameHeader(name: string, get: Exchange, head: Exchange): boolean {
  const [one, other] = [get.headers[name], head.headers[name]]
  // HEAD may leave the length out, and a problem has the id of its request in its body.
  if (name === 'content-length' && (other === undefined || one === undefined)) return true
  return one === other
}

/** A request for a single record of the sample, if it has one. */
function listRecordCalls({ collection: { path }, records }: Sample): readonly Call[] {
  const [record] = records
  return record === undefined ? [] : [{ path: `${path}/${encodeURIComponent(readId(record))}` }]
}

/** Requests without a body, which a read-only API refuses. */
export const checkMethods: Check = forEachSample(async (sample, { caller }, verdict) => {
  const [single] = listRecordCalls(sample)
  const { path } = sample.collection
  const calls = [
    ['POST', path],
    ['PUT', single?.path ?? `${path}/verify-no-such-id`],
    ['PATCH', single?.path ?? `${path}/verify-no-such-id`],
    // Never at the address of a record that exists, whatever it is that answers there.
    ['DELETE', `${path}/verify-no-such-id`],
  ] as const
  for (const [method, target] of calls) {
    const exchange = await caller.ask({ method, path: target })
    const allow = listItems(exchange.headers['allow'])
    const isAllowed = allow.includes('get') && allow.includes('head') && !allow.includes(method.toLowerCase())
    verdict.expect(exchange.status === 405 && isAllowed, {
      exchange,
      got: `${describe(exchange)} with Allow: ${exchange.headers['allow'] ?? '(none)'}`,
      expected: '405 method_not_allowed with Allow: GET, HEAD',
    })
  }
})

/** Below the base path only, because a proxy may serve something else beside it. */
export const checkRoutes: Check = async (run, verdict) => {
  const paths = ['', '/', '/verify-no-such-collection', '/registrations/verify/more']
  for (const path of paths) expectProblem(verdict, await run.caller.ask({ path }), 404, 'not_found')
  for (const { name, path, access, first } of run.collections) {
    if (access !== 'absent') continue
    expectProblem(verdict, first, 404, 'not_found')
    expectProblem(verdict, await run.caller.ask({ path: `${path}/verify-no-such-id` }), 404, 'not_found')
    verdict.skip(`${name} are not served here`)
  }
}

/** Requests that no route reads. A proxy may refuse them before the service does. */
export const checkRequestLimits: Check = async (run, verdict) => {
  const [collection] = listReadable(run)
  if (collection === undefined) return
  const { path } = collection
  const calls: readonly (readonly [Call, number, string])[] = [
    [{ path: `${path}/%zz` }, 400, 'malformed_request'],
    [{ path, query: `status=${'x'.repeat(9000)}` }, 414, 'uri_too_long'],
    [{ path, headers: { 'x-verify': 'x'.repeat(20_000) } }, 431, 'headers_too_large'],
  ]
  for (const [call, status, code] of calls) {
    const exchange = await run.caller.ask(call)
    if (exchange.status >= 400 && exchange.status < 500 && isFromProxy(exchange))
      verdict.skip(`a proxy answered ${describe(exchange)} itself where ${status} ${code} is expected`)
    else expectProblem(verdict, exchange, status, code)
  }
}

function lastOf(exchanges: readonly Exchange[]): Exchange {
  const exchange = exchanges.at(-1)
  if (exchange === undefined) throw new Error('Nothing was asked')
  return exchange
}
