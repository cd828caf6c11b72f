import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { nullIfMissing, toFileError, writableFile } from './copy.js'
import type { Copy, Target } from './copy.js'
import { lockCopy } from './lock.js'
import type { LockTiming } from './lock.js'
import { openNdjsonCopy } from './ndjson-copy.js'
import { openSqliteCopy } from './sqlite-copy.js'

/** The format that the extension of a file names, if it names one. */
export function findFormat(file: string): 'ndjson' | 'sqlite' | undefined {
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson'
  return /\.(sqlite|sqlite3|db)$/i.test(file) ? 'sqlite' : undefined
}

/**
 * Opens a copy, and locks it until it is closed.
 *
 * @throws ConfigError if the file is not a copy of this target, or another pull has locked it.
 */
export async function openCopy(file: string, target: Target, timing?: LockTiming): Promise<Copy> {
  const path = await resolvePath(file)
  const isSqlite = findFormat(file) === 'sqlite'
  // An SQLite file can hold both collections, each written by a pull of its own.
  const lock = await lockCopy(isSqlite ? `${path}.${target.collection}` : path, timing)
  try {
    const { begin, close } = (isSqlite ? openSqliteCopy : openNdjsonCopy)(path, target, lock)
    return {
      begin,
      close: () => {
        try {
          close()
        } finally {
          lock.release()
        }
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Without symbolic links: the file itself is replaced, not a link to it, and two names of a file are one lock. */
async function resolvePath(file: string): Promise<string> {
  const path = await realpath(file).catch(nullIfMissing)
  if (path !== null) return path
  const folder = await realpath(dirname(resolve(file))).catch(nullIfMissing)
  if (folder === null)
    throw toFileError('--to', `${JSON.stringify(file)}, whose folder does not exist`, writableFile)
  return join(folder, basename(file))
}
