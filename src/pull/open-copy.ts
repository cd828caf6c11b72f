import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { renderStart } from '../client/mirror.js'
import { toFileError } from './copy.js'
import type { Copy, Target } from './copy.js'
import { nullIfMissing, toPrintableLine } from './files.js'
import { lockFile } from './lock.js'
import { openNdjsonCopy } from './ndjson-copy.js'
import { openSqliteCopy } from './sqlite-copy.js'

/** The format that the extension of a file names, if it names one. */
export function findFormat(file: string): 'ndjson' | 'sqlite' | undefined {
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson'
  return /\.(sqlite|sqlite3|db)$/i.test(file) ? 'sqlite' : undefined
}

/** `--to -`: records are written to stdout, and everything else to stderr. */
export const streamName = '-'

/**
 * Opens a copy, and locks it until it is closed.
 *
 * @param since where a stream starts; a file has a position of its own.
 * @throws ConfigError if the file is not a copy of this target, or another pull has locked it.
 */
export async function openCopy(file: string, target: Target, since?: string): Promise<Copy> {
  if (file === streamName) return createStreamCopy(process.stdout, since)
  const path = await resolvePath(file)
  const isSqlite = findFormat(file) === 'sqlite'
  // An SQLite file can hold both collections, each written by a pull of its own.
  const release = await lockFile(isSqlite ? `${path}/${target.collection}` : path)
  if (release === undefined)
    throw toFileError(file, 'a file that another pull is writing', 'one pull at a time')
  try {
    const { begin, close } = (isSqlite ? openSqliteCopy : openNdjsonCopy)(path, target)
    return { begin, close: () => close().then(release) }
  } catch (error) {
    await release()
    throw error
  }
}

/** Without symbolic links: the file itself is replaced, not a link to it, and two names of a file are one lock. */
async function resolvePath(file: string): Promise<string> {
  const path = await realpath(file).catch(nullIfMissing)
  if (path !== null) return path
  const folder = await realpath(dirname(resolve(file))).catch(nullIfMissing)
  if (folder === null) throw toFileError('--to', file, 'a file in a folder that exists')
  return join(folder, basename(file))
}

/**
 * Writes records to a stream as NDJSON, in the order in which they are read. The state is kept in memory only, for the
 * next sync of --watch. Control characters are escaped: the stream can be a terminal.
 *
 * @param since where the first sync starts; all records without it.
 */
function createStreamCopy(output: NodeJS.WritableStream, since: string | undefined): Copy {
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
