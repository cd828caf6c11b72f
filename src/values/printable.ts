import { escapeUnprintable } from '../client/text.js'

/** Escapes what a terminal obeys in every text of a value, whatever its depth. */
export function toPrintableTexts<Value>(value: Value): Value {
  return makePrintable(value) as Value
}

function makePrintable(value: unknown): unknown {
  if (typeof value === 'string') return escapeUnprintable(value)
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

/** A text as a title. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A text of which only the first character of each word is shown. */
export function maskText(text: string): string {
  const toDots = (rest: string): string => '•'.repeat(Math.min(rest.length, 8))
  return text.replace(/(?<=[\p{L}\p{N}])[\p{L}\p{M}\p{N}]+/gu, toDots).slice(0, 40)
}
