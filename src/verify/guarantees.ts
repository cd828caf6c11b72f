/** A guarantee of the contract that is visible from outside. */
interface Guarantee {
  /** Never renamed, because programs use it. */
  readonly name: string
  /** The guarantee as a sentence. */
  readonly title: string
}

/**
 * Every guarantee, in the order of the report. Those of lists are verified for each collection that the key can read.
 *
 * Requests that each needs, beside the crawls of the survey (pages of 100 from the beginning, the same records again in
 * pages of other sizes, and the last pages):
 */
export const guarantees = [
  // Over all pages of the survey, and over every other list answer of the run.
  { name: 'order', title: 'Lists are in the order of updatedAt' },
  { name: 'no-repeats', title: 'A crawl returns each record once' },
  // The same records with pages of 100 and with pages of 40, 17, 7.
  { name: 'crawls-agree', title: 'Crawls with pages of different sizes return the same records' },
  // limit=1 and limit=2, through the records of one updatedAt.
  { name: 'ties', title: 'Records with the same updatedAt are returned wherever a page ends' },
  // A list without limit, limit=1.
  { name: 'page-size', title: 'A page has at most limit records, 25 by default' },
  // The end of a crawl, and limit equal to the number of records that are left.
  { name: 'last-page', title: 'The cursor is null on the last page, and only there' },
  // Link of a page, followed.
  { name: 'next-link', title: 'The Link header leads to the next page' },
  // A filtered page, its cursor alone, with the same filter, with another filter.
  { name: 'cursor-filters', title: 'A cursor carries its filters, and other filters with it are refused' },
  // A cursor of one collection, sent to the other.
  { name: 'cursor-collection', title: 'A cursor of another collection is refused' },
  // A cursor with a character changed, added, removed; other texts.
  { name: 'cursor-altered', title: 'An altered cursor is refused' },
  // With --other-key-env: a cursor of one key, sent with the other.
  { name: 'cursor-workspace', title: 'A cursor of another workspace is refused' },
  // updatedSince in the middle of what the survey has read.
  { name: 'updated-since', title: 'updatedSince returns the records of its instant and later, and no other' },
  // updatedSince of a tie, 1 ms before and after.
  {
    name: 'updated-since-tie',
    title: 'updatedSince returns all records of its instant, however many they are',
  },
  // The same instant with an offset, with + not encoded, with 9 digits, as a date.
  { name: 'updated-since-forms', title: 'updatedSince takes offsets, fractions and dates' },
  // meta of all pages of the survey; a list with it as updatedSince.
  {
    name: 'next-updated-since',
    title: 'nextUpdatedSince is the same on all pages of a crawl, and not in the future',
  },
  // eventId of a record.
  { name: 'filter-event', title: 'eventId returns the records of that event, all of them and no other' },
  // status of a record.
  { name: 'filter-status', title: 'status returns the records of that status, all of them and no other' },
  // A real value in another case, with a blank, a part of it, with % and _.
  { name: 'filter-exact', title: 'Filters match byte for byte' },
  // eventId, status and updatedSince of a record together.
  { name: 'filters-combined', title: 'Several filters return the records that match all of them' },
  // Some records of the survey, one by one.
  { name: 'single-record', title: 'A single record equals the record of the list' },
  // A real id in another case, with a blank, with a zero before it.
  { name: 'id-exact', title: 'An id matches byte for byte' },
  // An id that does not exist.
  { name: 'not-found', title: 'An id that does not exist is 404' },
  // Over all records of the run.
  { name: 'fields', title: 'A record has the fields of the contract in their order, and no other' },
  { name: 'field-types', title: 'Each field has its type' },
  { name: 'timestamps', title: 'Timestamps are UTC with three fractional digits, and days exist' },
  { name: 'amounts', title: 'A total is an exact decimal with the digits of its currency' },
  { name: 'checked-in', title: 'checkedInAt is null whenever checkedIn is false' },
  // A list, another page, a record, the document.
  { name: 'etag', title: 'Successful answers have a weak ETag that stays while nothing changes' },
  // The same with If-None-Match.
  { name: 'not-modified', title: 'If-None-Match with the current tag gives 304 without a body' },
  // If-None-Match with the tag of another page, filter, record, collection.
  { name: 'no-stale-304', title: 'The tag of another answer never gives 304' },
  // Over all answers of the run.
  { name: 'cache-headers', title: 'No shared cache may store an answer' },
  // HEAD of a list, a record, the document, a problem.
  { name: 'head', title: 'HEAD answers as GET, without a body' },
  // POST, PUT, PATCH and DELETE without a body.
  { name: 'methods', title: 'Other methods are 405 with Allow' },
  // Unknown paths; a collection that is not served.
  { name: 'routes', title: 'Paths that the API does not have are 404' },
  // Over all answers; one with an X-Request-Id of the caller.
  { name: 'request-id', title: 'Every answer has an X-Request-Id' },
  // Over all answers of the run.
  { name: 'content-type', title: 'Answers say what they are, and nosniff' },
  // Over all answers of the run that are not a success.
  { name: 'problems', title: 'Every error is a problem of RFC 9457 with all members' },
  { name: 'error-texts', title: 'No error shows SQL, a stack or a file' },
  // Unknown, repeated and invalid parameters, one request each.
  { name: 'parameters', title: 'Unknown, repeated and invalid parameters are 400 and named' },
  // A broken percent escape, a URL of 9 KB, headers of 20 KB.
  { name: 'request-limits', title: 'Malformed, too long and too large requests are refused with a problem' },
  // The address in type.
  { name: 'error-pages', title: 'The type of a problem leads to its description' },
  // No header, another scheme.
  { name: 'missing-key', title: 'A request without a key is 401 missing_key' },
  // At most 4 requests with wrong keys, one of them with a real ETag.
  { name: 'invalid-key', title: 'A key that is not valid is 401 invalid_key' },
  // Only where one of the keys lacks a scope.
  { name: 'scopes', title: 'A key without the scope is 403 insufficient_scope' },
  // Requests that are wrong in two ways at once.
  { name: 'check-order', title: 'The key is checked first, then the scope, then the parameters' },
  // With --other-key-env.
  { name: 'isolation-lists', title: 'Lists of two workspaces have no record in common' },
  { name: 'isolation-records', title: 'A record of another workspace is 404 like one that does not exist' },
  // Over all answers of the run.
  { name: 'rate-limit', title: 'RateLimit headers count the requests of the key' },
  // A list with Accept-Encoding gzip, br, identity.
  { name: 'compression', title: 'Compressed answers hold the same records' },
  // The document, against the schema of OpenAPI 3.1.
  { name: 'openapi', title: 'The OpenAPI document is valid and has the routes that exist' },
  // All JSON answers of the run, against the document.
  { name: 'openapi-answers', title: 'Answers match the OpenAPI document' },
] as const satisfies readonly Guarantee[]
