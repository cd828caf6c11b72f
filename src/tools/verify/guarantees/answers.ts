import { fieldNames } from '../../../client/records.js'
import { isFromProxy, isObject, isProblem, listItems, readMediaType, readPage, readQuery } from '../answer.js'
import type { Exchange } from '../answer.js'
import { collectionNames, forEachSample, guarantee } from '../run.js'
import type { Check } from '../run.js'
import { listPages } from './crawls.js'
import { expectFiltered } from './filters.js'
import { isTimestamp } from './records.js'

/** What a header must be, in every answer that it is meant for. */
type HeaderRow = readonly [
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
const byteOrderMark = Buffer.from('\uFEFF')
const hasNoMark = (_: string, { body }: Exchange): boolean => !body.subarray(0, 3).equals(byteOrderMark)
const includes = (item: string) => (value: string) => listItems(value).includes(item)

function isPrivate(value: string): boolean {
  const isShared = /\b(?:public|immutable|s-maxage=|max-age=0*[1-9])/.test(value.toLowerCase())
  return includes('private')(value) && includes('no-cache')(value) && !isShared
}

const [json, problem] = ['application/json', 'application/problem+json']
const tagRows: readonly HeaderRow[] = [
  ['etag', 'a weak tag, such as W/"abc"', isJson, (value) => /^W\/"[^"]+"$/.test(value)],
]
const idRows: readonly HeaderRow[] = [
  ['x-request-id', 'at most 64 letters, digits, . _ -', isOurs, (value) => /^[\w.-]{1,64}$/.test(value)],
]
const contentRows: readonly HeaderRow[] = [
  ['content-type', json, ({ status }) => status < 300, isType(json)],
  ['content-type', problem, isError, isType(problem)],
  ['content-type', 'JSON without a byte order mark before it', isOurs, hasNoMark],
  ['x-content-type-options', 'nosniff', isOurs, (value) => value === 'nosniff'],
]
const cacheRows: readonly HeaderRow[] = [
  ['cache-control', 'no-store', isProblem, includes('no-store')],
  ['cache-control', 'private, no-cache', isSuccess, isPrivate],
  ['vary', 'Vary with Authorization', isSuccess, includes('authorization')],
]

/** What headers must be, in every answer of the run that they are meant for. */
function byHeaders(rows: readonly HeaderRow[]): Check {
  return (run) => {
    for (const exchange of run.exchanges)
      for (const [header, expected, of, isMet] of rows) {
        if (!of(exchange)) continue
        const { [header]: value = '' } = exchange.headers
        run.expect(isMet(value, exchange), exchange, `${exchange.status} with ${header}: ${value}`, expected)
      }
  }
}

/** The caller's own id, and otherwise another one for each request. */
const checkRequestId: Check = async (run) => {
  for (const { path } of run.readable.slice(0, 1)) {
    const own = `verify-${Date.now().toString(36)}`
    const exchange = await run.ask({ path, query: 'limit=1', headers: { 'x-request-id': own } })
    const got = exchange.headers['x-request-id'] ?? '(none)'
    run.expect(got === own, exchange, got, `${own}, which the request has: a proxy must not replace it`)
  }
  const seen = new Set<string>()
  for (const exchange of run.exchanges) {
    const { 'x-request-id': id } = exchange.headers
    if (id === undefined) continue
    run.expect(!seen.has(id), exchange, `X-Request-Id: ${id} again`, 'another id for each request')
    seen.add(id)
  }
}

/** The same tag for the same data in every encoding, and another one for other data. */
const checkTags: Check = (run) => {
  const tagOf = new Map<string, string>()
  const contentOf = new Map<string, string>()
  for (const exchange of run.exchanges.filter(isJson)) {
    const { etag = '' } = exchange.headers
    const content = readTagged(exchange)
    // Two keys can have the same records, each with a tag of its own.
    const place = `${exchange.call.from} ${exchange.url} ${content}`
    const before = tagOf.get(place) ?? etag
    const isOther = (contentOf.get(etag) ?? content) !== content
    run.expectAll(exchange, [
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

/** Every record of the run, in lists and alone, of whichever key. Names of fields are shown, and no value: a field may leak. */
const checkFields: Check = (run) => {
  for (const exchange of run.exchanges) {
    const collection = collectionNames.find((name) => exchange.call.path.split('/')[1] === name)
    if (collection === undefined || exchange.status !== 200) continue
    const isList = exchange.call.path === `/${collection}`
    const records = isList ? (readPage(exchange)?.records ?? []) : [exchange.json].filter(isObject)
    const expected = fieldNames[collection].join(', ')
    for (const names of new Set(records.map((record) => Object.keys(record).join(', '))))
      run.expect(names === expected, exchange, `a record with ${names}`, expected)
  }
}

/** The clocks of the database and of the service can differ by so much. */
const clockDifferenceMaxMs = 5000
/** The largest `SYNC_OVERLAP_SECONDS`, and an hour for a replica that is behind and for clocks. */
const overlapMaxMs = 25 * 3_600_000

/** Whether it is a time, not in the future and not older than any overlap. */
function isSoon({ headers: { date = '' }, sentAt }: Exchange, time: number): boolean {
  const age = (Date.parse(date) || sentAt) - time
  return age >= -clockDifferenceMaxMs && age <= overlapMaxMs
}

/**
 * Never later than on the page before: a heartbeat can be earlier on a later page. Without a fresh heartbeat it is the start
 * of the crawl: a sync repeats and loses nothing.
 */
const checkNext: Check = (run) => {
  for (const { exchange, before, nextUpdatedSince: got } of listPages(run)) {
    const begun = before?.nextUpdatedSince
    const time = isTimestamp(got) ? Date.parse(got) : Number.NaN
    const isRepeated = time === Date.parse(readQuery(exchange).get('updatedSince') ?? '1970-01-01')
    if (isRepeated) run.skip('the heartbeat is not fresh, so that every sync repeats')
    const isMet = isRepeated || (begun === undefined ? isSoon(exchange, time) : got <= begun)
    const expected = begun === undefined ? 'a time of the day before, and not after' : `${begun} or earlier`
    run.expect(isMet, exchange, got, expected)
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
    run.expect(isMet, exchange, got, `at most ${retriesMaxPercent} of 100: the service was not reached`)
}

/** Every answer of the run: its headers, and whether it comes from the service. */
export const answerGuarantees = [
  guarantee(
    'next-updated-since',
    'nextUpdatedSince is shortly before the beginning of a crawl, and never later on a later page',
    // A list takes it as updatedSince.
    forEachSample((run, sample) =>
      expectFiltered(run, sample, { updatedSince: sample.first.nextUpdatedSince }),
    ),
    checkNext,
  ),
  guarantee('fields', 'A record has the fields of the contract in their order, and no other', checkFields),
  guarantee('etag', 'A weak ETag stays while nothing changes', byHeaders(tagRows), checkTags),
  guarantee('request-id', 'Each answer has its own X-Request-Id', checkRequestId, byHeaders(idRows)),
  guarantee('content-type', 'Answers say what they are, and nosniff', byHeaders(contentRows)),
  guarantee('cache-headers', 'No shared cache may store an answer', byHeaders(cacheRows)),
  guarantee('gateway', 'No proxy answers 502 or 504 instead of the service', checkRetries),
]
