import { Problem } from '../errors.js'
import { toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import type { CrawlState, Filters, ListQuery } from './conditions.js'
import { decodeCursor } from './cursor.js'
import type { CursorScope } from './cursor.js'
import { createInvalid, parseQueryString } from './query-string.js'
import type { Parameters } from './query-string.js'
import { parseUpdatedSince, updatedSinceForm } from './updated-since.js'

/** The parameters of both lists, in the order in which they are documented. */
export const listParameters = ['limit', 'cursor', 'updatedSince', 'eventId', 'status'] as const

/** The least, most and usual records of a page. */
export const pageSize = { min: 1, max: 100, default: 25 } as const

/** The longest `eventId` or `status`, in UTF-16 units. */
export const filterLengthMax = 200

interface ListRules extends CursorScope {
  /** The only statuses there are; undefined where the mapping has no list. */
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
  if (crawl === undefined) {
    throw new Problem('invalid_cursor', 'The cursor cannot be used here. Start again without a cursor.', {
      parameter: 'cursor',
    })
  }
  requireSameFilters(sent, crawl)
  return { limit, filters: crawl.filters, crawl }
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return pageSize.default
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit >= pageSize.min && limit <= pageSize.max) return limit
  throw createInvalid('limit', `is not a whole number from ${pageSize.min} to ${pageSize.max}`)
}

function parseSince(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined
  const instant = parseUpdatedSince(text)
  if (instant === undefined || toInstantText(instant) === undefined) {
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
  if (status === undefined || statuses === undefined || statuses.includes(status)) return status
  throw createInvalid('status', `is not one of ${statuses.join(', ')}`)
}

/** A cursor carries its own filters; one that is sent along must say the same. */
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
