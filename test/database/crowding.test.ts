import { get } from 'node:http'
import mysql from 'mysql2/promise'
import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { base, createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/*
 * Who may wait for the database, and for how long others must suffer for it.
 */

const throwaway = useThrowaway()
// No caller gives up while a test lasts, however slow the machine is.
const patient = { DATABASE_QUERY_TIMEOUT_MS: '60000' }

async function readMetric(service: TestService, name: string): Promise<number> {
  const { body } = await service.ops.inject('/metrics')
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1])
}

/** A service that has answered once, over a product whose registrations are then locked. */
async function startLocked(env: Readonly<Record<string, string>>) {
  const product = await throwaway.createProduct('plain', { registrations: 100 })
  const service = await startService(product, { env: { ...patient, ...env } })
  const client = createClient(service)
  expect((await client.get('invoices')).status).toBe(200)
  const admin = await mysql.createConnection({ uri: product.adminUrl })
  await admin.query('LOCK TABLES event_registrations WRITE')
  const unlock = async (): Promise<void> => {
    await admin.query('UNLOCK TABLES')
    await admin.end()
  }
  return { service, client, unlock }
}

test('a locked table leaves room for what lies in another one', async () => {
  const { service, client, unlock } = await startLocked({ DATABASE_POOL_SIZE: '5' })
  const stuck = Promise.all(
    Array.from({ length: 20 }, (_, at) => client.get('registrations', { limit: at + 1 })),
  )
  await expect.poll(() => readMetric(service, 'vitrine_database_waiting')).toBe(16)
  expect((await client.get('invoices')).status).toBe(200)
  await unlock()
  expect(new Set((await stuck).map(({ status }) => status))).toEqual(new Set([200]))
})

test('callers who repeat a request while it waits cost one statement', async () => {
  const { service, client, unlock } = await startLocked({ DATABASE_POOL_SIZE: '1' })
  const first = client.get('registrations', { limit: 1 })
  await expect.poll(() => readMetric(service, 'vitrine_database_active')).toBe(1)
  const repeated = Array.from({ length: 20 }, () => client.get('registrations', { limit: 2 }))
  const other = client.get('registrations', { limit: 3 })
  await expect.poll(() => readMetric(service, 'vitrine_database_waiting')).toBe(2)
  await unlock()
  const bodies = (await Promise.all([first, ...repeated, other])).map(({ body }) => body.data.length)
  expect(bodies).toEqual([1, ...repeated.map(() => 2), 3])
})

test('callers who have gone make room in the line', async () => {
  const limits = { DATABASE_POOL_SIZE: '1', DATABASE_QUEUE_LIMIT: '4' }
  const { service, client, unlock } = await startLocked(limits)
  const origin = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const first = client.get('registrations', { limit: 1 })
  const gone = Array.from({ length: 4 }, (_, at) => {
    const headers = { authorization: `Bearer ${keys.both}` }
    return get(`${origin}${base}/registrations?limit=${at + 2}`, { headers }).on('error', () => undefined)
  })
  const countWaiting = (): Promise<number> => readMetric(service, 'vitrine_database_waiting')
  await expect.poll(countWaiting).toBe(4)
  expect((await client.get('registrations', { limit: 99 })).status).toBe(503)
  for (const request of gone) request.destroy()
  const later: Promise<{ readonly status: number }>[] = []
  // Refused until the service has seen that the four are gone.
  const comeAgain = (): Promise<number> => {
    later.push(client.get('registrations', { limit: 100 }))
    return countWaiting()
  }
  await expect.poll(comeAgain).toBe(1)
  await unlock()
  expect([(await first).status, (await later.at(-1))?.status]).toEqual([200, 200])
})
