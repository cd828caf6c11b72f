/** What the audit needs to know of a view's text. */
export interface ViewText {
  /** Every name in it, whatever it names. */
  readonly names: readonly string[]
  /** What stands behind FROM and JOIN, with the database where it is named. */
  readonly reads: readonly { readonly database: string | undefined; readonly name: string }[]
  /** Stored functions that it calls, whose own text cannot be seen. */
  readonly functions: readonly string[]
}

interface Token {
  readonly kind: 'name' | 'text' | 'word' | 'mark'
  readonly text: string
  /** Whether nothing, not even a blank, parts it from the one before. */
  readonly close: boolean
}

const tokenPattern =
  /\s*(?:`((?:[^`]|``)*)`|('(?:[^'\\]|''|\\[\s\S])*'|"(?:[^"\\]|""|\\[\s\S])*")|([\p{L}\p{N}_$@]+)|(\S))/gu

/**
 * The answer of SHOW CREATE VIEW, read. Both servers write names in backticks there, functions of their own
 * without, and a stored function with its bracket right behind.
 */
export function readViewText(definition: string): ViewText {
  const all = tokenize(definition)
  const tokens = all.slice(all.findIndex((token) => isWord(token, 'as')) + 1)
  const ctes = tokens.flatMap((token, at) => (isCte(tokens, at) ? [token.text.toLowerCase()] : []))
  return {
    names: tokens.filter(({ kind }) => kind === 'name').map(({ text }) => text),
    reads: tokens
      .flatMap((token, at) => (isFrom(token) ? readPlace(tokens, at + 1) : []))
      .filter(({ database, name }) => database !== undefined || !ctes.includes(name.toLowerCase())),
    functions: tokens
      .filter((token, at) => token.kind === 'name' && isMark(tokens[at + 1], '(') && tokens[at + 1]?.close)
      .map(({ text }) => text)
      .filter((name) => !ctes.includes(name.toLowerCase())),
  }
}

function tokenize(definition: string): readonly Token[] {
  return [...definition.matchAll(tokenPattern)].map(([whole, name, text, word, mark = '']): Token => {
    const close = !/^\s/.test(whole)
    if (name !== undefined) return { kind: 'name', text: name.replaceAll('``', '`'), close }
    if (text !== undefined) return { kind: 'text', text: '', close }
    return word === undefined
      ? { kind: 'mark', text: mark, close }
      : { kind: 'word', text: word.toLowerCase(), close }
  })
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text === word
}

function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.text === mark
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

/** The table behind FROM or JOIN and its brackets; none where a query stands there. */
function readPlace(tokens: readonly Token[], from: number): ViewText['reads'] {
  const at = tokens.findIndex((token, place) => place >= from && !isMark(token, '('))
  const [first, dot, second] = tokens.slice(at, at + 3)
  if (first?.kind !== 'name') return []
  if (isMark(dot, '.') && second !== undefined) return [{ database: first.text, name: second.text }]
  return [{ database: undefined, name: first.text }]
}
