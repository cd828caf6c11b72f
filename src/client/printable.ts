const charsMax = 1000

/** Control and format characters (which reorder or hide text), line separators, unpaired surrogates and no characters. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{NChar}]/gu

/** Text from the server in a form that is safe to print: one line, limited in length, unprintable characters as U+FFFD. */
export function toPrintable(text: string): string {
  const start = text.length > charsMax ? `${text.slice(0, charsMax)}…` : text
  return start.replace(unprintable, '\uFFFD')
}

/** The same characters escaped as in JSON, so that a reader of a log sees which ones they were. */
export function escapeUnprintable(text: string): string {
  return text.replace(unprintable, (found) =>
    Array.from({ length: found.length }, (_, at) => escapeUnit(found.charCodeAt(at))).join(''),
  )
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
