import { toPrintable } from './printable.js'

/** What the API answers in `code`; `/docs/errors` explains each. */
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

/** What the client itself found. */
export type ClientCode =
  /** No whole answer came: no connection, or one that broke off. */
  | 'network_error'
  /** No whole answer came within `timeoutMs`. */
  | 'timeout'
  /** The address leads to another one, which is not followed because the key would go there too. */
  | 'redirected'
  /** What came is no answer of Vitrine, such as the error page of a proxy, a body above 16 MiB or a crawl without end. */
  | 'unexpected_answer'

/** 429 and 503 by the contract; 502 and 504 are a gateway's words for a connection that failed behind it. */
const passingStatuses: readonly (number | undefined)[] = [429, 502, 503, 504]

interface VitrineErrorOptions {
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly parameter?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/**
 * Whatever kept the client from an answer; an abort is not one of these, and rejects with its own reason. Its texts are
 * safe to print: what came from the server is bounded, without control characters.
 */
export class VitrineError extends Error {
  override readonly name = 'VitrineError'
  /** To branch on; codes that this version does not know may come. */
  readonly code: ApiCode | ClientCode | (string & Record<never, never>)
  /** What was wrong, and what is allowed; for a developer. */
  readonly detail: string
  /** The HTTP status; undefined where there was no answer. */
  readonly status: number | undefined
  /** Quote it in questions about the request; undefined where the answer had none. */
  readonly requestId: string | undefined
  /** The query parameter at fault. */
  readonly parameter: string | undefined
  /** How long the answer asked to wait. */
  readonly retryAfterMs: number | undefined
  /** Whether the same request may well succeed later; the client has then tried as often as it may. */
  readonly isPassing: boolean

  constructor(code: VitrineError['code'], detail: string, options: VitrineErrorOptions = {}) {
    const { status, retryAfterMs, cause } = options
    const [printableCode, printableDetail] = [toPrintable(code), toPrintable(detail)]
    const requestId = options.requestId === undefined ? undefined : toPrintable(options.requestId)
    const facts = [
      ...(status === undefined ? [] : [`status ${String(status)}`]),
      ...(requestId === undefined ? [] : [`request ${requestId}`]),
    ]
    super(
      `${printableCode}: ${printableDetail}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`,
      cause === undefined ? undefined : { cause },
    )
    this.code = printableCode
    this.detail = printableDetail
    this.status = status
    this.requestId = requestId
    this.parameter = options.parameter === undefined ? undefined : toPrintable(options.parameter)
    this.retryAfterMs = retryAfterMs
    this.isPassing = code === 'network_error' || code === 'timeout' || passingStatuses.includes(status)
  }
}
