import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'

/** `vitrine serve` as its operator runs it, in a process of its own. */
export interface ServingProcess {
  readonly child: ChildProcess
  readonly api: string
  readonly ops: string
  /** Everything that it printed so far. */
  readonly output: () => string
  /** How it ended: its status, and nothing of it is left to be read. */
  readonly ended: Promise<number | null>
}

/** Starts it before a product's database, and waits until it listens. */
export async function startServing(
  throwaway: Throwaway,
  { readUrl, mappingFile }: ProductDatabase,
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<ServingProcess> {
  // Port 0 would turn the ops listener off.
  const opsPort = await findFreePort()
  const child = spawn(process.execPath, [...nodeOptions, 'dist/cli.js', 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: readUrl,
      MAPPING_FILE: mappingFile,
      PORT: '0',
      OPS_PORT: String(opsPort),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) throwaway.undo({ do: 'kill', pid: child.pid })
  const ended = once(child, 'close').then(([status]) => status as number | null)
  let output = ''
  const api = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      output += chunk.toString()
      const origin = /"api":"([^"]+)"/.exec(output)?.[1]
      if (origin !== undefined) resolve(origin)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    void ended.then((status) => {
      reject(new Error(`The service ended with ${String(status)} before it listened: ${output}`))
    })
  })
  return { child, api, ops: `http://127.0.0.1:${opsPort}`, output: () => output, ended }
}
