import { isMark, isWord, tokenize } from './definition-tokens.js'
import type { Token } from './definition-tokens.js'

/** The columns of a table in lower case, each with the columns that its expression names. */
export type ColumnSources = ReadonlyMap<string, readonly string[]>

/**
 * What SHOW CREATE TABLE answers, as the columns that each generated column, or a DEFAULT with an expression, is
 * computed from.
 *
 * @returns undefined for a text that is not understood.
 */
export function readTableText(definition: string): ColumnSources | undefined {
  const tokens = tokenize(definition)
  const open = tokens.findIndex((token) => isMark(token, '('))
  const parts = open === -1 ? undefined : splitList(tokens.slice(open + 1))
  const columns = new Map<string, readonly string[]>()
  for (const [name, ...rest] of parts ?? []) {
    // Keys and constraints begin with a word.
    if (name?.kind === 'name') columns.set(name.text.toLowerCase(), listNames(rest))
  }
  return columns.size === 0 ? undefined : columns
}

/** The parts of a list between commas, up to the bracket that closes it; undefined where none does. */
function splitList(tokens: readonly Token[]): readonly (readonly Token[])[] | undefined {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (isMark(token, '(')) depth += 1
    if (isMark(token, ')')) depth -= 1
    if (depth < 0) return parts
    if (depth === 0 && isMark(token, ',')) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return undefined
}

/** The names of a column's definition; those of its CHECK decide only which values are accepted. */
function listNames(tokens: readonly Token[]): readonly string[] {
  const end = tokens.findIndex((token) => isWord(token, 'check'))
  return tokens
    .slice(0, end === -1 ? tokens.length : end)
    .flatMap(({ kind, text }) => (kind === 'name' ? [text] : []))
}
