import { Problem } from '../errors.js'
import { parseApiTime, toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { decodeCursor, filterLengthMax } from './cursor.js'
import type { CrawlState, CursorScope, Filters } from './cursor.js'
import { createInvalid, parseQueryString } from './query-string.js'
import type { Parameters } from './query-string.js'

/** A list request whose parameters were checked. */
export interface ListQuery {
  /** 1 to 100 records. */
  readonly limit: number
  readonly filters: Filters
  /** Undefined on a crawl's first page. */
  readonly crawl: CrawlState | undefined
}

/** The forms of `updatedSince`, for problem details. */
export const updatedSinceForm =
  'an RFC 3339 timestamp with Z or an offset, such as 2026-03-01T09:30:00Z or 2026-03-01T12:30:00.5+03:00, or a date'

/** The parameters of both lists, in the order in which they are documented. */
export const listParameters = ['limit', 'cursor', 'updatedSince', 'eventId', 'status'] as const

/** The fewest, most and default records of a page. */
export const pageSize = { min: 1, max: 100, default: 25 } as const

interface ListRules extends CursorScope {
  /** The only valid statuses; undefined where the mapping has no list. */
  readonly statuses: readonly string[] | undefined
}

/**
 * A list's query string as typed conditions.
 *
 * @param search what follows the `?`.
 * @throws Problem that names the parameter, what was wrong and what is allowed.
 */
export function parseListQuery(search: string, rules: ListRules): ListQuery {
  const parameters = parseQueryString(search, listParameters)
  const limit = parseLimit(parameters.get('limit'))
  const sent: Filters = {
    updatedSince: parseSince(parameters.get('updatedSince')),
    eventId: parseText('eventId', parameters),
    status: parseStatus(parameters, rules.statuses),
  }
  const cursor = parameters.get('cursor')
  if (cursor === undefined) return { limit, filters: sent, crawl: undefined }
  const crawl = decodeCursor(cursor, rules)
  if (crawl === undefined || !isKnownStatus(crawl.filters.status, rules.statuses)) throw createInvalidCursor()
  requireSameFilters(sent, crawl)
  return { limit, filters: crawl.filters, crawl }
}

/** The problem of a cursor that was not made for this list. */
export function createInvalidCursor(): Problem {
  return new Problem('invalid_cursor', 'The cursor cannot be used here. Start again without a cursor.', {
    parameter: 'cursor',
  })
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return pageSize.default
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit >= pageSize.min && limit <= pageSize.max) return limit
  throw createInvalid('limit', `is not a whole number from ${pageSize.min} to ${pageSize.max}`)
}

function parseSince(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined
  const instant = parseApiTime(text)
  if (instant === undefined || (instant.seconds < 0 && toInstantText(instant) === undefined)) {
    throw createInvalid('updatedSince', `is not ${updatedSinceForm}`)
  }
  return instant
}

function parseText(name: 'eventId' | 'status', parameters: Parameters): string | undefined {
  const text = parameters.get(name)
  if (text === '') throw createInvalid(name, 'is empty; give it a value or leave it out')
  if (text === undefined || text.length <= filterLengthMax) return text
  throw createInvalid(name, `is longer than ${filterLengthMax} characters`)
}

function parseStatus(parameters: Parameters, statuses: readonly string[] | undefined): string | undefined {
  const status = parseText('status', parameters)
  if (isKnownStatus(status, statuses)) return status
  throw createInvalid('status', `is not one of ${(statuses ?? []).join(', ')}`)
}

function isKnownStatus(status: string | undefined, statuses: readonly string[] | undefined): boolean {
  return status === undefined || statuses === undefined || statuses.includes(status)
}

/** A cursor carries its own filters; a filter that is sent with it must be equal. */
function requireSameFilters(sent: Filters, { filters }: CrawlState): void {
  for (const name of ['updatedSince', 'eventId', 'status'] as const) {
    if (sent[name] === undefined || toComparable(sent[name]) === toComparable(filters[name])) continue
    throw new Problem(
      'cursor_mismatch',
      `The parameter ${name} differs from the one that the cursor carries. Send the cursor alone.`,
      {
        parameter: name,
      },
    )
  }
}

function toComparable(value: Instant | string | undefined): string | undefined {
  return typeof value === 'object' ? toInstantText(value) : value
}
