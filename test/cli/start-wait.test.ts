import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import { startNetwork } from '../faults/network.js'
import type { Network } from '../faults/network.js'
import { keys, withAccount } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { base } from '../support/client.js'
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

/** `vitrine serve` with these options. */
function start(url: string, ...options: readonly string[]): Start {
  const child = spawn(process.execPath, ['dist/cli.js', 'serve', ...options], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url, PORT: '0', OPS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) throwaway.undo({ do: 'kill', pid: child.pid })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, output: () => output, ended: once(child, 'close') }
}

const retrying = /"msg":"the database cannot be reached"/

/** The address of the database behind a network that refuses connections. */
async function openClosedNetwork(): Promise<{ network: Network; url: string }> {
  const address = new URL(database.readUrl)
  const network = await startNetwork(Number(address.port), address.hostname)
  await network.close()
  address.host = `127.0.0.1:${network.port}`
  return { network, url: address.href }
}

test('a database that comes up after the start is served', async () => {
  const { network, url } = await openClosedNetwork()
  const { child, output, ended } = start(url, '--wait', '3600')
  await expect.poll(output, { timeout: 60_000 }).toMatch(retrying)
  await network.open()
  await expect.poll(output, { timeout: 60_000 }).toMatch(/"msg":"ready"/)
  const origin = /"api":"([^"]+)"/.exec(output())![1]!
  const headers = { authorization: `Bearer ${keys.both}` }
  expect((await fetch(`${origin}${base}/invoices`, { headers })).status).toBe(200)
  const [line] = output().split('\n')
  expect(JSON.parse(line!)).toEqual({
    level: 40,
    time: expect.any(Number) as unknown,
    reason: `connect ECONNREFUSED 127.0.0.1:${network.port}`,
    msg: 'the database cannot be reached',
  })
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  await network.close()
})

test('SIGINT between two attempts ends it at once with 0', async () => {
  const { child, output, ended } = start('mysql://user:x@127.0.0.1:1/none', '--wait', '3600')
  await expect.poll(output, { timeout: 60_000 }).toMatch(retrying)
  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(output()).toContain('"msg":"closing before the start was complete"')
})

test('SIGTERM ends it at once while an attempt gets no answer', async () => {
  const { network, url } = await openClosedNetwork()
  const { child, output, ended } = start(url, '--wait', '3600')
  await expect.poll(output, { timeout: 60_000 }).toMatch(retrying)
  const arrived = network.open()
  network.set({ do: 'swallow' })
  await arrived
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  await network.close()
})

test('without a wait a database that cannot be reached ends it with 1 after one attempt', async () => {
  const { output, ended } = start('mysql://user:x@127.0.0.1:1/none', '--wait', '0')
  expect(await ended).toEqual([1, null])
  expect(JSON.parse(output())).toMatchObject({
    level: 60,
    reason: 'connect ECONNREFUSED 127.0.0.1:1',
    msg: 'the start failed',
  })
})

test('an account that is rejected ends it with 1 at once, and no password is printed', async () => {
  const { output, ended } = start(withAccount(database.readUrl, { password: 'not-it' }), '--wait', '3600')
  expect(await ended).toEqual([1, null])
  expect(JSON.parse(output())).toEqual({
    level: 60,
    time: expect.any(Number) as unknown,
    reason: expect.stringMatching(/^Access denied/) as unknown,
    msg: 'the start failed',
  })
  expect(output()).not.toContain('not-it')
})

test('a start without TLS names the host where another server could get the password', async () => {
  const { output, ended } = start('mysql://user:x@db.invalid:1/none', '--wait', '0')
  expect(await ended).toEqual([1, null])
  const [line] = output().split('\n')
  expect(JSON.parse(line!)).toMatchObject({
    level: 40,
    host: 'db.invalid',
    msg: expect.stringContaining('DATABASE_SERVER_PUBLIC_KEY') as unknown,
  })
})
