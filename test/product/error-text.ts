/** The name of an error of the server, of the driver or of the system, such as `ER_NO_SUCH_TABLE`. */
export function toCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** What a server said about a statement, with the name of the error. The driver has no name for some of MariaDB. */
export function toServerText(error: unknown): string {
  const code = toCode(error)
  return `${toMessage(error)}${code === undefined ? '' : ` (${code})`}`
}

/** The text of anything that was thrown. A failed connection to several addresses has an empty message, only a code. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message || (toCode(error) ?? error.name) : String(error)
}
