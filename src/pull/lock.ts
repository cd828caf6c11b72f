import { createHash } from 'node:crypto'
import { chmod, unlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { privateMode } from './durable-file.js'

/** Gives a lock back. */
export type Release = () => Promise<void>

/**
 * Keeps every other pull on this machine from a file. The lock is a local socket that this process listens on, so the
 * system takes it back at whatever end of the process: there is nothing to clean up after a kill.
 *
 * @param path absolute, without symbolic links.
 * @returns undefined where another process holds it.
 */
export async function lockFile(
  path: string,
  platform: string = process.platform,
): Promise<Release | undefined> {
  const name = `vitrine-pull-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  if (platform === 'linux') return listenOn(`\0${name}`)
  if (platform === 'win32') return listenOn(`\\\\.\\pipe\\${name}`)
  // Elsewhere the socket has a file, which outlives a kill; nobody answers at it then.
  const file = join(tmpdir(), `${name}.sock`)
  let release = await listenOn(file)
  if (release === undefined && !(await isAnswered(file))) {
    await unlink(file).catch(() => undefined)
    release = await listenOn(file)
  }
  if (release !== undefined) await chmod(file, privateMode)
  return release
}

function listenOn(path: string): Promise<Release | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen({ path }, () => {
      // It alone does not keep the process alive.
      server.unref()
      resolve(() => close(server))
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
  })
}

function isAnswered(path: string): Promise<boolean> {
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
