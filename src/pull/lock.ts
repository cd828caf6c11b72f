import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateMode } from './files.js'

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
