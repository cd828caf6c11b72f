import { answerChecks } from './guarantees/answers.js'
import { conditionalChecks } from './guarantees/conditional.js'
import { crawlChecks } from './guarantees/crawls.js'
import { filterChecks } from './guarantees/filters.js'
import { isolationChecks } from './guarantees/isolation.js'
import { listChecks } from './guarantees/lists.js'
import { openapiChecks } from './guarantees/openapi.js'
import { problemChecks } from './guarantees/problems.js'
import { rateChecks } from './guarantees/rate-limit.js'
import { recordChecks } from './guarantees/records.js'
import { refusalChecks } from './guarantees/refusals.js'
import { serviceChecks } from './guarantees/service.js'
import { syncChecks } from './guarantees/updated-since.js'
import type { Check, Checks } from './run.js'

/**
 * The titles of all guarantees, in the order in which they are verified and reported: those with requests of their own, then
 * those that look at the answers of all others. Their names are never renamed, because programs use them.
 */
const titles: Readonly<Record<string, string>> = {
  lists: 'Lists answer with data and meta',
  ties: 'Records with the same updatedAt are returned wherever a page ends',
  'last-page': 'The cursor is null on the last page, and only there',
  'cursor-filters': 'A cursor carries its filters, and other filters with it are refused',
  'cursor-collection': 'A cursor of another collection is refused',
  'cursor-workspace': 'A cursor of another workspace is refused',
  'updated-since': 'updatedSince returns the records of its instant and later, and no other',
  'updated-since-tie': 'updatedSince returns all records of its instant, however many they are',
  'updated-since-forms': 'updatedSince takes offsets, fractions and dates',
  'filter-event': 'eventId returns the records of that event, all of them and no other',
  'filter-status': 'status returns the records of that status, all of them and no other',
  'filter-exact': 'Filters match byte for byte',
  'filters-combined': 'Several filters return the records that match all of them',
  'single-record': 'A single record equals the record of the list',
  'id-exact': 'An id matches byte for byte',
  'isolation-lists': 'Lists of two workspaces have no record in common',
  'isolation-records': 'A record of another workspace is 404 like one that does not exist',
  'cursor-altered': 'An altered cursor is refused',
  'invalid-key': 'A key that is not valid is 401 invalid_key',
  'not-found': 'An id that does not exist is 404',
  'missing-key': 'A request without a key is 401 missing_key',
  scopes: 'A key without the scope is 403 insufficient_scope',
  'check-order': 'The key is checked first, then the scope, then the parameters',
  parameters: 'Unknown, repeated and invalid parameters are 400 and named',
  routes: 'Paths that the API does not have are 404',
  methods: 'Other methods are 405 with Allow',
  'request-limits': 'Malformed, too long and too large requests are refused with a problem',
  head: 'HEAD answers as GET, without a body',
  'not-modified': 'If-None-Match with the current tag gives 304 without a body',
  'no-stale-304': 'The tag of another answer never gives 304',
  compression: 'Compressed answers hold the same records',
  cors: 'Pages of other origins may call the API only where CORS is configured',
  processes: 'Every process of the service gives the same answer',
  docs: 'The documentation is served at /docs',
  openapi: 'The OpenAPI document is valid and has the routes that exist',
  // These look at every answer of the run.
  order: 'Lists are in the order of updatedAt',
  'no-repeats': 'A crawl returns each record once',
  'page-size': 'A page has at most limit records, 25 by default',
  'next-link': 'The Link header leads to the next page',
  'crawls-agree': 'Crawls with pages of different sizes return the same records',
  'next-updated-since':
    'nextUpdatedSince is the same on all pages of a crawl, and shortly before its beginning',
  fields: 'A record has the fields of the contract in their order, and no other',
  'field-types': 'Each field has its type',
  timestamps: 'Timestamps are UTC with three fractional digits, and days exist',
  amounts: 'A total is an exact decimal with the digits of its currency',
  'checked-in': 'checkedInAt is null whenever checkedIn is false',
  problems: 'Every error is a problem of RFC 9457 with all members',
  'error-texts': 'No error shows SQL, a stack or a file',
  'error-pages': 'The type of a problem leads to its description',
  etag: 'Successful answers have a weak ETag that stays while nothing changes',
  'request-id': 'Every answer has an X-Request-Id, the one of the caller if it sent one',
  'content-type': 'Answers say what they are, and nosniff',
  'cache-headers': 'No shared cache may store an answer',
  'optional-headers': 'RateLimit, Api-Key-Expires and the Link to the document have their form',
  gateway: 'Requests reach the service, and no proxy answers 502 or 504 instead',
  'rate-limit': 'RateLimit headers count the requests of each key',
  'openapi-answers': 'Answers match the OpenAPI document',
}

const checks: Checks = {
  ...listChecks,
  ...crawlChecks,
  ...isolationChecks,
  ...syncChecks,
  ...filterChecks,
  ...recordChecks,
  ...refusalChecks,
  ...problemChecks,
  ...conditionalChecks,
  ...answerChecks,
  ...serviceChecks,
  ...rateChecks,
  ...openapiChecks,
}

/** A guarantee of the contract that is visible from outside. */
export interface Guarantee {
  readonly name: string
  /** The guarantee as a sentence. */
  readonly title: string
  readonly check: Check
}

/** Every guarantee, in the order of the report. Those of lists are verified for each collection that the key can read. */
export const guarantees: readonly Guarantee[] = Object.entries(titles).map(([name, title]) => {
  const check = checks[name]
  if (check === undefined) throw new Error(`Nothing verifies ${name}`)
  return { name, title, check }
})
