import { findNearest } from '../client/text.js'
import { Problem } from '../problems.js'
import { parseApiTime, toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { createInvalidCursor, decodeCursor, filterLengthMax } from './cursor.js'
import type { CrawlState, CursorScope, Filters } from './cursor.js'

/** A list request whose parameters were checked. */
export interface ListQuery {
  /** 1 to 100 records. */
  readonly limit: number
  readonly filters: Filters
  /** Undefined on a crawl's first page. */
  readonly crawl: CrawlState | undefined
}

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
    updatedSince: parseUpdatedSince(parameters.get('updatedSince')),
    eventId: parseText('eventId', parameters),
    status: parseStatus(parameters, rules.statuses),
  }
  const cursor = parameters.get('cursor')
  if (cursor === undefined) return { limit, filters: sent, crawl: undefined }
  const crawl = decodeCursor(cursor, rules)
  if (crawl === undefined || !isKnownStatus(crawl.filters.status, rules.statuses))
    throw createInvalidCursor(
      describeWord(cursor, 'meta.cursor is null on the last page, which no page follows'),
    )
  requireSameFilters(sent, crawl)
  return { limit, filters: crawl.filters, crawl }
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return pageSize.default
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit >= pageSize.min && limit <= pageSize.max) return limit
  const range = `${pageSize.min} to ${pageSize.max}`
  const found = /^-?\d{1,6}$/.test(text)
    ? `is ${text}; it can be ${range}`
    : `is not a whole number from ${range}`
  throw createInvalid('limit', describeWord(text, 'leave it out or give it a number') ?? found)
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
  const advice = 'leave it out for all statuses'
  throw createInvalid(
    'status',
    describeWord(status ?? '', advice) ?? `is not one of ${statuses?.join(', ') ?? ''}`,
  )
}

function isKnownStatus(status: string | undefined, statuses: readonly string[] | undefined): boolean {
  return status === undefined || statuses === undefined || statuses.includes(status)
}

/** A cursor carries its own filters; a filter that is sent with it must be equal. */
function requireSameFilters(sent: Filters, { filters }: CrawlState): void {
  for (const name of ['updatedSince', 'eventId', 'status'] as const) {
    if (sent[name] === undefined || JSON.stringify(sent[name]) === JSON.stringify(filters[name])) continue
    const detail = `The parameter ${name} differs from the one that the cursor carries. Send the cursor alone.`
    throw new Problem('cursor_mismatch', detail, { parameter: name })
  }
}

const form =
  'an RFC 3339 timestamp with Z or an offset, such as 2026-03-01T09:30:00Z or 2026-03-01T12:30:00.5+03:00, or a date'

/** The instant of a value of `updatedSince`. @throws Problem that says what is wrong with it */
function parseUpdatedSince(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined
  const instant = parseApiTime(text)
  if (instant === undefined) throw createInvalid('updatedSince', describeMistake(text))
  // A cursor could not carry it.
  if (toInstantText(instant) === undefined)
    throw createInvalid('updatedSince', 'is before the year 0 or after 9999')
  return instant
}

/** What is wrong with a text that is not an instant, by the first pattern that fits. */
const mistakes: readonly (readonly [pattern: RegExp, found: string])[] = [
  [/^\d{9,19}(?:\.\d+)?$/, `is a number; send ${form}`],
  [/^[\d-]{10}T\d\d:\d\d(?!:)/i, 'has no seconds; write the time as 09:30:00'],
  [/^[\d-]{10}T[\d:]{8}(?:\.\d+)?$/i, 'has no offset; add Z for UTC, or an offset such as +03:00'],
]

/** What a text is that is not an instant. Only its digits are repeated. */
function describeMistake(text: string): string {
  const word = describeWord(text, 'leave it out to read everything')
  if (word !== undefined) return word
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? []
  if (day !== undefined && parseApiTime(day) === undefined) return `has a date that does not exist: ${day}`
  return mistakes.find(([pattern]) => pattern.test(text))?.[1] ?? `is not ${form}`
}

/** Parameters by name, each at most once. */
type Parameters = ReadonlyMap<string, string>

/**
 * The parameters of a URL's query, `+` read as a space.
 *
 * @param search what follows the `?`.
 * @param allowed the parameters that the route has.
 * @throws Problem `unknown_parameter`, or `invalid_parameter` for one that is repeated or broken.
 */
export function parseQueryString(search: string, allowed: readonly string[]): Parameters {
  const parameters = new Map<string, string>()
  for (const pair of search.split('&')) {
    if (pair === '') continue
    const split = pair.indexOf('=')
    const written = split === -1 ? pair : pair.slice(0, split)
    const name = decode(written)
    if (name === undefined || !allowed.includes(name)) throw createUnknown(name ?? written, allowed)
    const value = decode(split === -1 ? '' : pair.slice(split + 1))
    if (parameters.has(name)) throw createInvalid(name, 'is sent more than once; send it once')
    if (value === undefined) throw createInvalid(name, 'has a broken percent escape; encode it as UTF-8')
    parameters.set(name, value)
  }
  return parameters
}

/** The problem of a parameter's value; `what` continues the sentence after the parameter's name. */
function createInvalid(parameter: string, what: string): Problem {
  return new Problem('invalid_parameter', `The parameter ${parameter} ${what}.`, { parameter })
}

/** What a value is that holds nothing: an empty one, or the word that a program writes for a variable without a value. */
function describeWord(text: string, advice: string): string | undefined {
  if (text === '') return 'is empty; give it a value or leave it out'
  return /^(?:null|undefined|None|NaN)$/.test(text) ? `is the word ${text}; ${advice}` : undefined
}

function createUnknown(name: string, allowed: readonly string[]): Problem {
  const shown = toShown(name)
  const nearest = findNearest(name.length > 64 ? '' : name, allowed)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  const known = allowed.length === 0 ? 'This route has none' : `Allowed are ${allowed.join(', ')}`
  const detail = `There is no parameter ${JSON.stringify(shown)}.${hint} ${known}.`
  return new Problem('unknown_parameter', detail, { parameter: shown })
}

/** A name in which nothing can be a key: of a key without a name in front of it, only the start is repeated. */
function toShown(name: string): string {
  const end = /[\w.~+/-]{32}/.test(name) ? 8 : 64
  return name.length > end ? `${name.slice(0, end)}…` : name
}

function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
