import { toPrintable } from './text.js'
import { withResponse } from './response-info.js'
import type { ResponseInfo } from './response-info.js'

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
  /** No secure connection: the certificate of the server is not accepted, or it does not speak TLS. Not retried. */
  | 'tls_error'
  /** No complete response within `timeoutMs`. */
  | 'timeout'
  /** The address redirects; the client does not follow, because that would send the key to the other address. */
  | 'redirected'
  /** The response is not from Vitrine, such as the error page of a proxy, or a crawl without end. */
  | 'unexpected_answer'
  /** A full mirror would remove too many records: with a wrong key, filter or url, few or no records are returned. */
  | 'too_many_removals'
  /** The state that a store returned is not one that a mirror writes; a full update reads everything anew. */
  | 'invalid_state'

/** Details of a failed request; those that are not given are of its response. */
interface VitrineErrorOptions {
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly parameter?: string | undefined
  readonly lastResponse?: ResponseInfo | undefined
  readonly cause?: unknown
}

/**
 * A request that failed. An abort is not a VitrineError: it rejects with the signal's reason. All texts are safe to print:
 * text from the server is limited in length and has no control characters.
 */
export class VitrineError extends Error {
  override readonly name = 'VitrineError'
  /** Branch on it; later releases of the service can send further codes. */
  declare readonly code: ApiCode | ClientCode | (string & Record<never, never>)
  /** What is wrong, and what is allowed; for a developer. */
  declare readonly detail: string
  /** The HTTP status; undefined without a response. */
  declare readonly status: number | undefined
  /** Quote it when you report a problem; undefined if the response had none. */
  declare readonly requestId: string | undefined
  /** The query parameter that is wrong. */
  declare readonly parameter: string | undefined
  /** `Retry-After` of the response. */
  declare readonly retryAfterMs: number | undefined
  /** Whether the error is transient: the same request can succeed later. The client has already used all its retries. */
  declare readonly isTransient: boolean
  /** The response, with its headers and the state of the rate limit; undefined without one. Not enumerable. */
  declare readonly lastResponse: ResponseInfo | undefined

  constructor(code: VitrineError['code'], detail: string, options: VitrineErrorOptions = {}) {
    const { lastResponse, cause, parameter: given } = options
    const { status, retryAfterMs, url, requestId: id } = { ...lastResponse, ...options }
    const [printableCode, printableDetail] = [toPrintable(code), toPrintable(detail)]
    const [requestId, parameter] = [id, given].map((text) => text && toPrintable(text))
    const context = [
      status && `status ${String(status)}`,
      requestId && `request ${requestId}`,
      // A wrong url is the most common reason of both.
      (status === 404 || code === 'unexpected_answer') && url?.replace(/\?.*/, ''),
    ].filter(Boolean)
    super(
      `${printableCode}: ${printableDetail}${context.length === 0 ? '' : ` (${context.join(', ')})`}`,
      cause === undefined ? undefined : { cause },
    )
    this.code = printableCode
    this.detail = printableDetail
    this.status = status
    this.requestId = requestId
    this.parameter = parameter
    this.retryAfterMs = retryAfterMs
    this.isTransient = hasTransientCause(code, status)
    withResponse(this, lastResponse)
  }
}

/** 429 and 503 by the contract. 408 and every 5xx too: all requests are GET, and gateways send many statuses. */
function hasTransientCause(code: string, status = 0): boolean {
  return code === 'network_error' || code === 'timeout' || status === 408 || status === 429 || status >= 500
}
