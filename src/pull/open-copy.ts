import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { ConfigError, UsageError } from '../errors.js'
import type { Copy } from './copy.js'
import { isMissing } from './durable-file.js'
import { lockFile } from './lock.js'
import { openNdjsonCopy } from './ndjson-copy.js'
import { openSqliteCopy } from './sqlite-copy.js'
import type { Target } from './target.js'

const formats: readonly (readonly [ends: RegExp, open: (file: string, target: Target) => Copy])[] = [
  [/\.(ndjson|jsonl)$/i, openNdjsonCopy],
  [/\.(sqlite|sqlite3|db)$/i, openSqliteCopy],
]

/** Refuses a name whose form no copy has, before anything is touched. @throws UsageError */
export function requireFormat(file: string): void {
  findFormat(file)
}

/**
 * Opens a copy, which nobody else may pull into until it is closed.
 *
 * @throws ConfigError where the file is not this target's, or another pull is at it.
 */
export async function openCopy(file: string, target: Target): Promise<Copy> {
  const open = findFormat(file)
  const path = await resolvePath(file)
  const release = await lockFile(path)
  if (release === undefined)
    throw new ConfigError([{ path: file, found: 'another pull at work on it', allowed: 'one at a time' }])
  try {
    const copy = open(path, target)
    return {
      ...copy,
      close: async () => {
        await copy.close()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

function findFormat(file: string): (file: string, target: Target) => Copy {
  const format = formats.find(([ends]) => ends.test(file))
  if (format === undefined)
    throw new UsageError('--to is a file that ends in .ndjson, .jsonl, .sqlite or .db')
  return format[1]
}

/** Without symbolic links: what is replaced is the file itself, and two names of it are one lock. */
async function resolvePath(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  if (await isLink(file)) {
    const allowed = 'a file, or a link to one that exists'
    throw new ConfigError([{ path: '--to', found: 'a link to a file that does not exist', allowed }])
  }
  try {
    return join(await realpath(dirname(resolve(file))), basename(file))
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new ConfigError([{ path: '--to', found: file, allowed: 'a file in a folder that exists' }])
  }
}

async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
