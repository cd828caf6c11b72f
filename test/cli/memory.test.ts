import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { readRssMb } from '../bench/process-cost.js'
import { nodeMajor } from '../support/node-version.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

/** In MB; of it Node alone takes 40, and what it maps of its own program grew with Node 24. */
const startedMax = nodeMajor < 24 ? 90 : 105

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

/** Keeps the last of what it makes, so that young objects live on and V8 gives them more room. */
const hoard = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { createYoungLimit } from './dist/commands/spare-memory.js'
  const steer = createYoungLimit()
  const kept = []
  let most = 0
  for (let batch = 0; batch < 400; batch += 1) {
    steer()
    for (let at = 0; at < 2000; at += 1) kept[(batch * 2000 + at) % 20_000] = new Array(50).fill(at)
    most = Math.max(most, getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size)
  }
  console.log(Math.round(most / 1024 / 1024))
`

/** In MB. Without the limit it is 32, and 128 from Node 24 on, which also counts what it is about to give back. */
const youngMax = nodeMajor < 24 ? 17 : 40

test('young objects get no more room than their limit', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', hoard])
  let told = ''
  child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()))
  await once(child, 'close')
  expect(Number(told)).toBeGreaterThan(8)
  expect(Number(told)).toBeLessThan(youngMax)
})
