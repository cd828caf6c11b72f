import { readFileSync } from 'node:fs'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startNetwork } from '../support/network.js'
import type { Network } from '../support/network.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/* What a server, a cluster or a proxy before them says of a statement that would be answered at another time. */

const throwaway = useThrowaway()
let network: Network
let service: TestService
let client: Client
beforeAll(async () => {
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  network = await startNetwork(database.readUrl)
  service = await startService({ ...database, readUrl: network.url })
  client = createClient(service)
})
afterEach(() => {
  network.set({ do: 'pass' })
})

const passing = parse(readFileSync('test/database/passing-errors.yaml', 'utf8')) as Record<string, string>

test.each(Object.entries(passing))('%s, %s, is a 503, and the next request is answered', async (number) => {
  expect((await client.get('registrations')).status).toBe(200)
  network.set({ do: 'fail', error: { number: Number(number), sqlState: 'HY000' } })
  const { status, body, headers } = await client.get('registrations')
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'database_unavailable', '1'])
  await expect.poll(async () => (await service.ops.inject('/readyz')).statusCode).toBe(503)
  network.set({ do: 'pass' })
  expect((await client.get('registrations')).status).toBe(200)
})

test('an error of the statement itself stays a 500', async () => {
  network.set({ do: 'fail', error: { number: 1064, sqlState: '42000' } })
  expect((await client.get('registrations')).status).toBe(500)
  network.set({ do: 'pass' })
  expect((await client.get('registrations')).status).toBe(200)
})

test.each([
  [1047, 200],
  [1053, 200],
  [2013, 200],
  // The statement itself would wait, or be killed, again.
  [1205, 503],
  [1317, 503],
])('after %d, only a statement whose server was lost runs again: %d', async (number, status) => {
  expect((await client.get('registrations')).status).toBe(200)
  network.set({ do: 'fail', error: { number, sqlState: 'HY000' }, isOnce: true })
  expect((await client.get('registrations')).status).toBe(status)
})
