/** A name as an identifier of MySQL and MariaDB, whatever characters it holds. */
export function toQuotedName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

/** A table, view or routine within its database. */
export function toQuotedPlace(database: string, name: string): string {
  return `${toQuotedName(database)}.${toQuotedName(name)}`
}

/**
 * A text as a literal that means the same under every `sql_mode` and character set of the session that runs it.
 * Printable ASCII stands in quotes. In hexadecimal stand a backslash, which escapes unless NO_BACKSLASH_ESCAPES is
 * set; control characters, which could break the line; and other characters, which the session may decode differently.
 */
export function quoteText(text: string): string {
  if (/^[\x20-\x5b\x5d-\x7e]*$/.test(text)) return `'${text.replaceAll("'", "''")}'`
  return `_utf8mb4 X'${Buffer.from(text).toString('hex')}'`
}
