import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpath, chmod, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { nullIfMissing, privateMode, toFileError } from './copy.js'
import type { Copy, Target } from './copy.js'
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
export async function openCopy(file: string, target: Target): Promise<Copy> {
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

/** Releases a lock. */
export type Release = () => Promise<unknown>

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
    await rm(file, { force: true })
    release = await listen(file)
  }
  if (release !== undefined) await chmod(file, privateMode)
  return release
}

async function listen(path: string): Promise<Release | undefined> {
  const server = createServer((socket) => socket.destroy())
  try {
    await once(server.listen({ path }), 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw error
  }
  // The lock alone does not keep the process alive.
  server.unref()
  return () => once(server.close(), 'close')
}

function canConnect(path: string): Promise<boolean> {
  const socket = connect({ path })
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}
