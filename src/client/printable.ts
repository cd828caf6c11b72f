const charsMax = 1000

/** Control characters, format characters (which reorder or hide text), line separators and unpaired surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Text from the server in a form that is safe to print: one line, limited in length, unprintable characters as U+FFFD. */
export function toPrintable(text: string): string {
  const start = text.length > charsMax ? `${text.slice(0, charsMax)}…` : text
  return start.replace(unprintable, '\uFFFD')
}
