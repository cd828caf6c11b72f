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
