/** The keys that a run can have: the one that reads, one of another workspace, one that lacks a scope, a revoked one. */
export type KeyName = 'key' | 'otherKey' | 'scopedKey' | 'revokedKey'

/** Who sends a request: a caller with a key, without one, or with another `Authorization`. */
export type Sender = KeyName | 'none' | { readonly authorization: string }

/**
 * A request to the API. In its query, its headers and its `Authorization`, `{key}`, `{otherKey}` and so on stand for the
 * keys, and `{swappedKey}` for the key with small letters for capitals and capitals for small letters.
 */
export interface Call {
  /** GET, unless something else is said. */
  readonly method?: string
  /** Below the base path, percent-encoded. */
  readonly path: string
  /** `root`: the path is not below the base path, but below the address that was given. */
  readonly below?: 'base' | 'root'
  /** Parameters by name, or a query as it is sent. */
  readonly query?: Readonly<Record<string, string | number>> | string
  /** `key`, unless something else is said. */
  readonly from?: Sender
  readonly headers?: Readonly<Record<string, string>>
}

/** A request and its answer. */
export interface Exchange {
  readonly call: Call & { readonly from: Sender }
  /** The whole address, with placeholders for keys. */
  readonly url: string
  readonly status: number
  /** Names in lower case; values of repeated headers are joined. */
  readonly headers: Readonly<Record<string, string>>
  /** As it came, compressed or not. */
  readonly body: Buffer
  /** The body, decoded, as JSON; undefined if it is none. */
  readonly json: unknown
  /** As a curl command, without the key. */
  readonly curl: string
  /** By the clock of this machine, in milliseconds. */
  readonly sentAt: number
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** The value if it is a JSON object, and otherwise an empty one. */
export function toObject(value: unknown): Json {
  return isObject(value) ? value : {}
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The items of a header that is a list, in lower case. */
export function listItems(header: string | undefined): readonly string[] {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Where the Link header of an answer leads to by a relation, such as `next`. */
export function readLink({ headers }: Exchange, relation: string): string | undefined {
  const links = (headers['link'] ?? '').matchAll(/<([^>]*)>([^<]*)/g)
  const form = new RegExp(`;\\s*rel="?${relation}"?(?:[\\s;,]|$)`)
  return [...links].find(([, , parameters = '']) => form.test(parameters))?.[1]
}

/** Whether the answer is a problem of RFC 9457 by its media type. */
export function isProblem({ headers }: Exchange): boolean {
  return readMediaType(headers) === 'application/problem+json'
}

/** The media type of an answer, without parameters. */
export function readMediaType(headers: Exchange['headers']): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** Status and code of an answer, for a finding: `400 invalid_cursor`. */
export function describe(exchange: Exchange): string {
  const { code } = toObject(exchange.json)
  if (isProblem(exchange) && typeof code === 'string') return `${exchange.status} ${code}`
  const type = readMediaType(exchange.headers)
  return type === '' || type === 'application/json' ? String(exchange.status) : `${exchange.status} ${type}`
}

/** Whether something in front of the service answered: it has no request id, and is no problem. */
export function isFromProxy(exchange: Exchange): boolean {
  return exchange.status !== 500 && !isProblem(exchange) && exchange.headers['x-request-id'] === undefined
}

/** The parameters of a request. */
export function readQuery({ url }: Pick<Exchange, 'url'>): URLSearchParams {
  return new URL(url).searchParams
}
