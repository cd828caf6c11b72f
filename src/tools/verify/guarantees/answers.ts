import { isFromProxy, isObject, isProblem, listItems, readMediaType } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { byRules, listReadable, watching } from '../run.js'
import type { Check, Run } from '../run.js'

/** What a header must be, in every answer that it is meant for. */
type HeaderRule = readonly [
  header: string,
  expected: string,
  of: (exchange: Exchange) => boolean,
  isMet: (value: string, exchange: Exchange) => boolean,
]

const isOurs = (one: Exchange): boolean => !isFromProxy(one)
const isError = (one: Exchange): boolean => isOurs(one) && one.status >= 400
const isSuccess = ({ status }: Exchange): boolean => status === 200 || status === 304
const isJson = ({ status, json }: Exchange): boolean => status === 200 && isObject(json)
const isType = (type: string) => (_: string, one: Exchange) => readMediaType(one) === type
const hasNoMark = (_: string, { body }: Exchange): boolean => !body.subarray(0, 3).equals(byteOrderMark)
const byteOrderMark = Buffer.from('\uFEFF')
const includes = (item: string) => (value: string) => listItems(value).includes(item)

function isPrivate(value: string): boolean {
  const isShared = /\b(?:public|immutable|s-maxage=|max-age=0*[1-9])/.test(value.toLowerCase())
  return includes('private')(value) && includes('no-cache')(value) && !isShared
}

const [json, problem] = ['application/json', 'application/problem+json']
const tagRules: readonly HeaderRule[] = [
  ['etag', 'a weak tag, such as W/"abc"', isJson, (value) => /^W\/"[^"]+"$/.test(value)],
]
const idRules: readonly HeaderRule[] = [
  ['x-request-id', 'at most 64 letters, digits, . _ -', isOurs, (value) => /^[\w.-]{1,64}$/.test(value)],
]
const contentRules: readonly HeaderRule[] = [
  ['content-type', json, ({ status }) => status < 300, isType(json)],
  ['content-type', problem, isError, isType(problem)],
  ['content-type', 'JSON without a byte order mark before it', isOurs, hasNoMark],
  ['x-content-type-options', 'nosniff', isOurs, (value) => value === 'nosniff'],
]
const cacheRules: readonly HeaderRule[] = [
  ['cache-control', 'no-store', isProblem, includes('no-store')],
  ['cache-control', 'private, no-cache', isSuccess, isPrivate],
  ['vary', 'Vary with Authorization', isSuccess, includes('authorization')],
]

/** What headers must be, in every answer of the run that they are meant for. */
function byHeaders(rows: readonly HeaderRule[]): Check {
  const list = ({ exchanges }: Run) => exchanges.map((exchange) => ({ exchange }))
  return byRules(list, ({ exchange }) =>
    rows
      .filter(([, , of]) => of(exchange))
      .map(([header, expected, , isMet]) => {
        const { [header]: value = '' } = exchange.headers
        return [isMet(value, exchange), `${exchange.status} with ${header}: ${value}`, expected]
      }),
  )
}

/** The caller's own id, and otherwise another one for each request. */
const checkRequestId: Check = async (run) => {
  const { ask, verdict, exchanges } = run
  for (const { path } of listReadable(run).slice(0, 1)) {
    const own = `verify-${Date.now().toString(36)}`
    const exchange = await ask({ path, query: 'limit=1', headers: { 'x-request-id': own } })
    const got = exchange.headers['x-request-id'] ?? '(none)'
    verdict.expect(got === own, exchange, got, `${own}, which the request has: a proxy must not replace it`)
  }
  const seen = new Set<string>()
  for (const exchange of exchanges) {
    const { 'x-request-id': id } = exchange.headers
    if (id === undefined) continue
    verdict.expect(!seen.has(id), exchange, `X-Request-Id: ${id} again`, 'another id for each request')
    seen.add(id)
  }
}

/** The same tag for the same data in every encoding, and another one for other data. */
const checkTags: Check = ({ exchanges, verdict }) => {
  const tagOf = new Map<string, string>()
  const contentOf = new Map<string, string>()
  for (const exchange of exchanges.filter(isJson)) {
    const { etag = '' } = exchange.headers
    const content = readTagged(exchange)
    // Two keys can have the same records, each with a tag of its own.
    const place = `${JSON.stringify(exchange.call.from)} ${exchange.url} ${content}`
    const before = tagOf.get(place) ?? etag
    const isOther = (contentOf.get(etag) ?? content) !== content
    verdict.expectAll(exchange, [
      [before === etag, `ETag: ${etag}`, `${before}, as before: the records are the same`],
      [!isOther, `ETag: ${etag} again`, 'another tag: the answer that had this one has other content'],
    ])
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

/** Of a hundred answers, so many may come from a proxy that did not reach the service: a release restarts it. */
const retriesMaxPercent = 1
const retriesMin = 3

/** Each of them was asked again, and so no other guarantee shows it. */
const checkRetries: Check = ({ caller, exchanges, verdict }) => {
  const failed = exchanges.filter(({ status }) => status === 502 || status === 504)
  const sent = caller.requestsSent()
  const isMet = failed.length < retriesMin || failed.length * 100 <= sent * retriesMaxPercent
  const got = `502 or 504 for ${failed.length} of ${sent} requests`
  for (const exchange of [...failed, ...exchanges].slice(0, 1))
    verdict.expect(isMet, exchange, got, `at most ${retriesMaxPercent} of 100: the service was not reached`)
}

/** Headers of every answer of the run, and answers that do not come from the service. */
export const answerGuarantees = [
  watching('etag', 'A weak ETag stays while nothing changes', byHeaders(tagRules), checkTags),
  watching('request-id', 'Each answer has its own X-Request-Id', checkRequestId, byHeaders(idRules)),
  watching('content-type', 'Answers say what they are, and nosniff', byHeaders(contentRules)),
  watching('cache-headers', 'No shared cache may store an answer', byHeaders(cacheRules)),
  watching('gateway', 'No proxy answers 502 or 504 instead of the service', checkRetries),
]
