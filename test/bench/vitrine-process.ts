import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'

/** Vitrine as it ships, a process of its own with its log in a file. */
export interface VitrineProcess {
  readonly pid: number
  readonly origin: string
  /** Where health and metrics are told. */
  readonly ops: string
  /** How many answers of each status it has given so far. */
  readonly countAnswers: () => Promise<ReadonlyMap<number, number>>
  readonly stop: () => Promise<void>
}

/** Starts it and waits until it answers. */
export async function startVitrine(
  throwaway: Throwaway,
  database: ProductDatabase,
  logFile: string,
  {
    checkout = process.cwd(),
    audit = 'enforce',
    env = {},
  }: {
    readonly checkout?: string
    readonly audit?: string
    readonly env?: Readonly<Record<string, string>>
  } = {},
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
      AUDIT: audit,
      // As an operator runs it; only the floor and the yardstick have no log.
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', log, 'inherit'],
  })
  closeSync(log)
  if (child.pid === undefined) throw new Error('Vitrine could not be started')
  throwaway.undo({ do: 'kill', pid: child.pid })
  const told = new AbortController()
  child.once('exit', (code, signal) => {
    if (told.signal.aborted) return
    const end = readFileSync(logFile, 'utf8').slice(-1000)
    process.stderr.write(
      `Vitrine ended by itself with ${String(code ?? signal)}; its log ends with:\n${end}\n`,
    )
  })
  const [origin, ops] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${opsPort}`]
  await waitForAnswer(`${origin}/api/public/v1/openapi.json`, child)
  return {
    pid: child.pid,
    origin,
    ops,
    countAnswers: () => countAnswers(`${ops}/metrics`),
    stop: async () => {
      const exited = once(child, 'exit')
      told.abort()
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Asks every few milliseconds until it is answered. */
export async function waitForAnswer(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const ok = await fetch(url).then(
      (answer) => answer.arrayBuffer().then(() => answer.status < 500),
      () => false,
    )
    if (ok) return
    await delay(3)
  }
  throw new Error(`The process ended with ${child.exitCode} before it answered`)
}

async function countAnswers(url: string): Promise<ReadonlyMap<number, number>> {
  // A connection of its own: one that was kept alive may be closed just when it is used again.
  const text = await (await request(url, { reset: true })).body.text()
  const counts = new Map<number, number>()
  for (const [, status, count] of text.matchAll(
    /^vitrine_http_request_duration_seconds_count\{.*status="(\d+)".*\} (\d+)$/gm,
  ))
    counts.set(Number(status), (counts.get(Number(status)) ?? 0) + Number(count))
  return counts
}
