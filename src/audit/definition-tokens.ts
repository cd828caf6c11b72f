/** A word of what SHOW CREATE answers. */
export interface Token {
  readonly kind: 'name' | 'text' | 'word' | 'mark'
  /** Empty for a literal; in lower case for a word. */
  readonly text: string
  /** Whether nothing, not even a blank, stands between it and the one before. */
  readonly close: boolean
}

const tokenPattern =
  /\s*(?:`((?:[^`]|``)*)`|('(?:[^'\\]|''|\\[\s\S])*'|"(?:[^"\\]|""|\\[\s\S])*")|([\p{L}\p{N}_$@]+)|(\S))/gu

/** The tokens of a definition; names stand in backticks, and literals escape with a backslash. */
export function tokenize(definition: string): readonly Token[] {
  return [...definition.matchAll(tokenPattern)].map(([whole, name, text, word, mark = '']): Token => {
    const close = !/^\s/.test(whole)
    if (name !== undefined) return { kind: 'name', text: name.replaceAll('``', '`'), close }
    if (text !== undefined) return { kind: 'text', text: '', close }
    return word === undefined
      ? { kind: 'mark', text: mark, close }
      : { kind: 'word', text: word.toLowerCase(), close }
  })
}

/** Whether a token is the word, which is given in lower case. */
export function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text === word
}

/** Whether a token is the mark. */
export function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.text === mark
}
