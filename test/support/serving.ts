import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'

/** `vitrine serve` as its operator runs it, in a process of its own, ready for requests. */
export interface ServingProcess {
  readonly child: ChildProcess
  readonly api: string
  readonly ops: string
  /** What it printed so far, or the end of that. */
  readonly output: () => string
  /** How it ended, by a status or a signal; nothing of it is left to be read then. */
  readonly ended: Promise<number | string | null>
}

interface ServingInput {
  readonly env: Readonly<Record<string, string>>
  /** Arguments of Node itself, such as a module to be loaded first, which may send messages. */
  readonly nodeArgs?: readonly string[]
  /** The `vitrine` that is started; otherwise the one of this checkout. */
  readonly program?: string
  /** How many characters of its output are kept. */
  readonly keptMax?: number
}

/** The environment of a service before a product's database. */
export function toServingEnv({
  readUrl,
  mappingFile,
}: Pick<ProductDatabase, 'readUrl' | 'mappingFile'>): Readonly<Record<string, string>> {
  return { DATABASE_URL: readUrl, MAPPING_FILE: mappingFile }
}

/** Starts it on ports of its own, with no limits of rates; it is gone when the test file is, by whatever end. */
export async function startServing(
  throwaway: Throwaway,
  { env, nodeArgs = [], program = 'dist/cli.js', keptMax = Infinity }: ServingInput,
): Promise<ServingProcess> {
  // Port 0 would turn the ops listener off.
  const opsPort = env['OPS_PORT'] ?? String(await findFreePort())
  const child = spawn(process.execPath, [...nodeArgs, program, 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      OPS_PORT: opsPort,
      RATE_LIMIT_PER_MINUTE: '0',
      REFUSED_KEYS_PER_MINUTE: '0',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  if (child.pid !== undefined) throwaway.undo({ do: 'kill', pid: child.pid })
  const ended = once(child, 'close').then(([status, signal]) => (status ?? signal) as number | string | null)
  let output = ''
  const api = await new Promise<string>((resolve, reject) => {
    // Read to the end, so that the process never waits for a reader.
    const take = (chunk: Buffer): void => {
      output += chunk.toString()
      if (output.length > keptMax) output = output.slice(-keptMax)
      const origin = /"api":"([^"]+)"/.exec(output)?.[1]
      if (origin !== undefined) resolve(origin)
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    void ended.then((status) => {
      reject(new Error(`The service ended with ${String(status)} before it listened: ${output}`))
    })
  })
  return { child, api, ops: `http://127.0.0.1:${opsPort}`, output: () => output, ended }
}
