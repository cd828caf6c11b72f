import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { spawn } from 'node:child_process'
import mysql from 'mysql2/promise'
import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { base } from '../support/client.js'
import { expectDown } from '../support/down.js'
import { useProduct, useThrowaway } from '../support/service.js'
import { spawnVitrine, startServing } from '../support/vitrine.js'

const database = useProduct('plain', { registrations: 100 })

const throwaway = useThrowaway()
const headers = { authorization: `Bearer ${keys.both}` }
const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

test('SIGTERM tells the load balancer first: requests are answered while /readyz is red, a second signal ends it', async () => {
  const serving = await startServing(database, { SHUTDOWN_DELAY_SECONDS: '3600' })
  expect(await statusOf(`${serving.ops}/readyz`)).toBe(200)
  const before = await fetch(`${serving.api}${base}/invoices?limit=1`, { headers })
  expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive'])
  serving.child.kill('SIGTERM')
  await expect.poll(() => statusOf(`${serving.ops}/readyz`)).toBe(503)
  expect(await (await fetch(`${serving.ops}/readyz`)).text()).toContain('the service is about to end')
  const answer = await fetch(`${serving.api}${base}/registrations?limit=1`, { headers })
  // Who keeps a connection is asked to come by another, which the load balancer gives to another process.
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect(await statusOf(`${serving.ops}/livez`)).toBe(200)
  expect(await statusOf(`${serving.ops}/metrics`)).toBe(200)
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(1)
})

test('connections that have sent nothing do not hold up the end', async () => {
  const serving = await startServing(database, { SHUTDOWN_GRACE_SECONDS: '5' })
  const silent = [serving.api, serving.ops].map((origin) =>
    connect(Number(new URL(origin).port), '127.0.0.1'),
  )
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
  expect(serving.stdout()).toContain('"msg":"closing"')
  for (const socket of silent) socket.destroy()
})

test('after the delay it listens no more and finishes what is in flight, the ops listener open to the end', async () => {
  const serving = await startServing(database, {
    SHUTDOWN_DELAY_SECONDS: '1',
    SHUTDOWN_GRACE_SECONDS: '600',
    DATABASE_QUERY_TIMEOUT_MS: '600000',
  })
  const admin = await mysql.createConnection({ uri: database.adminUrl })
  await admin.query('LOCK TABLES event_registrations WRITE')
  const answer = fetch(`${serving.api}${base}/registrations`, { headers })
  const isActive = async (): Promise<boolean> =>
    (await (await fetch(`${serving.ops}/metrics`)).text()).includes('\nvitrine_database_active 1\n')
  await expect.poll(isActive, { timeout: 60_000 }).toBe(true)
  serving.child.kill('SIGTERM')
  await expectDown(serving.api)
  expect([await statusOf(`${serving.ops}/readyz`), await statusOf(`${serving.ops}/livez`)]).toEqual([
    503, 200,
  ])
  await admin.query('UNLOCK TABLES')
  expect((await answer).status).toBe(200)
  expect(await serving.ended).toBe(0)
  await admin.end()
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it at once while no database answers', async (signal) => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const env = { DATABASE_URL: `mysql://user:x@127.0.0.1:${port}/none`, PORT: '0', OPS_PORT: '0' }
  const { child, stdout, ended } = spawnVitrine(['serve'], env)
  await once(silent, 'connection')
  child.kill(signal)
  expect(await ended).toBe(0)
  expect(stdout()).toContain('"msg":"closing"')
  silent.close()
})

test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('a %s to npm ends the service', async (signal) => {
  const { readUrl, mappingFile } = await throwaway.createProduct('plain', { registrations: 10 })
  const own = { DATABASE_URL: readUrl, MAPPING_FILE: mappingFile, PORT: '0', OPS_PORT: '0' }
  const npm = spawn('npm', ['start'], {
    env: { ...process.env, ...own, SHUTDOWN_DELAY_SECONDS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  // The whole group, where the test fails.
  const forget = throwaway.undo({ do: 'command', file: 'kill', args: ['-KILL', '--', `-${npm.pid}`] })
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  // The service has the same output, so that this is the end of both.
  const closed = once(npm, 'close')
  await expect.poll(() => output).toContain('"msg":"ready"')
  npm.kill(signal)
  await closed
  forget()
  expect(output).toContain('"msg":"closing"')
  expect(output).not.toContain('second SIGTERM')
})
