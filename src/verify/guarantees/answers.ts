import { describe, isFromProxy, isObject, isProblem, listItems } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { defineGuarantee, defineLast, listReadable } from '../run.js'
import type { Check, Guarantee, Run } from '../run.js'
import type { Verdict } from '../verdict.js'

/** What a header must be, in every answer that it is meant for. */
type HeaderRule = readonly [
  header: string,
  expected: string,
  of: (exchange: Exchange) => boolean,
  isMet: (value: string, exchange: Exchange) => boolean,
]

/** The answer to a preflight is for the browser alone. */
const isOfApi = ({ call }: Exchange): boolean => call.below !== 'root' && call.method !== 'OPTIONS'
const isOurs = (one: Exchange): boolean => isOfApi(one) && !(one.status >= 400 && isFromProxy(one))
const isSuccess = (one: Exchange): boolean => isOfApi(one) && (one.status === 200 || one.status === 304)
const isJson = (one: Exchange): boolean => isOfApi(one) && one.status === 200 && isObject(one.json)
const hasContent = (one: Exchange): boolean => isOurs(one) && one.status < 400 && one.status !== 304
const isError = (one: Exchange): boolean => isOurs(one) && one.status >= 400
const isOfService = (one: Exchange): boolean => !(one.status >= 400 && isFromProxy(one))

const sharedDirective = /^(?:public|immutable|s-maxage=.*|max-age=0*[1-9]\d*)$/
const byteOrderMark = Buffer.from('\uFEFF')

function isPrivate(value: string): boolean {
  const items = listItems(value)
  const isShared = items.some((one) => sharedDirective.test(one))
  return items.includes('private') && items.includes('no-cache') && !isShared
}

const isType = (value: string, type: string): boolean => value.split(';')[0]?.trim().toLowerCase() === type
const [json, problem] = ['application/json', 'application/problem+json']
const idText = 'X-Request-Id with at most 64 letters, digits, dots, underscores and hyphens'

