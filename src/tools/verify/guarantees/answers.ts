import { basePath } from '../caller.js'
import {
  describe,
  isFromProxy,
  isObject,
  isProblem,
  listItems,
  readLink,
  readMediaType,
} from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { byRules, forEachPlace, inTurn, listReadable } from '../run.js'
import type { Check, Checks, Rule, Run } from '../run.js'
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
const isOfService = (one: Exchange): boolean => !(one.status >= 400 && isFromProxy(one))
const isOurs = (one: Exchange): boolean => isOfApi(one) && isOfService(one)
const isSuccess = (one: Exchange): boolean => isOfApi(one) && (one.status === 200 || one.status === 304)
const isJson = (one: Exchange): boolean => isOfApi(one) && one.status === 200 && isObject(one.json)
const hasContent = (one: Exchange): boolean => isOurs(one) && one.status < 400 && one.status !== 304
const isError = (one: Exchange): boolean => isOurs(one) && one.status >= 400
const isProblemOfApi = (one: Exchange): boolean => isOfApi(one) && isProblem(one)
const has =
  (header: string) =>
  (one: Exchange): boolean =>
    isOfApi(one) && one.headers[header] !== undefined

const sharedDirective = /^(?:public|immutable|s-maxage=.*|max-age=0*[1-9]\d*)$/
const byteOrderMark = Buffer.from('\uFEFF')

function isPrivate(value: string): boolean {
  const items = listItems(value)
  const isShared = items.some((one) => sharedDirective.test(one))
  return items.includes('private') && items.includes('no-cache') && !isShared
}

const [json, problem] = ['application/json', 'application/problem+json']
const isType =
  (type: string) =>
  (_: string, { headers }: Exchange): boolean =>
    readMediaType(headers) === type
const idText = 'X-Request-Id with at most 64 letters, digits, dots, underscores and hyphens'
const bareJson = 'JSON without a byte order mark before it'

const tagRules: readonly HeaderRule[] = [
  ['etag', 'a weak tag, such as W/"abc"', isJson, (value) => /^W\/"[^"]+"$/.test(value)],
]
const idRules: readonly HeaderRule[] = [
  ['x-request-id', idText, isOfService, (value) => /^[A-Za-z0-9._-]{1,64}$/.test(value)],
]
const contentRules: readonly HeaderRule[] = [
  ['content-type', json, hasContent, isType(json)],
  ['content-type', problem, isError, isType(problem)],
  ['content-type', bareJson, isOurs, (_, { body }) => !body.subarray(0, 3).equals(byteOrderMark)],
  ['x-content-type-options', 'nosniff', isOurs, (value) => value === 'nosniff'],
]
const cacheRules: readonly HeaderRule[] = [
  ['cache-control', 'no-store', isProblemOfApi, (value) => listItems(value).includes('no-store')],
  ['cache-control', 'private, no-cache', isSuccess, isPrivate],
  ['vary', 'Vary with Authorization', isSuccess, (value) => listItems(value).includes('authorization')],
]

