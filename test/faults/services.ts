import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'

/** A service in a process of its own, never started again. */
export interface RunningService {
  readonly api: string
  readonly ops: string
  /** Ends it in order; throws when it had ended before, or ends with another status than 0. */
  readonly stop: () => Promise<void>
}

/** Connections of each service; fewer than its callers, so that some wait for one. */
export const poolSize = 4

/** Starts a service before a product's database, whose limits are soon reached. */
export async function startRunningService(
  throwaway: Throwaway,
  { readUrl, mappingFile }: Pick<ProductDatabase, 'readUrl' | 'mappingFile'>,
  keyTtlSeconds: number,
): Promise<RunningService> {
  // Port 0 would turn the ops listener off.
  const opsPort = await findFreePort()
  const child = spawn(process.execPath, ['dist/cli.js', 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: readUrl,
      DATABASE_POOL_SIZE: String(poolSize),
      DATABASE_QUERY_TIMEOUT_MS: '500',
      MAPPING_FILE: mappingFile,
      PORT: '0',
      OPS_PORT: String(opsPort),
      KEY_CACHE_TTL_SECONDS: String(keyTtlSeconds),
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.pid !== undefined) throwaway.undo({ do: 'kill', pid: child.pid })
  const exited = once(child, 'exit')
  let text = ''
  const found = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      // Read to the end, so that it never waits for a reader.
      text = `${text}${chunk.toString()}`.slice(-4096)
      const origin = /"api":"([^"]+)"/.exec(text)?.[1]
      if (origin !== undefined) resolve(origin)
    })
  })
  const api = await Promise.race([found, exited.then(() => undefined)])
  if (api === undefined) throw new Error(`The service ended before it listened: ${text}`)
  return {
    api,
    ops: `http://127.0.0.1:${opsPort}`,
    stop: async () => {
      child.kill('SIGTERM')
      const [status] = (await exited) as [number | null]
      if (status !== 0) throw new Error(`The service ended with ${String(status)}: ${text}`)
    },
  }
}
