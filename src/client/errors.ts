/** The problem codes of the API; `/docs/errors` explains each. */
export type ApiCode =
  | 'invalid_parameter'
  | 'unknown_parameter'
  | 'invalid_cursor'
  | 'cursor_mismatch'
  | 'missing_key'
  | 'invalid_key'
  | 'insufficient_scope'
  | 'not_found'
  | 'method_not_allowed'
  | 'rate_limited'
  | 'internal_error'
  | 'database_unavailable'
  | 'overloaded'
  | 'malformed_request'
  | 'request_timeout'
  | 'uri_too_long'
  | 'headers_too_large'

/** Errors that the client detects itself. */
export type ClientCode =
  /** No complete response: no connection, or a lost one. */
  | 'network_error'
  /** No complete response within `timeoutMs`. */
  | 'timeout'
  /** The address redirects; the client does not follow, because that would send the key to the other address. */
  | 'redirected'
  /** The response is not from Vitrine, such as the error page of a proxy, a body above 16 MiB or a crawl without end. */
  | 'unexpected_answer'

/** 429 and 503 by the contract; a gateway sends 502 and 504 when its connection to the service failed. */
const transientStatuses: readonly (number | undefined)[] = [429, 502, 503, 504]

/** Details of a failed request. */
export interface VitrineErrorOptions {
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly parameter?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/**
 * A request that failed. An abort is not a VitrineError: it rejects with the signal's reason. All texts are safe to print:
 * text from the server is limited in length and has no control characters.
 */
export class VitrineError extends Error {
  override readonly name = 'VitrineError'
  /** Branch on it; later releases of the service can send further codes. */
  readonly code: ApiCode | ClientCode | (string & Record<never, never>)
  /** What is wrong, and what is allowed; for a developer. */
  readonly detail: string
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined
  /** Quote it when you report a problem; undefined if the response had none. */
  readonly requestId: string | undefined
  /** The query parameter that is wrong. */
  readonly parameter: string | undefined
  /** `Retry-After` of the response. */
  readonly retryAfterMs: number | undefined
  /** Whether the error is transient: the same request can succeed later. The client has already used all its retries. */
  readonly isPassing: boolean

  constructor(code: VitrineError['code'], detail: string, options: VitrineErrorOptions = {}) {
    const { status, retryAfterMs, cause } = options
    const [printableCode, printableDetail] = [toPrintable(code), toPrintable(detail)]
    const requestId = options.requestId === undefined ? undefined : toPrintable(options.requestId)
    const context = [
      ...(status === undefined ? [] : [`status ${String(status)}`]),
      ...(requestId === undefined ? [] : [`request ${requestId}`]),
    ]
    super(
      `${printableCode}: ${printableDetail}${context.length === 0 ? '' : ` (${context.join(', ')})`}`,
      cause === undefined ? undefined : { cause },
    )
    this.code = printableCode
    this.detail = printableDetail
    this.status = status
    this.requestId = requestId
    this.parameter = options.parameter === undefined ? undefined : toPrintable(options.parameter)
    this.retryAfterMs = retryAfterMs
    this.isPassing = code === 'network_error' || code === 'timeout' || transientStatuses.includes(status)
  }
}

const charsMax = 1000

/** Control characters, format characters (which reorder or hide text), line separators and unpaired surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Text from the server in a form that is safe to print: one line, limited in length, unprintable characters as U+FFFD. */
export function toPrintable(text: string): string {
  const start = text.length > charsMax ? `${text.slice(0, charsMax)}…` : text
  return start.replace(unprintable, '\uFFFD')
}
