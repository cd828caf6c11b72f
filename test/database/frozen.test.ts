import mysql from 'mysql2/promise'
import { expect, test } from 'vitest'
import { startNetwork } from '../support/network.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'

/*
 * A database that neither answers nor hangs up. What is asked for the first time has to be prepared first, and
 * nothing of the server or the driver limits how long that takes.
 */

const throwaway = useThrowaway()

/** A service with two connections over a network that is frozen after the first of them was used. */
async function startFrozen() {
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  const network = await startNetwork(database.readUrl)
  const service = await startService(
    { ...database, readUrl: network.url },
    { env: { DATABASE_QUERY_TIMEOUT_MS: '2000', DATABASE_POOL_SIZE: '2' } },
  )
  const client = createClient(service)
  expect((await client.get('registrations')).status).toBe(200)
  network.set({ do: 'swallow' })
  return { service, client, network }
}

test('a network that swallows everything is a 503 for each request, and the service comes back with it', async () => {
  const { service, client, network } = await startFrozen()
  // The first was prepared before; the second was not, and the third finds no connection left.
  const answers = await Promise.all([
    client.get('registrations'),
    client.get('invoices'),
    client.get('invoices', { status: 'PAID' }),
  ])
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    Array(3).fill([503, 'database_unavailable']),
  )
  await expect.poll(async () => (await service.ops.inject('/readyz')).statusCode).toBe(503)
  network.set({ do: 'pass' })
  expect((await client.get('registrations')).status).toBe(200)
  expect((await client.get('invoices')).status).toBe(200)
  await expect
    .poll(async () => (await service.ops.inject('/metrics')).body)
    .toContain('vitrine_database_active 0')
})

test('a table that is being altered is a 503 for those who want it, and for no other request', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  const service = await startService(database, {
    env: { DATABASE_QUERY_TIMEOUT_MS: '1000', DATABASE_POOL_SIZE: '2' },
  })
  const client = createClient(service)
  expect((await client.get('invoices')).status).toBe(200)
  const lock = await mysql.createConnection({ uri: database.adminUrl })
  await lock.query('LOCK TABLES event_registrations WRITE')
  expect((await client.get('registrations')).body.code).toBe('database_unavailable')
  expect((await client.get('invoices')).status).toBe(200)
  await lock.query('UNLOCK TABLES')
  await lock.end()
  expect((await client.get('registrations')).status).toBe(200)
})
