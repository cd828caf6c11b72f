/** Control characters, format characters (which reorder or hide text), line separators and unpaired surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Text on one line without anything that a terminal obeys: such characters are escaped as in JSON. */
export function toPrintable(text: string): string {
  return text.replace(unprintable, (found) =>
    Array.from({ length: found.length }, (_, at) => escapeUnit(found.charCodeAt(at))).join(''),
  )
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

/** The same for every text in a value, whatever its depth. */
export function toPrintableTexts<Value>(value: Value): Value {
  return makePrintable(value) as Value
}

function makePrintable(value: unknown): unknown {
  if (typeof value === 'string') return toPrintable(value)
  if (Array.isArray(value)) return value.map(makePrintable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, makePrintable(one)]))
}

/** A text as lines of at most so many characters; a longer word has a line of its own. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
