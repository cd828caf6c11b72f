import type { ObjectName } from './mapped-tables.js'

/** What the definition of a view names. */
export interface ViewText {
  /** Every name in it, of whatever kind. */
  readonly names: readonly string[]
  /** What follows FROM and JOIN, the names that WITH defines among it: these cannot be told from hidden tables. */
  readonly reads: readonly ObjectName[]
  /** The stored functions that it calls. Their own text cannot be read. */
  readonly functions: readonly string[]
}

/** The columns of a table in lower case, each with the names in its line of the definition. */
export type TableText = ReadonlyMap<string, readonly string[]>

/** Reads what SHOW CREATE TABLE returns for a table; undefined for a text without lines of columns. */
export function readTableText(definition: string): TableText | undefined {
  const lines = definition.split(/\n {2}(?=\S)/u).filter((line) => line.startsWith('`'))
  // A CHECK limits which values are accepted; no value is computed from its columns.
  const columns = lines.map((line) => takeNames(line, (text) => text.replace(/ CHECK \(.*/su, '')).names)
  return columns.length === 0
    ? undefined
    : new Map(columns.map(([name = '', ...rest]) => [name.toLowerCase(), rest]))
}

/**
 * Reads what SHOW CREATE TABLE returns for a view. Both servers write names in backticks there, their own functions
 * without backticks, and a stored function with its bracket directly after it.
 */
export function readViewText(definition: string, database: string): ViewText {
  const body = (text: string): string => text.replace(/^.*? VIEW (?:#\d+#\.)?#\d+# AS /u, '')
  const { text, names, nameOf } = takeNames(definition, body)
  const reads = [...text.matchAll(source)].map(({ 1: first, 2: second }) =>
    second === undefined
      ? { database, name: nameOf(first) }
      : { database: nameOf(first), name: nameOf(second) },
  )
  const calls = text.matchAll(/#(\d+)#\((?![#\d,]*\) as \()/gu)
  return { names, reads, functions: [...calls].map(({ 1: call }) => nameOf(call)) }
}

/** The FROM of a query, and not the one of `extract(year from x)` or `trim('a' from x)`. */
const source =
  /(?<!\bextract\(\w+ )(?<!\btrim\((?:\w+ )?(?:''|[#\d.]+) )(?:\bfrom|join) \(*#(\d+)#(?:\.#(\d+)#)?/giu

/** A name in backticks, or a literal, in which a backslash escapes. */
const nameOrLiteral = /`((?:[^`]|``)*)`|'(?:[^'\\]|''|\\[^])*'|"(?:[^"\\]|""|\\[^])*"/gu

/** A part of a definition without its literals and with numbers in the place of its names, and these names. */
function takeNames(
  definition: string,
  cut: (text: string) => string,
): {
  readonly text: string
  readonly names: readonly string[]
  readonly nameOf: (number: string | undefined) => string
} {
  const all: string[] = []
  const text = cut(
    definition.replace(nameOrLiteral, (_, name: string | undefined) =>
      name === undefined ? "''" : `#${all.push(name.replaceAll('``', '`')) - 1}#`,
    ),
  )
  const nameOf = (number: string | undefined): string => all[Number(number)] ?? ''
  return { text, names: [...text.matchAll(/#(\d+)#/gu)].map(({ 1: number }) => nameOf(number)), nameOf }
}
