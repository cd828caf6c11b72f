import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'

/** Vitrine as it ships, a process of its own with its log in a file. */
export interface VitrineProcess {
  readonly pid: number
  readonly origin: string
  /** The address of health checks and metrics. */
  readonly ops: string
  readonly stop: () => Promise<void>
}

/** Starts it and waits until it answers. */
export async function startVitrine(
  throwaway: Throwaway,
  database: Pick<ProductDatabase, 'readUrl' | 'mappingFile'>,
  logFile: string,
  {
    checkout = process.cwd(),
    env = {},
  }: { readonly checkout?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<VitrineProcess> {
  const [port, opsPort] = [await findFreePort(), await findFreePort()]
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, ['dist/cli.js', 'serve'], {
    cwd: checkout,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: database.readUrl,
      MAPPING_FILE: database.mappingFile,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      RATE_LIMIT_PER_MINUTE: '0',
      REFUSED_KEYS_PER_MINUTE: '0',
      // As an operator runs it; the plain handler has no log.
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', log, 'inherit'],
  })
  closeSync(log)
  if (child.pid === undefined) throw new Error('Vitrine could not be started')
  throwaway.undo({ do: 'kill', pid: child.pid })
  const [origin, ops] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${opsPort}`]
  await waitForAnswer(`${origin}/api/public/v1/openapi.json`, child, logFile)
  return {
    pid: child.pid,
    origin,
    ops,
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Asks every few milliseconds until it is answered. */
async function waitForAnswer(url: string, child: ChildProcess, logFile: string): Promise<void> {
  while (child.exitCode === null) {
    const ok = await fetch(url).then(
      (answer) => answer.arrayBuffer().then(() => answer.status < 500),
      () => false,
    )
    if (ok) return
    await delay(3)
  }
  throw new Error(`Vitrine did not start; its log ends with:\n${readFileSync(logFile, 'utf8').slice(-1000)}`)
}
