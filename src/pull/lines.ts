import { createReadStream } from 'node:fs'

/** A line of a file, without its end. */
export interface Line {
  readonly text: string
  /** Bytes from the beginning of the file to behind the line's end. */
  readonly end: number
}

/**
 * The lines of a file that end with a line feed; what follows the last one was never finished.
 *
 * Not `node:readline`, which ends a line at U+2028 too, and a name may hold one.
 */
export async function* readLines(file: string): AsyncGenerator<Line, void, undefined> {
  let rest: Buffer[] = []
  let end = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0
    for (;;) {
      const at = chunk.indexOf(0x0a, start)
      if (at === -1) break
      const text = Buffer.concat([...rest, chunk.subarray(start, at)])
      end += text.length + 1
      yield { text: text.toString(), end }
      rest = []
      start = at + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
}

/** What other programs, Python's `splitlines` among them, take for the end of a line within a JSON text. */
const otherLineEnds = /[\u0085\u2028\u2029]/g

/** What a terminal may obey, or shows in another order or not at all. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A value as one line of JSON, whoever splits it. */
export function toLine(value: unknown): string {
  return `${JSON.stringify(value).replace(otherLineEnds, escapeUnits)}\n`
}

/** A value as one line of JSON that is safe to print, whatever it holds. */
export function toPrintableLine(value: unknown): string {
  return `${JSON.stringify(value).replace(unprintable, escapeUnits)}\n`
}

function escapeUnits(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
