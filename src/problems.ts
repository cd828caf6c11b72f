/**
 * Every problem code of the API. A code is never renamed or reused: callers branch on it.
 * Source: `docs/contract.md`, "Errors"; the HTTP server itself answers with the last four.
 */
export const problems = {
  invalid_parameter: { status: 400, title: 'Parameter not valid' },
  unknown_parameter: { status: 400, title: 'Parameter not known' },
  invalid_cursor: { status: 400, title: 'Cursor not usable' },
  cursor_mismatch: { status: 400, title: 'Filter differs from the cursor' },
  missing_key: { status: 401, title: 'API key missing' },
  invalid_key: { status: 401, title: 'API key not accepted' },
  insufficient_scope: { status: 403, title: 'Scope missing' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Internal error' },
  database_unavailable: { status: 503, title: 'Database not available' },
  overloaded: { status: 503, title: 'Service overloaded' },
  malformed_request: { status: 400, title: 'Request not understood' },
  request_timeout: { status: 408, title: 'Request not finished in time' },
  uri_too_long: { status: 414, title: 'URL too long' },
  headers_too_large: { status: 431, title: 'Headers too large' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>

/** A problem code, as in the `code` member of an answer. */
export type ProblemCode = keyof typeof problems

interface ProblemOptions {
  /** For the log only; never part of an answer. */
  readonly cause?: unknown
  /** The query parameter that is wrong. */
  readonly parameter?: string
  /** Headers that belong to the answer, such as `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that is not a success; `detail` is written for the caller, `cause` for the log. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly detail: string
  readonly parameter: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    const { stackTraceLimit } = Error
    // A text for a caller has no stack, which takes as long as a tenth of the request; a failure has it.
    if (options.cause === undefined) Error.stackTraceLimit = 0
    super(`${code}: ${detail}`, { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.detail = detail
    this.parameter = options.parameter
    this.headers = options.headers ?? {}
  }
}

/** What a Problem was made of; any other error unchanged. */
export function unwrapProblem(error: unknown): unknown {
  return error instanceof Problem ? error.cause : error
}
