import type { Copy, Position } from './copy.js'
import { toPrintableLine } from './text-file.js'

/** A stream that records are written to. */
export interface Output {
  readonly write: (text: string, done: (error?: Error | null) => void) => unknown
  readonly on: (event: 'error', listener: () => void) => unknown
}

/**
 * Writes records to a stream as NDJSON, in the order in which they are read. The position is kept in memory only, for the
 * next sync of --watch. Control characters are escaped: the stream can be a terminal.
 *
 * @param since where the first sync starts; null for all records.
 */
export function createStreamCopy(output: Output, since: string | null): Copy {
  let position: Position = { since, cursor: null }
  let total = 0
  // The callback of a write reports the error; without a listener it would end the process too.
  output.on('error', () => undefined)
  return {
    begin: () => Promise.resolve(position),
    save: async ({ data, cursor, nextUpdatedSince }) => {
      if (data.length > 0) await write(output, data.map(toPrintableLine).join(''))
      total += data.length
      position = { since: cursor === null ? nextUpdatedSince : position.since, cursor }
    },
    keep: (state) => {
      position = { ...state, cursor: null }
      return Promise.resolve()
    },
    count: () => Promise.resolve({ total, removed: 0 }),
    close: () => Promise.resolve(),
  }
}

function write(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}
