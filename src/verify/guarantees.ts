import { checkCacheHeaders, checkEtag, checkNoStale304, checkNotModified } from './guarantees/caching.js'
import { checkCompression } from './guarantees/compression.js'
import { checkCrawlsAgree, checkLastPage, checkTies } from './guarantees/crawls.js'
import {
  checkCursorAltered,
  checkCursorCollection,
  checkCursorFilters,
  checkCursorWorkspace,
} from './guarantees/cursors.js'
import {
  checkAmounts,
  checkCheckedIn,
  checkFields,
  checkFieldTypes,
  checkTimestamps,
} from './guarantees/fields.js'
import {
  checkFilterEvent,
  checkFilterExact,
  checkFilterStatus,
  checkFiltersCombined,
} from './guarantees/filters.js'
import { checkContentType, checkRequestId } from './guarantees/headers.js'
import { checkHead, checkMethods, checkRequestLimits, checkRoutes } from './guarantees/http.js'
import { checkIsolationLists, checkIsolationRecords } from './guarantees/isolation.js'
import { checkCheckOrder, checkInvalidKey, checkMissingKey, checkScopes } from './guarantees/keys.js'
import { checkLists, checkNextLink, checkNoRepeats, checkOrder, checkPageSize } from './guarantees/lists.js'
import { checkOpenapi, checkOpenapiAnswers } from './guarantees/openapi.js'
import { checkParameters } from './guarantees/parameters.js'
import { checkErrorPages, checkErrorTexts, checkProblems } from './guarantees/problems.js'
import { checkRateLimit } from './guarantees/rate-limit.js'
import { checkIdExact, checkNotFound, checkSingleRecord } from './guarantees/records.js'
import {
  checkNextUpdatedSince,
  checkUpdatedSince,
  checkUpdatedSinceForms,
  checkUpdatedSinceTie,
} from './guarantees/updated-since.js'
import type { Check } from './run.js'

/** A guarantee of the contract that is visible from outside. */
export interface Guarantee {
  /** Never renamed, because programs use it. */
  readonly name: string
  /** The guarantee as a sentence. */
  readonly title: string
  readonly check: Check
  /** Whether it looks at all answers of the run, and so comes last. */
  readonly isLast?: true
}

