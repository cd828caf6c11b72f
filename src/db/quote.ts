/** A name as an identifier of MySQL and MariaDB, whatever characters it holds. */
export function toQuotedName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

/** A table, view or routine within its database. */
export function toQuotedPlace(database: string, name: string): string {
  return `${toQuotedName(database)}.${toQuotedName(name)}`
}

/** A text as a literal; a backslash is left alone: whether it escapes depends on the session that runs it. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
