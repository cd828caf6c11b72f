import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Throwaway } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'

/** One of those who take turns. */
export interface Contender {
  readonly name: string
  readonly pid: number
  readonly origin: string
  readonly stop: () => void
}

/** How a contender is run; the checkout that it is of is this one by default. */
interface Program {
  readonly name: string
  readonly cwd?: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The settings of memory of the image, for all of them. */
const memoryLines = readFileSync('docker/Dockerfile', 'utf8').matchAll(
  /^ENV (NODE_OPTIONS|MALLOC_\w+)="?(.*?)"?$/gm,
)
const memory = Object.fromEntries([...memoryLines].map(([, name = '', value = '']) => [name, value]))

/** Starts a program, with its log in a file of the folder, and waits until it answers. */
export async function start(throwaway: Throwaway, folder: string, program: Program): Promise<Contender> {
  const { name, cwd = '.', args, env } = program
  const [port, opsPort] = [await findFreePort(), await findFreePort()]
  const logFile = join(folder, `${port}.log`)
  const ports = { PORT: String(port), OPS_PORT: String(opsPort) }
  const child = spawn(process.execPath, args, {
    cwd: resolve(cwd),
    env: { PATH: process.env['PATH'] ?? '', ...memory, ...ports, ...env },
    stdio: ['ignore', openSync(logFile, 'a'), 'inherit'],
  })
  await once(child, 'spawn')
  child.on('exit', throwaway.undo({ do: 'kill', pid: child.pid! }))
  const origin = `http://127.0.0.1:${port}`
  while (!(await isUp(origin))) {
    if (child.exitCode !== null) throw new Error(`${name} did not start:\n${readFileSync(logFile, 'utf8')}`)
    await delay(3)
  }
  return { name, pid: child.pid!, origin, stop: () => child.kill() }
}

async function isUp(origin: string): Promise<boolean> {
  // The docs, to which `/` leads, load modules that no other request needs.
  const answer = await fetch(origin, { redirect: 'manual' }).catch(() => undefined)
  return (await answer?.arrayBuffer()) !== undefined
}
