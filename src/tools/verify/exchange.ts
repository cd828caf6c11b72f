/** The keys that a run can have: the one that reads, one of another workspace, one that lacks a scope, a revoked one. */
export type KeyName = 'key' | 'otherKey' | 'scopedKey' | 'revokedKey'

/** A request to the API. In its query, headers and `Authorization`, `{key}`, `{otherKey}` and so on stand for the keys. */
export interface Call {
  /** GET, unless something else is said. */
  readonly method?: string
  /** Below the base path, percent-encoded. */
  readonly path: string
  /** Parameters by name, or a query as it is sent. */
  readonly query?: Readonly<Record<string, string | number>> | string
  /** Whose key is sent: `key`, unless something else is said; none, or another `Authorization`. */
  readonly from?: KeyName | 'none' | { readonly authorization: string }
  readonly headers?: Readonly<Record<string, string>>
}

/** A request and its answer. */
export interface Exchange {
  readonly call: Call & { readonly from: NonNullable<Call['from']> }
  /** The whole address, with placeholders for keys. */
  readonly url: string
  /** 0 in place of an answer: the request was not sent, or got none. */
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

/** In place of an answer. */
export function createNoAnswer({ from = 'key', ...call }: Call): Exchange {
  const nothing = { status: 0, headers: {}, body: Buffer.alloc(0), json: undefined, curl: '', sentAt: 0 }
  return { call: { ...call, from }, url: 'http://no-answer.invalid', ...nothing }
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is a JSON object, and otherwise an empty one. */
export function toObject(value: unknown): Json {
  return isObject(value) ? value : {}
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
  if (isProblem(exchange) && typeof code === 'string') return `${exchange.status} ${code}`
  const type = readMediaType(exchange)
  return type === '' || type === 'application/json' ? `${exchange.status}` : `${exchange.status} ${type}`
}

/** Whether something in front of the service answered an error: it has no request id, and is no problem. */
export function isFromProxy(exchange: Exchange): boolean {
  const { status, headers } = exchange
  return status >= 400 && status !== 500 && !isProblem(exchange) && headers['x-request-id'] === undefined
}

/** The parameters of a request. */
export function readQuery({ url }: Pick<Exchange, 'url'>): URLSearchParams {
  return new URL(url).searchParams
}
