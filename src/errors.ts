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

/** A stored cell that cannot be represented exactly; the text names the reason, never the value. */
export class RowFault extends Error {
  override readonly name = 'RowFault'
  /** The stored code of a status that the mapping does not list, for the log, the metrics and `check`. */
  readonly code: string | undefined
  /** The public field that was read; undefined where it is not known yet. */
  readonly field: string | undefined

  constructor(reason: string, code?: string, field?: string) {
    super(field === undefined ? reason : `${field} ${reason}`)
    this.code = code
    this.field = field
  }

  /** The same for a public field, whose name then begins the text. */
  of(field: string): RowFault {
    return this.field === undefined ? new RowFault(this.message, this.code, field) : this
  }
}

/** The result of reading a cell or a row; undefined for one that cannot be represented. */
export function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RowFault) return undefined
    throw error
  }
}

/** One issue of the environment, the mapping file, or the mapping against the schema. */
export interface ConfigIssue {
  /** Where: a variable's name, or a path such as `registrations.fields.status`. */
  readonly path: string
  readonly found: string
  readonly allowed: string
  /** The column that does not exist, or may not be read, where there is one. */
  readonly missing?: { readonly table: string; readonly column: string } | undefined
}

/** Configuration that cannot be used; the command line prints every issue and exits with 78. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly issues: readonly ConfigIssue[]

  constructor(issues: readonly ConfigIssue[]) {
    super(issues.map(toIssueText).join('\n'))
    this.issues = issues
  }
}

/** A database that Vitrine must not serve; the command line prints every line and exits with 1. */
export class AuditError extends Error {
  override readonly name = 'AuditError'
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** A command line with an error; the command line prints the usage and exits with 64. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** An issue on one line. */
export function toIssueText({ path, found, allowed }: ConfigIssue): string {
  return `${path}: found ${found}; allowed: ${allowed}`
}

/** The text of anything that was thrown. A failed connection to several addresses has an empty message, only a code. */
export function toErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}

/** What a Problem was made of; any other error unchanged. */
export function unwrapProblem(error: unknown): unknown {
  return error instanceof Problem ? error.cause : error
}

const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: 'which does not exist',
  EACCES: 'which this user may not use',
  EISDIR: 'which is a folder',
  ENOTDIR: 'whose folder is a file',
  EEXIST: 'which exists already',
}

/** A file that cannot be read or written, and why. */
export function describeUnusable(file: string, error: unknown): string {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
  return `${JSON.stringify(file)}, ${fileReasons[reason] ?? `which cannot be used (${reason})`}`
}