const policy = /^"[^"]+"(?:;\w+=(?:\d+|"[^"]*"))*;q=\d+(?:;\w+=(?:\d+|"[^"]*"))*$/
const expiry = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
/** Headers that not every release sends. */
const optionalRules: readonly HeaderRule[] = [
  ['ratelimit-policy', '"name";q=1200;w=60', has('ratelimit-policy'), (value) => isEach(value, policy)],
  ['ratelimit', '"name";r=1199;t=60, as RateLimit-Remaining has it', has('ratelimit'), isRateLimit],
  ['link', `rel="service-desc" with ${basePath}/openapi.json`, isOfApi, isDescription],
  ['api-key-expires', 'a time of RFC 3339', has('api-key-expires'), (value) => expiry.test(value)],
]

function isEach(value: string, form: RegExp): boolean {
  return value.split(/,\s*(?=")/).every((item) => form.test(item.replaceAll(/;\s+/g, ';')))
}

/** Where there is one, it leads to the document. */
function isDescription(_: string, one: Exchange): boolean {
  return readLink(one, 'service-desc')?.endsWith(`${basePath}/openapi.json`) ?? true
}

/** One of the policies is the one whose numbers `RateLimit-Remaining` has. */
function isRateLimit(value: string, { headers }: Exchange): boolean {
  const { 'ratelimit-remaining': left } = headers
  const numbers = [...value.matchAll(/;\s*r=(\d+)/g)].map(([, number]) => number)
  return numbers.length > 0 && (left === undefined || numbers.includes(left))
}

function listHeaderRules(exchange: Exchange, rows: readonly HeaderRule[]): readonly Rule[] {
  return rows
    .filter(([, , of]) => of(exchange))
    .map(([header, expected, , isMet]) => {
      const value = exchange.headers[header]
      const got = `${exchange.status} with ${header}: ${value ?? '(none)'}`
      return [isMet(value ?? '', exchange), got, expected]
    })
}

const listAll = ({ caller }: Run) => caller.exchanges.map((exchange) => ({ exchange }))

/** What headers must be, in every answer of the run that they are meant for. */
function byHeaders(rows: readonly HeaderRule[]): Check {
  return byRules(listAll, ({ exchange }) => listHeaderRules(exchange, rows))
}

/** The caller's own id, and otherwise another one for each request. */
const checkRequestId: Check = async (run) => {
  const { caller, verdict } = run
  for (const { path } of listReadable(run).slice(0, 1)) {
    const own = `verify-${Date.now().toString(36)}`
    const exchange = await caller.ask({ path, query: 'limit=1', headers: { 'x-request-id': own } })
    const got = exchange.headers['x-request-id'] ?? '(none)'
    verdict.expect(got === own, exchange, got, `${own}, which the request has: a proxy must not replace it`)
  }
  const seen = new Set<string>()
  for (const exchange of caller.exchanges) {
    const id = exchange.headers['x-request-id']
    if (id === undefined) continue
    verdict.expect(!seen.has(id), exchange, `X-Request-Id: ${id} again`, 'another id for each request')
    seen.add(id)
  }
}

/** The same tag for the same data in every encoding, and another one for other data. */
const checkTags: Check = ({ caller, verdict }) => {
  const tagOf = new Map<string, string>()
  const contentOf = new Map<string, string>()
  for (const exchange of caller.exchanges.filter(isJson)) {
    const { etag = '' } = exchange.headers
    const content = readTagged(exchange)
    // Two keys can have the same records, each with a tag of its own.
    const place = `${JSON.stringify(exchange.call.from)} ${exchange.url} ${content}`
    const before = tagOf.get(place) ?? etag
    const same = `${before}, as before: the records are the same`
    verdict.expect(before === etag, exchange, `ETag: ${etag}`, same)
    const other = 'another tag: the answer that had this one before has other content'
    const isKnown = (contentOf.get(etag) ?? content) === content
    verdict.expect(isKnown, exchange, `ETag: ${etag} again`, other)
    tagOf.set(place, etag)
    contentOf.set(etag, content)
  }
}

/** What a tag covers: the records, whether more follow and the epoch, or the whole body. */
function readTagged({ json: body }: Exchange): string {
  if (!isObject(body) || !Array.isArray(body['data']) || !isObject(body['meta'])) return JSON.stringify(body)
  const { cursor, epoch } = body['meta']
  return JSON.stringify([body['data'], cursor === null, epoch])
}

const origin = { origin: 'https://vitrine-verify.invalid' }
const preflight = { ...origin, 'access-control-request-method': 'GET' }

/** Either no answer has a header for browsers, or preflights are answered and the answers say the same. */
const checkCors = forEachPlace(async ({ path, caller, verdict }) => {
  const asked = await caller.ask({ path, method: 'OPTIONS', from: 'none', headers: preflight })
  const methods = asked.headers['access-control-allow-methods'] ?? '(none)'
  const isOn = asked.status === 200 && listItems(methods).join() === 'get,head'
  const got = `${describe(asked)} with Access-Control-Allow-Methods: ${methods}`
  const expected = '405, or the answer to a preflight: 200 with GET, HEAD'
  verdict.expect(asked.status === 405 || isOn, asked, got, expected)
  for (const exchange of [asked, await caller.ask({ path, query: 'limit=1', headers: origin })])
    expectForeign(verdict, exchange, isOn)
})

/** What an origin gets that no deployment allows by its name. */
function expectForeign(verdict: Verdict, exchange: Exchange, isOn: boolean): void {
  const names = ['access-control-allow-origin', 'access-control-allow-credentials'] as const
  const [allowed, credentials] = names.map((name) => exchange.headers[name])
  const isAny = isOn && allowed === '*'
  const got = names.map((name) => `${name}: ${exchange.headers[name] ?? '(none)'}`).join(', ')
  const expected = isOn ? `none for ${origin.origin}` : 'none, because preflights are 405'
  verdict.expect(credentials === undefined && (allowed === undefined || isAny), exchange, got, expected)
  if (isAny) verdict.skip('pages of every origin may call it: CORS_ORIGINS is *')
}

/** Of a hundred answers, so many may come from a proxy that did not reach the service: a release restarts it. */
const retriesMaxPercent = 1
const retriesMin = 3

/** Each of them was asked again, and so no other guarantee shows it. */
const checkRetries: Check = ({ caller, verdict }) => {
  const failed = caller.exchanges.filter(({ status }) => status === 502 || status === 504)
  const sent = caller.requestsSent()
  const isMet = failed.length < retriesMin || failed.length * 100 <= sent * retriesMaxPercent
  const exchange = failed[0] ?? caller.exchanges[0]
  const got = `502 or 504 for ${failed.length} of ${sent} requests`
  if (exchange !== undefined)
    verdict.expect(isMet, exchange, got, `at most ${retriesMaxPercent} of 100: the service was not reached`)
}

/** Headers of every answer of the run, and answers that do not come from the service. */
export const answerChecks: Checks = {
  etag: inTurn(byHeaders(tagRules), checkTags),
  'request-id': inTurn(checkRequestId, byHeaders(idRules)),
  'content-type': byHeaders(contentRules),
  'cache-headers': byHeaders(cacheRules),
  'optional-headers': byHeaders(optionalRules),
  cors: checkCors,
  gateway: checkRetries,
}
