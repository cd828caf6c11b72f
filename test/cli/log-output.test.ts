import { closeSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
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

test.each(process.platform === 'linux' ? ['/dev/full', 'unread'] : ['unread'])(
  'the service drops log lines, answers, and ends on SIGTERM, with the output %s',
  async (name) => {
    const output = name === 'unread' ? name : openSync(name, 'w')
    const serving = await startWith(output)
    if (output !== 'unread') closeSync(output)
    await askUntilDropped(serving)
    serving.child.kill('SIGTERM')
    expect(await serving.ended).toBe(0)
  },
)
