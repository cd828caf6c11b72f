import { isRecord } from '../../client/forms.js'
import type { RawAnswer } from './send.js'

/** The keys that a run can have: the one that reads, one of another workspace, one that lacks a scope, a revoked one. */
export type KeyName = 'key' | 'otherKey' | 'scopedKey' | 'revokedKey'

/** A request to the API. In its query and headers, `{key}`, `{otherKey}` and so on stand for the keys. */
export interface Call {
  /** GET, unless something else is said. */
  readonly method?: string
  /** Below the base path, percent-encoded. */
  readonly path: string
  /** Parameters by name, or a query as it is sent. */
  readonly query?: Readonly<Record<string, string | number>> | string
  /** Whose key is sent: `key`, unless something else is said. */
  readonly from?: KeyName | 'none'
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A request and its answer. */
export interface Exchange extends RawAnswer {
  readonly call: Call & { readonly from: NonNullable<Call['from']> }
  /** The whole address, with placeholders for keys. */
  readonly url: string
  /** The body, decoded, as JSON; undefined if it is none. */
  readonly json: unknown
  /** As a curl command, without the key. */
  readonly curl: string
  /** By the clock of this machine, in milliseconds. */
  readonly sentAt: number
  /** The service answered before, and answers nothing any longer. Of the first such request alone. */
  readonly isLost?: true
}

/** In place of an answer. */
export function noAnswer({ from = 'key', ...call }: Call): Exchange {
  const nothing = { status: 0, headers: {}, body: Buffer.alloc(0), json: undefined, curl: '', sentAt: 0 }
  return { call: { ...call, from }, url: 'http://no-answer.invalid', ...nothing }
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** The value if it is a JSON object, and otherwise an empty one. */
export function toObject(value: unknown): Json {
  return isRecord(value) ? value : {}
}

/** The items of a header that is a list, in lower case. */
export function listItems(header = ''): readonly string[] {
  return header.toLowerCase().split(/[\s,]+/)
}

/** The media type of an answer, without parameters. */
export function readMediaType({ headers }: Exchange): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** Whether the answer is a problem of RFC 9457 by its media type. */
export function isProblem(exchange: Exchange): boolean {
  return readMediaType(exchange) === 'application/problem+json'
}

/** Status and code of an answer, for a finding: `400 invalid_cursor`. */
export function describe(exchange: Exchange): string {
  const { code } = toObject(exchange.json)
  const type = readMediaType(exchange)
  if (isProblem(exchange) && typeof code === 'string') return `${exchange.status} ${code}`
  return type === '' || type === 'application/json' ? `${exchange.status}` : `${exchange.status} ${type}`
}

/** Whether something in front of the service answered an error: it has no request id, and is not a problem. */
export function isFromProxy(exchange: Exchange): boolean {
  const { status, headers } = exchange
  return status >= 400 && status !== 500 && !isProblem(exchange) && headers['x-request-id'] === undefined
}

/** A page of a list. */
export interface Page {
  readonly exchange: Exchange
  readonly records: readonly Json[]
  readonly cursor: string | null
  readonly nextUpdatedSince: string
}

/** The page of an answer; undefined if it is none. */
export function readPage(exchange: Exchange): Page | undefined {
  const { data, meta } = toObject(exchange.json)
  if (exchange.status !== 200 || !Array.isArray(data) || !data.every(isRecord)) return undefined
  const { cursor, nextUpdatedSince } = toObject(meta)
  const isRead = (typeof cursor === 'string' || cursor === null) && typeof nextUpdatedSince === 'string'
  return isRead ? { exchange, records: data, cursor, nextUpdatedSince } : undefined
}

/** A text of a record; JSON if it is none, so that a wrong type does not end the run. */
function readText(record: Json | undefined, name: string): string {
  const value = record?.[name] ?? ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The id of a record. */
export const readId = (record: Json | undefined): string => readText(record, 'id')

/** The `updatedAt` of a record, which compares as text. */
export const readUpdatedAt = (record: Json | undefined): string => readText(record, 'updatedAt')

/** The ids of records that a path can have: an empty id has no address. */
export function listIds(records: readonly Json[] = []): readonly string[] {
  return records.map(readId).filter((id) => id !== '')
}

/** Id and time of a record, for a finding. */
export function toPlace(record: Json | undefined): string {
  return `${JSON.stringify(readId(record))} (${readUpdatedAt(record)})`
}

/** The first, the last, and others in between. */
export function spread<One>(all: readonly One[], count: number): readonly One[] {
  const step = Math.max(1, (all.length - 1) / (count - 1))
  const places = new Set(Array.from({ length: count }, (_, at) => Math.round(at * step)))
  return all.filter((_, at) => places.has(at))
}

/** Values of a field, the rarest first; none where it is hidden or empty. */
export function listValues(records: readonly Json[] = [], field: string): readonly string[] {
  const counts = new Map<string, number>()
  for (const { [field]: value } of records)
    if (typeof value === 'string' && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => one - other).map(([value]) => value)
}

/** A text in another case, with blanks or an accent, and as other numbers, and others; a collation would find them. */
export function listVariants(text: string, ...others: readonly string[]): readonly string[] {
  const swapped = text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()
  // The database would convert these to the same number.
  const numbers = /^\d+$/.test(text) ? [`0${text}`, `${text}.0`, `+${text}`, `${text}e0`] : []
  const all = new Set([swapped, `${text} `, ` ${text}`, `${text}\n`, `${text}\u0301`, ...numbers, ...others])
  return [...all].filter((one) => one !== text && one.trim() !== '')
}
