import { createHash } from 'node:crypto'
import { chmod, lstat, realpath, unlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../errors.js'
import { toFileError } from './copy.js'
import type { FileCopy, Target } from './copy.js'
import { openNdjsonCopy } from './ndjson-copy.js'
import { openSqliteCopy } from './sqlite-copy.js'
import { isMissing, privateMode } from './text-file.js'

interface Format {
  readonly extension: RegExp
  readonly open: (file: string, target: Target) => FileCopy
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
export async function openCopy(file: string, target: Target): Promise<FileCopy> {
  const { open, isShared } = requireFormat(file)
  const path = await resolvePath(file)
  const release = await lockFile(isShared ? `${path}/${target.collection}` : path)
  if (release === undefined)
    throw toFileError(file, 'a file that another pull is writing', 'one pull at a time')
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

/** Releases a lock. */
export type Release = () => Promise<void>

/**
 * Locks a file against other pulls on this machine. The lock is a local socket on which this process listens, so the
 * system releases it whenever the process ends: nothing is left to clean up after a kill.
 *
 * @param path absolute, without symbolic links.
 * @returns undefined if another process has the lock.
 */
export async function lockFile(
  path: string,
  platform: string = process.platform,
): Promise<Release | undefined> {
  const name = `vitrine-pull-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  if (platform === 'linux') return listen(`\0${name}`)
  if (platform === 'win32') return listen(`\\\\.\\pipe\\${name}`)
  // On other systems the socket is a file, which remains after a kill; connections to it then fail.
  const file = join(tmpdir(), `${name}.sock`)
  let release = await listen(file)
  if (release === undefined && !(await canConnect(file))) {
    await unlink(file).catch(() => undefined)
    release = await listen(file)
  }
  if (release !== undefined) await chmod(file, privateMode)
  return release
}

function listen(path: string): Promise<Release | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    const close = () =>
      new Promise<void>((resolveClose) => {
        server.close(() => {
          resolveClose()
        })
      })
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen({ path }, () => {
      // The lock alone does not keep the process alive.
      server.unref()
      resolve(close)
    })
  })
}

function canConnect(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => {
      resolve(false)
    })
  })
}

/** Without symbolic links: the file itself is replaced, not a link to it, and two names of a file are one lock. */
async function resolvePath(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  if (await isLink(file))
    throw toFileError('--to', 'a link to a file that does not exist', 'a file, or a link to one that exists')
  try {
    return join(await realpath(dirname(resolve(file))), basename(file))
  } catch (error) {
    if (!isMissing(error)) throw error
    throw toFileError('--to', file, 'a file in a folder that exists')
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
