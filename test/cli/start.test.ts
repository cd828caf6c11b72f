import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { withAccount } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 40 })
})

interface Start {
  readonly child: ChildProcess
  readonly output: () => string
  /** Status and signal. */
  readonly ended: Promise<unknown>
}

/** `vitrine serve`. */
function start(url: string): Start {
  const child = spawn(process.execPath, ['dist/cli.js', 'serve'], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url, PORT: '0', OPS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) throwaway.undo({ do: 'kill', pid: child.pid })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, output: () => output, ended: once(child, 'close') }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it at once with 0 while the database does not answer',
  async (signal) => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { child, output, ended } = start(
      `mysql://user:x@127.0.0.1:${String((silent.address() as AddressInfo).port)}/none`,
    )
    await once(silent, 'connection')
    child.kill(signal)
    expect(await ended).toEqual([0, null])
    expect(output()).toContain('"msg":"closing"')
    silent.close()
  },
)

test('a database that cannot be reached ends it with 1', async () => {
  const { output, ended } = start('mysql://user:x@127.0.0.1:1/none')
  expect(await ended).toEqual([1, null])
  expect(JSON.parse(output())).toMatchObject({
    level: 60,
    reason: 'connect ECONNREFUSED 127.0.0.1:1',
    msg: 'the start failed',
  })
})

test('an account that is rejected ends it with 1, and no password is printed', async () => {
  const { output, ended } = start(withAccount(database.readUrl, { password: 'not-it' }))
  expect(await ended).toEqual([1, null])
  expect(JSON.parse(output())).toEqual({
    level: 60,
    time: expect.any(Number) as unknown,
    reason: expect.stringMatching(/^Access denied/) as unknown,
    msg: 'the start failed',
  })
  expect(output()).not.toContain('not-it')
})
