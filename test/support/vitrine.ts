import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePort } from '../product/local-server.js'
import type { ProductDatabase } from '../product/index.js'
import { afterFile } from './after-file.js'

/** A command of `vitrine` in a process of its own. */
export type Running = ReturnType<typeof spawnVitrine>

interface SpawnOptions {
  /** Arguments of Node itself, such as a module to be loaded first, which may exchange messages. */
  readonly nodeArgs?: readonly string[]
  /** The `vitrine` that is started; otherwise the one of this checkout. */
  readonly program?: string
  /** A file for its output; `unread` for a pipe that is not read. */
  readonly output?: number | 'unread'
}

type Variables = Readonly<Record<string, string>>

/** Starts a command as its user does, with these variables and no others. It is gone when the test file or this process is. */
export function spawnVitrine(
  args: readonly string[],
  env: Variables = {},
  { nodeArgs = [], program = 'dist/cli.js', output }: SpawnOptions = {},
) {
  const child = spawn(process.execPath, [...nodeArgs, program, ...args], {
    env: { PATH: String(process.env['PATH']), ...env },
    stdio: ['ignore', typeof output === 'number' ? output : 'pipe', 'pipe', 'ipc'],
  })
  const kill = (): boolean => child.kill('SIGKILL')
  afterFile(kill)
  process.once('exit', kill)
  const ended = once(child, output === 'unread' ? 'exit' : 'close').then(([status, signal]) => {
    process.off('exit', kill)
    return (status ?? signal) as number | string
  })
  let [stdout, stderr] = ['', '']
  if (output !== 'unread') child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  /** What it printed so far, and its status or the signal that ended it; everything that it printed is read then. */
  return { child, stdout: () => stdout, stderr: () => stderr, ended }
}

/** What a command printed, and the status that it ended with. */
export interface Outcome {
  readonly status: number | string
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command to its end. */
export async function runVitrine(args: readonly string[], env: Variables = {}): Promise<Outcome> {
  const { ended, stdout, stderr } = spawnVitrine(args, env)
  return { status: await ended, stdout: stdout(), stderr: stderr() }
}

/** The environment of a service before a product's database, on ports of its own, without limits of rates, on a slow machine too. */
export async function toServingEnv({
  readUrl,
  mappingFile,
}: Pick<ProductDatabase, 'readUrl' | 'mappingFile'>): Promise<Variables> {
  return {
    ...{ DATABASE_URL: readUrl, MAPPING_FILE: mappingFile },
    // Port 0 would turn the ops listener off.
    ...{ PORT: '0', OPS_PORT: String(await findFreePort()) },
    ...{ RATE_LIMIT_PER_MINUTE: '0', REFUSED_KEYS_PER_MINUTE: '0', DATABASE_QUERY_TIMEOUT_MS: '60000' },
  }
}

/** Starts the service before a product's database, and waits until it accepts requests. */
export async function startServing(
  database: Pick<ProductDatabase, 'readUrl' | 'mappingFile'>,
  env: Variables = {},
  options: SpawnOptions = {},
) {
  const running = spawnVitrine(['serve'], { ...(await toServingEnv(database)), ...env }, options)
  const { child, stdout, stderr, ended } = running
  const [, ops = '', api = ''] = await new Promise<RegExpExecArray>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const ready = /"ops":"([^"]+)","api":"([^"]+)"/.exec(stdout())
      if (ready !== null) resolve(ready)
    })
    void ended.then((status) => {
      reject(new Error(`The service ended with ${status} before it listened: ${stdout()}${stderr()}`))
    })
  })
  /** @throws Error when it had ended by itself, or ends in order with another status than 0 */
  const end = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> => {
    child.kill(signal)
    const status = await ended
    if (status !== (signal === 'SIGTERM' ? 0 : signal))
      throw new Error(`The service ended with ${status}: ${stdout().slice(-4096)}${stderr()}`)
  }
  return { ...running, api, ops, end }
}
