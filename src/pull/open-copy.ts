import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../errors.js'
import { toFileError } from './copy.js'
import type { Copy, Target } from './copy.js'
import { nullIfMissing } from './files.js'
import { lockFile } from './lock.js'
import { openNdjsonCopy } from './ndjson-copy.js'
import { openSqliteCopy } from './sqlite-copy.js'

interface Format {
  readonly extension: RegExp
  readonly open: (file: string, target: Target) => Copy
  /** Whether a file can hold both collections, each written by a pull of its own. */
  readonly isShared: boolean
}

const formats: readonly Format[] = [
  { extension: /\.(ndjson|jsonl)$/i, open: openNdjsonCopy, isShared: false },
  { extension: /\.(sqlite|sqlite3|db)$/i, open: openSqliteCopy, isShared: true },
]

/** The format that the extension of a file names, if it names one. */
export function findFormat(file: string): Format | undefined {
  return formats.find(({ extension }) => extension.test(file))
}

/** The format that the extension of a file names. @throws UsageError */
export function requireFormat(file: string): Format {
  const format = findFormat(file)
  if (format === undefined)
    throw new UsageError('--to is a file that ends in .ndjson, .jsonl, .sqlite or .db, or - for stdout')
  return format
}

/**
 * Opens a copy, and locks it until it is closed.
 *
 * @throws ConfigError if the file is not a copy of this target, or another pull has locked it.
 */
export async function openCopy(file: string, target: Target): Promise<Copy> {
  const { open, isShared } = requireFormat(file)
  const path = await resolvePath(file)
  const release = await lockFile(isShared ? `${path}/${target.collection}` : path)
  if (release === undefined)
    throw toFileError(file, 'a file that another pull is writing', 'one pull at a time')
  try {
    const { begin, close } = open(path, target)
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