const headerRules = {
  tags: [['etag', 'a weak tag, such as W/"abc"', isJson, (value) => /^W\/"[^"]+"$/.test(value)]],
  ids: [['x-request-id', idText, isOfService, (value) => /^[A-Za-z0-9._-]{1,64}$/.test(value)]],
  content: [
    ['content-type', json, hasContent, (value) => isType(value, json)],
    ['content-type', problem, isError, (value) => isType(value, problem)],
    [
      'content-type',
      'JSON without a byte order mark before it',
      isOurs,
      (_, { body }) => !body.subarray(0, 3).equals(byteOrderMark),
    ],
    ['x-content-type-options', 'nosniff', isOurs, (value) => value === 'nosniff'],
  ],
  caching: [
    [
      'cache-control',
      'no-store',
      (one) => isOfApi(one) && isProblem(one),
      (value) => listItems(value).includes('no-store'),
    ],
    ['cache-control', 'private, no-cache', isSuccess, isPrivate],
    ['vary', 'Vary with Authorization', isSuccess, (value) => listItems(value).includes('authorization')],
  ],
} satisfies Record<string, readonly HeaderRule[]>

function expectHeaders(verdict: Verdict, { caller }: Run, rules: readonly HeaderRule[]): void {
  for (const exchange of caller.exchanges)
    for (const [header, expected, of, isMet] of rules) {
      if (!of(exchange)) continue
      const value = exchange.headers[header]
      const got = `${exchange.status} with ${header}: ${value ?? '(none)'}`
      verdict.expect(isMet(value ?? '', exchange), { exchange, got, expected })
    }
}

/** The caller's own id, and otherwise another one for each request. */
const checkRequestId: Check = async (run, verdict) => {
  for (const { path } of listReadable(run).slice(0, 1)) {
    const own = `verify-${Date.now().toString(36)}`
    const exchange = await run.caller.ask({ path, query: 'limit=1', headers: { 'x-request-id': own } })
    const got = exchange.headers['x-request-id'] ?? '(none)'
    const expected = `${own}, which the request has: a proxy must not replace it`
    verdict.expect(got === own, { exchange, got, expected })
  }
  expectHeaders(verdict, run, headerRules.ids)
  const seen = new Set<string>()
  for (const exchange of run.caller.exchanges) {
    const id = exchange.headers['x-request-id']
    if (id === undefined) continue
    const got = `X-Request-Id: ${id} again`
    verdict.expect(!seen.has(id), { exchange, got, expected: 'another id for each request' })
    seen.add(id)
  }
}

/** Form of every tag; the same tag for the same data in every encoding, and another one for other data. */
const checkEtag: Check = (run, verdict) => {
  expectHeaders(verdict, run, headerRules.tags)
  const tagOf = new Map<string, string>()
  const contentOf = new Map<string, string>()
  for (const exchange of run.caller.exchanges.filter(isJson)) {
    const { etag = '' } = exchange.headers
    const content = readTagged(exchange)
    // Two keys can have the same records, each with a tag of its own.
    const place = `${JSON.stringify(exchange.call.from ?? 'key')} ${exchange.url} ${content}`
    const before = tagOf.get(place) ?? etag
    const same = `${before}, as before: the records are the same`
    verdict.expect(before === etag, { exchange, got: `ETag: ${etag}`, expected: same })
    const other = 'another tag: the answer that had this one before has other content'
    const isKnown = (contentOf.get(etag) ?? content) === content
    verdict.expect(isKnown, { exchange, got: `ETag: ${etag} again`, expected: other })
    tagOf.set(place, etag)
    contentOf.set(etag, content)
  }
}

/** What a tag covers: the records and whether more follow, or the whole body. */
function readTagged({ json }: Exchange): string {
  if (!isObject(json) || !Array.isArray(json['data']) || !isObject(json['meta'])) return JSON.stringify(json)
  return JSON.stringify([json['data'], json['meta']['cursor'] === null])
}

const origin = { origin: 'https://vitrine-verify.invalid' }
const preflight = { ...origin, 'access-control-request-method': 'GET' }

/** Either no answer has a header for browsers, or preflights are answered and the answers say the same. */
const checkCors: Check = async (run, verdict) => {
  for (const { path } of listReadable(run)) {
    const asked = await run.caller.ask({ path, method: 'OPTIONS', from: 'none', headers: preflight })
    const methods = asked.headers['access-control-allow-methods'] ?? '(none)'
    const isOn = asked.status === 200 && listItems(methods).join() === 'get,head'
    const got = `${describe(asked)} with Access-Control-Allow-Methods: ${methods}`
    const expected = '405, or the answer to a preflight: 200 with GET, HEAD'
    verdict.expect(asked.status === 405 || isOn, { exchange: asked, got, expected })
    for (const exchange of [asked, await run.caller.ask({ path, query: 'limit=1', headers: origin })])
      expectForeign(verdict, exchange, isOn)
  }
}

/** What an origin gets that no deployment allows by its name. */
function expectForeign(verdict: Verdict, exchange: Exchange, isOn: boolean): void {
  const names = ['access-control-allow-origin', 'access-control-allow-credentials'] as const
  const [allowed, credentials] = names.map((name) => exchange.headers[name])
  const isAny = isOn && allowed === '*'
  const got = names.map((name) => `${name}: ${exchange.headers[name] ?? '(none)'}`).join(', ')
  const expected = isOn ? `none for ${origin.origin}` : 'none, because preflights are 405'
  const isMet = credentials === undefined && (allowed === undefined || isAny)
  verdict.expect(isMet, { exchange, got, expected })
  if (isAny) verdict.skip('pages of every origin may call it: CORS_ORIGINS is *')
}

/** Headers of every answer of the run. */
export const answerGuarantees: readonly Guarantee[] = [
  defineLast('etag', 'Successful answers have a weak ETag that stays while nothing changes', checkEtag),
  defineLast(
    'request-id',
    'Every answer has an X-Request-Id, the one of the caller if it sent one',
    checkRequestId,
  ),
  defineLast('content-type', 'Answers say what they are, and nosniff', (run, verdict) => {
    expectHeaders(verdict, run, headerRules.content)
  }),
  defineLast('cache-headers', 'No shared cache may store an answer', (run, verdict) => {
    expectHeaders(verdict, run, headerRules.caching)
  }),
  defineGuarantee('cors', 'Pages of other origins may call the API only where CORS is configured', checkCors),
]
