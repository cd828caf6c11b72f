import { findClose, findWord, isMark, isWord, splitAtCommas, tokenize } from './parse-grant.js'
import type { Token } from './parse-grant.js'

/** The columns of a table in lower case, each with the columns that its expression names. */
export type ColumnSources = ReadonlyMap<string, readonly string[]>

/**
 * Parses what SHOW CREATE TABLE returns for a table: the columns that each generated column, and each DEFAULT with an
 * expression, is computed from.
 *
 * @returns undefined for a text that cannot be parsed.
 */
export function parseTable(definition: string): ColumnSources | undefined {
  const tokens = tokenize(definition, 'definition')
  const open = tokens.findIndex((token) => isMark(token, '('))
  const end = findClose(tokens, open + 1)
  if (open === -1 || end === tokens.length) return undefined
  const columns = new Map<string, readonly string[]>()
  for (const [name, ...rest] of splitAtCommas(tokens.slice(open + 1, end))) {
    // Keys and constraints begin with a word.
    if (name?.kind !== 'name') continue
    // A CHECK limits which values are accepted; no value is computed from its columns.
    const check = findWord(rest, 'CHECK')
    columns.set(name.text.toLowerCase(), listNames(check === -1 ? rest : rest.slice(0, check)))
  }
  return columns.size === 0 ? undefined : columns
}

/** The parts of a view's definition that the audit evaluates. */
export interface ViewText {
  /** Every name in it, of whatever kind. */
  readonly names: readonly string[]
  /** What follows FROM and JOIN, with the database where it is named. */
  readonly reads: readonly { readonly database: string | undefined; readonly name: string }[]
  /** The stored functions that it calls. Their own text cannot be read. */
  readonly functions: readonly string[]
}

/**
 * Parses what SHOW CREATE TABLE returns for a view. Both servers write names in backticks there, their own functions
 * without backticks, and a stored function with its bracket directly after it.
 */
export function parseView(definition: string): ViewText {
  const all = tokenize(definition, 'definition')
  const tokens = all.slice(findWord(all, 'AS') + 1)
  const ctes = tokens.flatMap((_, at) => (isCte(tokens, at) ? [toCte(tokens, at)] : []))
  return {
    names: listNames(tokens),
    reads: listSources(tokens)
      .flatMap((at) => listTablesAt(tokens, at + 1))
      .filter(({ database, name, at }) => database !== undefined || !ctes.some((cte) => isOf(cte, name, at)))
      .map(({ database, name }) => ({ database, name })),
    functions: listNames(
      tokens.filter((_, at) => {
        const next = tokens[at + 1]
        return isMark(next, '(') && next?.close === true && !ctes.some((cte) => cte.at === at)
      }),
    ),
  }
}

function listNames(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ kind, text }) => (kind === 'name' ? [text] : []))
}

/**
 * The positions of every JOIN, and of every FROM of a query. In `extract(year from x)` and `trim('a' from x)`, FROM is in
 * brackets without a SELECT.
 */
function listSources(tokens: readonly Token[]): readonly number[] {
  const isQuery = [false]
  return tokens.flatMap((token, at) => {
    if (isMark(token, '(')) isQuery.push(false)
    if (isMark(token, ')')) isQuery.pop()
    if (isWord(token, 'SELECT')) isQuery[isQuery.length - 1] = true
    const isJoin = isWord(token, 'JOIN') || isWord(token, 'STRAIGHT_JOIN')
    return isJoin || (isWord(token, 'FROM') && isQuery.at(-1) === true) ? [at] : []
  })
}

/** `name AS (` or `name (columns) AS (`; the alias of a column is after its AS. MariaDB does not quote these names. */
function isCte(tokens: readonly Token[], at: number): boolean {
  const kind = tokens[at]?.kind
  if (kind !== 'name' && kind !== 'word') return false
  const end = isMark(tokens[at + 1], '(')
    ? tokens.findIndex((token, place) => place > at && isMark(token, ')'))
    : at
  return isWord(tokens[end + 1], 'AS') && isMark(tokens[end + 2], '(')
}

/** A common table expression, and the tokens between which its name means it; elsewhere the name is a table's. */
interface Cte {
  readonly at: number
  readonly name: string
  readonly from: number
  readonly to: number
}

function toCte(tokens: readonly Token[], at: number): Cte {
  const body = findWord(tokens, 'AS', at + 1) + 1
  const end = findClose(tokens, body + 1)
  const start = tokens.slice(0, at).findLastIndex((token) => isWord(token, 'WITH'))
  // Only a recursive expression can read itself.
  const from = isWord(tokens[start + 1], 'RECURSIVE') ? body : end
  return { at, name: tokens[at]?.text.toLowerCase() ?? '', from, to: findClose(tokens, end + 1) }
}

function isOf(cte: Cte, name: string, at: number): boolean {
  return cte.name === name.toLowerCase() && at > cte.from && at < cte.to
}

type TableAt = ViewText['reads'][number] & { readonly at: number }

/** The table after FROM or JOIN and its brackets; none where a query is there. */
function listTablesAt(tokens: readonly Token[], from: number): readonly TableAt[] {
  const at = tokens.findIndex((token, place) => place >= from && !isMark(token, '('))
  const [first, dot, second] = tokens.slice(at, at + 3)
  if (first?.kind !== 'name') return []
  if (isMark(dot, '.') && second !== undefined) return [{ database: first.text, name: second.text, at }]
  return [{ database: undefined, name: first.text, at }]
}
