import { promisify } from 'node:util'
import { renderStart } from '../client/mirror.js'
import type { Copy } from './copy.js'
import { toPrintableLine } from './files.js'

/** A stream that records are written to. */
interface Output {
  readonly write: (text: string, done: (error?: Error | null) => void) => unknown
  readonly on: (event: 'error', listener: () => void) => unknown
}

/**
 * Writes records to a stream as NDJSON, in the order in which they are read. The state is kept in memory only, for the
 * next sync of --watch. Control characters are escaped: the stream can be a terminal.
 *
 * @param since where the first sync starts; all records without it.
 */
export function createStreamCopy(output: Output, since: string | undefined): Copy {
  const write = promisify((text: string, done: (error?: Error | null) => void) => output.write(text, done))
  let state = since === undefined ? null : renderStart(since)
  let total = 0
  // The callback of a write reports the error; without a listener it would end the process too.
  output.on('error', () => undefined)
  return {
    begin: () =>
      Promise.resolve({
        held: total,
        readState: () => Promise.resolve(state),
        // There is no full sync of a stream.
        readIds: () => Promise.resolve([]),
        write: async (change) => {
          if (change.records.length > 0) await write(change.records.map(toPrintableLine).join(''))
          total += change.records.length
          state = change.state
        },
        commit: () => Promise.resolve(total),
      }),
    close: () => Promise.resolve(),
  }
}
