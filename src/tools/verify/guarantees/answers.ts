import { isRecord } from '../../../client/forms.js'
import { collectionNames, fieldNames } from '../../../client/records.js'
import { describe, isFromProxy, isProblem, listItems, toObject } from '../answer.js'
import type { Exchange } from '../answer.js'
import { createBodyRules } from '../document.js'
import type { Check, Guarantee, Rule, Run } from '../run.js'

/** Verifies every answer of the run by rules. */
function byExchange(toRules: (exchange: Exchange, run: Run) => readonly Rule[]): Check {
  return (run) => {
    for (const exchange of run.exchanges) run.expect(exchange, ...toRules(exchange, run))
  }
}

/** Every error comes from the service. The forms of its members are those of the OpenAPI document. */
function toProblemRules(exchange: Exchange, run: Run): readonly Rule[] {
  const { headers, status, call, json } = exchange
  if (status < 400 || call.method === 'HEAD') return []
  if (isFromProxy(exchange)) {
    run.skip(`a proxy answered ${describe(exchange)} itself`)
    return []
  }
  const { requestId } = toObject(json)
  return [
    [isProblem(exchange), describe(exchange), 'application/problem+json'],
    [requestId === headers['x-request-id'], 'another requestId', 'the one of X-Request-Id'],
  ]
}

/** Every record, in lists and alone, of whichever key. Names of fields are shown, and no value: a field may leak. */
function toFieldRules({ call, status, json }: Exchange): readonly Rule[] {
  const [, name, id] = call.path.split('/')
  const collection = collectionNames.find((one) => one === name)
  if (collection === undefined || status !== 200) return []
  const data = id === undefined ? toObject(json)['data'] : [json]
  const known = fieldNames[collection]
  const expected = known.join(', ')
  // The document has those that later releases add.
  const all = (Array.isArray(data) ? data : [])
    .filter(isRecord)
    .map((one) => Object.keys(one).filter((name) => known.includes(name)))
    .map((names) => names.join(', '))
  return [...new Set(all)].map((names) => [names === expected, `a record with ${names}`, expected])
}

/** Every answer by the deployment's own document. */
const checkDocument: Check = (run) => {
  const toBodyRules = createBodyRules(toObject(run.session.document.json))
  for (const exchange of run.exchanges)
    if (exchange.call.method !== 'HEAD' && !isFromProxy(exchange))
      run.expect(exchange, ...toBodyRules(exchange))
}

function toCacheRules(exchange: Exchange): readonly Rule[] {
  const { 'cache-control': control = '(none)', vary = '(none)' } = exchange.headers
  const got = `${exchange.status} with Cache-Control: ${control}`
  const has = (item: string): boolean => listItems(control).includes(item)
  if (isProblem(exchange)) return [[has('no-store'), got, 'no-store']]
  if (exchange.status !== 200 && exchange.status !== 304) return []
  const isShared = /\b(?:public|immutable|s-maxage=|max-age=0*[1-9])/.test(control.toLowerCase())
  const isVaried = listItems(vary).includes('authorization')
  return [
    [has('private') && has('no-cache') && !isShared, got, 'private, no-cache'],
    [isVaried, `${exchange.status} with Vary: ${vary}`, 'Vary with Authorization'],
  ]
}

/** Of every answer of the service; one that comes again is an answer of a cache. */
const checkRequestId: Check = (run) => {
  const seen = new Set<string | undefined>([undefined])
  for (const exchange of run.exchanges.filter((one) => !isFromProxy(one))) {
    const { 'x-request-id': id } = exchange.headers
    run.expect(exchange, [!seen.has(id), `X-Request-Id: ${id ?? '(none)'}`, 'another id for each request'])
    seen.add(id)
  }
}

/** Of a hundred answers, so many may come from a proxy that did not reach the service: a release restarts it. */
const retriesMaxPercent = 1
const retriesMin = 3

/** Each of them was asked again, and so no other guarantee shows it. */
const checkRetries: Check = (run) => {
  const failed = run.exchanges.filter(({ status }) => status === 502 || status === 504)
  const sent = run.session.caller.requestsSent()
  const isMet = failed.length < retriesMin || failed.length * 100 <= sent * retriesMaxPercent
  const got = `502 or 504 for ${failed.length} of ${sent} requests`
  for (const exchange of [...failed, ...run.exchanges].slice(0, 1))
    run.expect(exchange, [isMet, got, `at most ${retriesMaxPercent} of 100: the service was not reached`])
}

/** Every answer of the run: what it holds, its headers, and whether it comes from the service. */
export const answerGuarantees: readonly Guarantee[] = [
  ['problems', 'Every error is a problem of RFC 9457 of the service', byExchange(toProblemRules)],
  [
    'fields',
    'An answer has what the OpenAPI document says, and a record the fields of the contract in their order',
    byExchange(toFieldRules),
    checkDocument,
  ],
  ['request-id', 'Each answer has its own X-Request-Id', checkRequestId],
  ['cache-headers', 'No shared cache may store an answer', byExchange(toCacheRules)],
  ['gateway', 'No proxy answers 502 or 504 instead of the service', checkRetries],
]
