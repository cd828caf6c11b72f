import { closeSync, openSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'
import { base } from '../support/client.js'
import { dial } from '../support/raw-caller.js'
import { useProduct } from '../support/service.js'
import { spawnVitrine, toServingEnv } from '../support/vitrine.js'
import type { Running } from '../support/vitrine.js'

const database = useProduct('plain', { registrations: 100 })

interface Serving extends Running {
  /** Sends some requests on one connection. */
  readonly ask: () => Promise<readonly number[]>
  readonly countDropped: () => Promise<number>
}

/** Starts the service with an output that may not show when it is ready. */
async function startWith(output: number | 'unread'): Promise<Serving> {
  const port = await findFreePort()
  const env: Readonly<Record<string, string>> = { ...(await toServingEnv(database)), PORT: String(port) }
  const running = spawnVitrine(['serve'], env, { output })
  const ops = `http://127.0.0.1:${env['OPS_PORT']!}`
  const isReady = async (): Promise<boolean> => (await fetch(`${ops}/readyz`)).ok
  const early = running.ended.then((status) => {
    throw new Error(`The service ended with ${status} before it was ready: ${running.stderr()}`)
  })
  await Promise.race([expect.poll(() => isReady().catch(() => false)).toBe(true), early])
  const request = `GET ${base}/registrations?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.both}\r\n`
  return {
    ...running,
    ask: async () => {
      const caller = await dial(port)
      caller.send(`${`${request}\r\n`.repeat(15)}${request}Connection: close\r\n\r\n`)
      return (await caller.closed).map(({ status }) => status)
    },
    countDropped: async () => {
      const text = await (await fetch(`${ops}/metrics`)).text()
      return Number(/^vitrine_log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
    },
  }
}

/** Sends requests until a line is dropped. All answers must be right. */
async function askUntilDropped({ ask, countDropped }: Serving): Promise<void> {
  while (!((await countDropped()) > 0)) expect(await ask()).toEqual(Array.from({ length: 16 }, () => 200))
}

const ends = async ({ child, ended }: Serving): Promise<void> => {
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
}

describe('the service drops log lines, answers, and ends on SIGTERM', () => {
  test.runIf(process.platform === 'linux')('when the disk of its log is full', async () => {
    const full = openSync('/dev/full', 'w')
    const serving = await startWith(full)
    closeSync(full)
    await askUntilDropped(serving)
    await ends(serving)
  })

  test('when no program reads its log', async () => {
    const serving = await startWith('unread')
    await askUntilDropped(serving)
    await ends(serving)
  })
})
