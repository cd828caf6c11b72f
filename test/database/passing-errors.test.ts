import { afterEach, beforeAll, expect, test } from 'vitest'
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

test.each([
  [1021, 'the disk is full'],
  [1038, 'no memory for a sort'],
  [1041, 'out of memory'],
  [1047, 'a Galera node that left its cluster'],
  [1053, 'the server shuts down'],
  [1205, 'a lock wait'],
  [1206, 'no room for locks'],
  [1213, 'a deadlock'],
  [1317, 'the statement was killed'],
  [1412, 'the table was altered meanwhile'],
  [1461, 'too many prepared statements'],
  [1615, 'the statement must be prepared again'],
  [2006, 'a proxy lost its server'],
  [2013, 'a proxy lost its server in the midst of it'],
  [3032, 'the server is in offline mode'],
  [9001, 'no server behind a ProxySQL'],
  [9002, 'a TiKV that does not answer'],
  [9005, 'a TiKV region that is moving'],
])('%d, %s, is a 503, and the next request is answered', async (number) => {
  expect((await client.get('registrations')).status).toBe(200)
  network.set({ do: 'fail', error: { number, sqlState: 'HY000' } })
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
])(
  'after %d, a statement whose server was lost runs once more, and no other one: %d',
  async (number, status) => {
    expect((await client.get('registrations')).status).toBe(200)
    network.set({ do: 'fail', error: { number, sqlState: 'HY000' }, isOnce: true })
    expect((await client.get('registrations')).status).toBe(status)
  },
)
