import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { readRssMb } from '../bench/process-cost.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

/** In MB; of it Node alone takes 40, and what it maps of its own program grew with Node 24. */
const startedMax = Number(process.versions.node.split('.')[0]) < 24 ? 90 : 105

test('serving begins in little memory, and what runs often is optimized from then on', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  const child = spawn(process.execPath, ['--trace-opt', 'dist/cli.js', 'serve'], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: database.readUrl, PORT: '0', OPS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let log = ''
    child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()))
    await expect.poll(() => /"api":"([^"]+)"/.exec(log)?.[1], { timeout: 60_000 }).toBeDefined()
    const origin = /"api":"([^"]+)"/.exec(log)![1]!
    // Where there is no /proc, nothing tells it.
    expect(readRssMb(child.pid!) ?? 0).toBeLessThan(startedMax)
    await expect
      .poll(
        async () => {
          for (let asked = 0; asked < 200; asked += 1) await (await fetch(`${origin}/docs/errors`)).text()
          return log
        },
        { timeout: 60_000 },
      )
      .toContain('TURBOFAN')
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})