/** Every guarantee, in the order of the report. Those of lists are verified for each collection that the key can read. */
export const guarantees: readonly Guarantee[] = [
  { name: 'lists', title: 'Lists answer with data and meta', check: checkLists },
  { name: 'order', title: 'Lists are in the order of updatedAt', check: checkOrder, isLast: true },
  { name: 'no-repeats', title: 'A crawl returns each record once', check: checkNoRepeats, isLast: true },
  {
    name: 'crawls-agree',
    title: 'Crawls with pages of different sizes return the same records',
    check: checkCrawlsAgree,
  },
  {
    name: 'ties',
    title: 'Records with the same updatedAt are returned wherever a page ends',
    check: checkTies,
  },
  {
    name: 'page-size',
    title: 'A page has at most limit records, 25 by default',
    check: checkPageSize,
    isLast: true,
  },
  { name: 'last-page', title: 'The cursor is null on the last page, and only there', check: checkLastPage },
  { name: 'next-link', title: 'The Link header leads to the next page', check: checkNextLink, isLast: true },
  {
    name: 'cursor-filters',
    title: 'A cursor carries its filters, and other filters with it are refused',
    check: checkCursorFilters,
  },
  {
    name: 'cursor-collection',
    title: 'A cursor of another collection is refused',
    check: checkCursorCollection,
  },
  { name: 'cursor-altered', title: 'An altered cursor is refused', check: checkCursorAltered },
  {
    name: 'cursor-workspace',
    title: 'A cursor of another workspace is refused',
    check: checkCursorWorkspace,
  },
  {
    name: 'updated-since',
    title: 'updatedSince returns the records of its instant and later, and no other',
    check: checkUpdatedSince,
  },
  {
    name: 'updated-since-tie',
    title: 'updatedSince returns all records of its instant, however many they are',
    check: checkUpdatedSinceTie,
  },
  {
    name: 'updated-since-forms',
    title: 'updatedSince takes offsets, fractions and dates',
    check: checkUpdatedSinceForms,
  },
  {
    name: 'next-updated-since',
    title: 'nextUpdatedSince is the same on all pages of a crawl, and not in the future',
    check: checkNextUpdatedSince,
    isLast: true,
  },
  {
    name: 'filter-event',
    title: 'eventId returns the records of that event, all of them and no other',
    check: checkFilterEvent,
  },
  {
    name: 'filter-status',
    title: 'status returns the records of that status, all of them and no other',
    check: checkFilterStatus,
  },
  { name: 'filter-exact', title: 'Filters match byte for byte', check: checkFilterExact },
  {
    name: 'filters-combined',
    title: 'Several filters return the records that match all of them',
    check: checkFiltersCombined,
  },
  { name: 'single-record', title: 'A single record equals the record of the list', check: checkSingleRecord },
  { name: 'id-exact', title: 'An id matches byte for byte', check: checkIdExact },
  { name: 'not-found', title: 'An id that does not exist is 404', check: checkNotFound },
  {
    name: 'fields',
    title: 'A record has the fields of the contract in their order, and no other',
    check: checkFields,
    isLast: true,
  },
  { name: 'field-types', title: 'Each field has its type', check: checkFieldTypes, isLast: true },
  {
    name: 'timestamps',
    title: 'Timestamps are UTC with three fractional digits, and days exist',
    check: checkTimestamps,
    isLast: true,
  },
  {
    name: 'amounts',
    title: 'A total is an exact decimal with the digits of its currency',
    check: checkAmounts,
    isLast: true,
  },
  {
    name: 'checked-in',
    title: 'checkedInAt is null whenever checkedIn is false',
    check: checkCheckedIn,
    isLast: true,
  },
  { name: 'missing-key', title: 'A request without a key is 401 missing_key', check: checkMissingKey },
  { name: 'invalid-key', title: 'A key that is not valid is 401 invalid_key', check: checkInvalidKey },
  { name: 'scopes', title: 'A key without the scope is 403 insufficient_scope', check: checkScopes },
  {
    name: 'check-order',
    title: 'The key is checked first, then the scope, then the parameters',
    check: checkCheckOrder,
  },
  {
    name: 'isolation-lists',
    title: 'Lists of two workspaces have no record in common',
    check: checkIsolationLists,
  },
  {
    name: 'isolation-records',
    title: 'A record of another workspace is 404 like one that does not exist',
    check: checkIsolationRecords,
  },
  {
    name: 'parameters',
    title: 'Unknown, repeated and invalid parameters are 400 and named',
    check: checkParameters,
  },
  { name: 'routes', title: 'Paths that the API does not have are 404', check: checkRoutes },
  { name: 'methods', title: 'Other methods are 405 with Allow', check: checkMethods },
  {
    name: 'request-limits',
    title: 'Malformed, too long and too large requests are refused with a problem',
    check: checkRequestLimits,
  },
  {
    name: 'problems',
    title: 'Every error is a problem of RFC 9457 with all members',
    check: checkProblems,
    isLast: true,
  },
  {
    name: 'error-texts',
    title: 'No error shows SQL, a stack or a file',
    check: checkErrorTexts,
    isLast: true,
  },
  {
    name: 'error-pages',
    title: 'The type of a problem leads to its description',
    check: checkErrorPages,
    isLast: true,
  },
  { name: 'head', title: 'HEAD answers as GET, without a body', check: checkHead },
  {
    name: 'etag',
    title: 'Successful answers have a weak ETag that stays while nothing changes',
    check: checkEtag,
    isLast: true,
  },
  {
    name: 'not-modified',
    title: 'If-None-Match with the current tag gives 304 without a body',
    check: checkNotModified,
  },
  { name: 'no-stale-304', title: 'The tag of another answer never gives 304', check: checkNoStale304 },
  { name: 'compression', title: 'Compressed answers hold the same records', check: checkCompression },
  { name: 'request-id', title: 'Every answer has an X-Request-Id', check: checkRequestId, isLast: true },
  {
    name: 'content-type',
    title: 'Answers say what they are, and nosniff',
    check: checkContentType,
    isLast: true,
  },
  {
    name: 'cache-headers',
    title: 'No shared cache may store an answer',
    check: checkCacheHeaders,
    isLast: true,
  },
  {
    name: 'rate-limit',
    title: 'RateLimit headers count the requests of the key',
    check: checkRateLimit,
    isLast: true,
  },
  {
    name: 'openapi',
    title: 'The OpenAPI document is valid and has the routes that exist',
    check: checkOpenapi,
  },
  {
    name: 'openapi-answers',
    title: 'Answers match the OpenAPI document',
    check: checkOpenapiAnswers,
    isLast: true,
  },
]
