import type { ObjectName } from './mapped-tables.js'

/** What the definition of a view names. */
export interface ViewText {
  /** Every name in it, of whatever kind. */
  readonly names: readonly string[]
  /** What follows FROM and JOIN. */
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
  const ctes = listCtes(text, nameOf)
  const reads = [...text.matchAll(source)].flatMap(
    ({ index, 1: first, 2: second }): readonly ObjectName[] => {
      const name = nameOf(first)
      if (second !== undefined) return [{ database: name, name: nameOf(second) }]
      const isCte = ctes.some((cte) => cte.name === name.toLowerCase() && index > cte.from && index < cte.to)
      return isCte ? [] : [{ database, name }]
    },
  )
  const calls = text.matchAll(/#(\d+)#\((?![#\d,]*\) as \()/gu)
  return { names, reads, functions: [...calls].map(({ 1: call }) => nameOf(call)) }
}

/** The FROM of a query, and not the one of `extract(year from x)` or `trim('a' from x)`. */
const source =
  /(?<!\bextract\(\w+ )(?<!\btrim\((?:\w+ )?(?:''|[#\d.]+) )(?:\bfrom|join) \(*#(\d+)#(?:\.#(\d+)#)?/giu

/** Common table expressions, with the places between which their names mean them; elsewhere a name is a table's. */
function listCtes(
  text: string,
  nameOf: (number: string | undefined) => string,
): readonly { readonly name: string; readonly from: number; readonly to: number }[] {
  // MariaDB does not quote their names.
  return [...text.matchAll(/(?:#(\d+)#|(\w+))(?: ?\([#\d,]*\))? as \(/giu)].map((match) => {
    const start = match.index + match[0].length
    const end = findClose(text, start)
    const before = text.slice(0, match.index).toLowerCase()
    // Only a recursive expression can read itself.
    const isRecursive = before.slice(before.lastIndexOf('with ')).startsWith('with recursive ')
    const name = match[2] ?? nameOf(match[1])
    return { name: name.toLowerCase(), from: isRecursive ? start : end, to: findClose(text, end + 1) }
  })
}

/** The place of the bracket that closes the one before `from`; the end where there is none. */
function findClose(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth < 0) return at
  }
  return text.length
}

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
