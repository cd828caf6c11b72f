import { findClose, findWord, isMark, isWord, splitAtCommas, tokenize } from '../audit/tokenize.js'
import type { Token } from '../audit/tokenize.js'

/** A column of a table that a view reads, by the name that the view gives the table. */
export interface SourceColumn {
  readonly table: string
  readonly column: string
}

/** One column of a view. */
export interface ViewColumn {
  /** Undefined where it is an expression. */
  readonly source: SourceColumn | undefined
  /** The words of the expression in capitals, such as COALESCE, and its marks. */
  readonly words: ReadonlySet<string>
}

/** What the cost of a view depends on. */
export interface ViewDefinition {
  /** By name in lower case. */
  readonly columns: ReadonlyMap<string, ViewColumn>
  /** The tables that it reads, by the names that it gives them. */
  readonly tables: ReadonlyMap<string, string>
  /** Those of them that it joins, not those of subqueries. */
  readonly joined: readonly string[]
  /** The pairs of columns that its joins compare. */
  readonly joins: readonly (readonly [SourceColumn, SourceColumn])[]
  readonly hasWhere: boolean
  /** Whether the server makes all rows of the view before it chooses some: GROUP BY, DISTINCT, UNION, LIMIT. */
  readonly isMaterialized: boolean
}

/** Parses what SHOW CREATE TABLE returns for a view; undefined where that is not a plain SELECT. */
export function parseViewDefinition(text: string): ViewDefinition | undefined {
  const tokens = tokenize(text, 'definition')
  const as = findWord(tokens, 'AS')
  const select = findWord(tokens, 'SELECT', as)
  if (as === -1 || select !== as + 1) return undefined
  const body = tokens.slice(select + 1)
  const from = findAtTop(body, ['FROM'])
  const end = findAtTop(body, ['WHERE', 'GROUP', 'HAVING', 'UNION', 'LIMIT', 'ORDER'])
  const tables = listTables(body.slice(from, end))
  // The tables and conditions of subqueries are among these, so that they can be shown as lookups.
  const allTables = listTables(body)
  const [first] = body
  const selected = splitAtCommas(body.slice(isWord(first, 'DISTINCT') ? 1 : 0, from))
  return {
    columns: new Map(
      selected.map((part, at) => [
        (listColumnNames(tokens.slice(0, as))[at] ?? findAlias(part)).toLowerCase(),
        toColumn(part, tables),
      ]),
    ),
    tables: allTables,
    joined: [...tables.keys()],
    joins: listJoins(body),
    hasWhere: isWord(body[end], 'WHERE'),
    isMaterialized:
      isWord(first, 'DISTINCT') ||
      findAtTop(body, ['GROUP', 'HAVING', 'UNION', 'LIMIT']) < body.length ||
      selected.some((part) => part.some((token) => isWord(token, 'OVER'))),
  }
}

/** The names in brackets behind the name of the view, if there are any. */
function listColumnNames(head: readonly Token[]): readonly string[] {
  const open = head.findIndex((token, at) => isMark(token, '(') && at > findWord(head, 'VIEW'))
  if (open === -1) return []
  return head
    .slice(open, findClose(head, open + 1))
    .flatMap(({ kind, text }) => (kind === 'name' ? [text] : []))
}

/** The position of the first of these words outside of brackets; the end where there is none. */
function findAtTop(tokens: readonly Token[], words: readonly string[]): number {
  for (let at = 0; at < tokens.length; at += 1) {
    if (isMark(tokens[at], '(')) at = findClose(tokens, at + 1)
    else if (words.some((word) => isWord(tokens[at], word))) return at
  }
  return tokens.length
}

function findAlias(part: readonly Token[]): string {
  return part.findLast(({ kind }) => kind === 'name')?.text ?? ''
}

function toColumn(part: readonly Token[], tables: ReadonlyMap<string, string>): ViewColumn {
  const end = part.findLastIndex((token) => isWord(token, 'AS'))
  const expression = end === -1 ? part : part.slice(0, end)
  // Of a subquery, the column that it selects.
  const select = findWord(expression, 'SELECT')
  const shown =
    select === -1 ? expression : expression.slice(select + 1, findWord(expression, 'FROM', select))
  const names = shown.flatMap(({ kind, text }) => (kind === 'name' ? [text] : []))
  const isBare = shown.every((token) => token.kind === 'name' || isMark(token, '.'))
  const [only = ''] = tables.keys()
  return {
    source: isBare ? { table: names.at(-2) ?? only, column: names.at(-1) ?? '' } : undefined,
    words: new Set(expression.flatMap(toWord)),
  }
}

function toWord({ kind, text }: Token): readonly string[] {
  if (kind === 'literal') return ["''"]
  return kind === 'name' ? [] : [text.toUpperCase()]
}

/** The tables after FROM and JOIN; none where a query is there. */
function listTables(tokens: readonly Token[]): ReadonlyMap<string, string> {
  return new Map(
    tokens.flatMap((token, at): [string, string][] => {
      if (!['FROM', 'JOIN', 'STRAIGHT_JOIN'].some((word) => isWord(token, word))) return []
      let last = tokens.findIndex((one, place) => place > at && !isMark(one, '('))
      while (isMark(tokens[last + 1], '.')) last += 2
      // Both servers print the alias of a table without AS.
      const [table, alias] = tokens.slice(last, last + 2)
      if (table?.kind !== 'name') return []
      return [[alias?.kind === 'name' ? alias.text : table.text, table.text]]
    }),
  )
}

/** Every `a.x = b.y`. */
function listJoins(from: readonly Token[]): ViewDefinition['joins'] {
  return from.flatMap((token, at): ViewDefinition['joins'] => {
    if (!isMark(token, '=')) return []
    const [left, right] = [readColumnBefore(from, at), readColumnAfter(from, at)]
    return left === undefined || right === undefined ? [] : [[left, right]]
  })
}

function readColumnBefore(tokens: readonly Token[], at: number): SourceColumn | undefined {
  const [table, dot, column] = tokens.slice(Math.max(0, at - 3), at)
  return toSource(table, dot, column)
}

function readColumnAfter(tokens: readonly Token[], at: number): SourceColumn | undefined {
  const [first, dot, second, nextDot, third] = tokens.slice(at + 1, at + 6)
  return isMark(nextDot, '.') ? toSource(second, nextDot, third) : toSource(first, dot, second)
}

function toSource(
  table: Token | undefined,
  dot: Token | undefined,
  column: Token | undefined,
): SourceColumn | undefined {
  if (table?.kind !== 'name' || !isMark(dot, '.') || column?.kind !== 'name') return undefined
  return { table: table.text, column: column.text }
}
