/** A token of what SHOW GRANTS or SHOW CREATE TABLE returns. */
export interface Token {
  readonly kind: 'name' | 'literal' | 'word' | 'mark'
  /** A name without its quotes; a word or a mark as it is written; empty for a literal. */
  readonly text: string
  /** Whether nothing, not even a blank, is between this token and the one before. */
  readonly close: boolean
}

const patterns = {
  // A name can be in any of the three quotes, and a backslash has no meaning in it.
  grants: /`(?:[^`]|``)*`|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<word>[\p{L}\p{N}_$]+)|(?<mark>\S)/gu,
  // A name is in backticks. In the other quotes is a literal, where a backslash escapes.
  definition:
    /`(?:[^`]|``)*`|'(?:[^'\\]|''|\\[\s\S])*'|"(?:[^"\\]|""|\\[\s\S])*"|(?<word>[\p{L}\p{N}_$]+)|(?<mark>\S)/gu,
} as const

/** The tokens of a line of SHOW GRANTS, or of the definition of a table or view. */
export function tokenize(text: string, syntax: keyof typeof patterns): readonly Token[] {
  return [...text.matchAll(patterns[syntax])].map((match): Token => {
    const [whole] = match
    const close = !/\s/.test(text.charAt(match.index - 1))
    const quote = whole.charAt(0)
    if (match.groups?.['mark'] !== undefined) return { kind: 'mark', text: whole, close }
    if (match.groups?.['word'] !== undefined) return { kind: 'word', text: whole, close }
    if (syntax === 'definition' && quote !== '`') return { kind: 'literal', text: '', close }
    return { kind: 'name', text: whole.slice(1, -1).replaceAll(quote + quote, quote), close }
  })
}

/** Whether a token is this word, which is given in capitals. */
export function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word
}

/** Whether a token is this mark. */
export function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.text === mark
}

/** The position of a word, at `from` or behind it; -1 where there is none. */
export function findWord(tokens: readonly Token[], word: string, from = 0): number {
  return tokens.findIndex((token, at) => at >= from && isWord(token, word))
}

/** The position of the bracket that closes the one before `from`; the end where there is none. */
export function findClose(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at += 1) {
    if (isMark(tokens[at], '(')) depth += 1
    if (isMark(tokens[at], ')')) depth -= 1
    if (depth < 0) return at
  }
  return tokens.length
}

/** The parts between the commas that are in no brackets. */
export function splitAtCommas(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (isMark(token, '(')) depth += 1
    if (isMark(token, ')')) depth -= 1
    if (depth === 0 && isMark(token, ',')) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}
