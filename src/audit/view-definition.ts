import { isMark, isWord, tokenize } from './definition-tokens.js'
import type { Token } from './definition-tokens.js'

/** What the audit needs to know of a view's text. */
export interface ViewText {
  /** Every name in it, whatever it names. */
  readonly names: readonly string[]
  /** What stands behind FROM and JOIN, with the database where it is named. */
  readonly reads: readonly { readonly database: string | undefined; readonly name: string }[]
  /** Stored functions that it calls, whose own text cannot be seen. */
  readonly functions: readonly string[]
}

/**
 * What SHOW CREATE TABLE answers for a view. Both servers write names in backticks there, functions of their own
 * without, and a stored function with its bracket right behind.
 */
export function readViewText(definition: string): ViewText {
  const all = tokenize(definition)
  const tokens = all.slice(all.findIndex((token) => isWord(token, 'as')) + 1)
  const ctes = tokens.flatMap((_, at) => (isCte(tokens, at) ? [readCte(tokens, at)] : []))
  return {
    names: tokens.filter(({ kind }) => kind === 'name').map(({ text }) => text),
    reads: tokens
      .flatMap((token, at) => (isFrom(token) ? readPlace(tokens, at + 1) : []))
      .filter(
        ({ database, name, at }) => database !== undefined || !ctes.some((cte) => isOfCte(cte, name, at)),
      )
      .map(({ database, name }) => ({ database, name })),
    functions: tokens
      .filter(
        (token, at) =>
          token.kind === 'name' &&
          isMark(tokens[at + 1], '(') &&
          tokens[at + 1]?.close &&
          !ctes.some((cte) => cte.at === at),
      )
      .map(({ text }) => text),
  }
}

const fromWords = new Set(['from', 'join', 'straight_join'])

function isFrom({ kind, text }: Token): boolean {
  return kind === 'word' && fromWords.has(text)
}

/** `name AS (`, or `name (columns) AS (`; a column's name stands behind its AS. MariaDB does not quote these. */
function isCte(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.kind !== 'name' && tokens[at]?.kind !== 'word') return false
  const end = isMark(tokens[at + 1], '(')
    ? tokens.findIndex((token, place) => place > at && isMark(token, ')'))
    : at
  return isWord(tokens[end + 1], 'as') && isMark(tokens[end + 2], '(')
}

/** A common table expression, and between which tokens its name stands for it; elsewhere it names a table. */
interface Cte {
  readonly at: number
  readonly name: string
  readonly from: number
  readonly to: number
}

function readCte(tokens: readonly Token[], at: number): Cte {
  const body = tokens.findIndex((token, place) => place > at && isWord(token, 'as')) + 1
  const end = findClose(tokens, body + 1)
  const name = tokens[at]?.text.toLowerCase() ?? ''
  return { at, name, from: isRecursive(tokens, at) ? body : end, to: findClose(tokens, end + 1) }
}

function isOfCte(cte: Cte, name: string, at: number): boolean {
  return cte.name === name.toLowerCase() && at > cte.from && at < cte.to
}

/** Where the bracket around a token closes; the end where there is none. */
function findClose(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at += 1) {
    if (isMark(tokens[at], '(')) depth += 1
    if (isMark(tokens[at], ')')) depth -= 1
    if (depth < 0) return at
  }
  return tokens.length
}

/** Whether the WITH of an expression is RECURSIVE, so that the expression may read itself. */
function isRecursive(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(0, at)
  const start = before.findLastIndex((token) => isWord(token, 'with'))
  return isWord(tokens[start + 1], 'recursive')
}

type Place = ViewText['reads'][number] & { readonly at: number }

/** The table behind FROM or JOIN and its brackets; none where a query stands there. */
function readPlace(tokens: readonly Token[], from: number): readonly Place[] {
  const at = tokens.findIndex((token, place) => place >= from && !isMark(token, '('))
  const [first, dot, second] = tokens.slice(at, at + 3)
  if (first?.kind !== 'name') return []
  if (isMark(dot, '.') && second !== undefined) return [{ database: first.text, name: second.text, at }]
  return [{ database: undefined, name: first.text, at }]
}
