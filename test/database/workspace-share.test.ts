import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const throwaway = useThrowaway()
const pollOptions = { timeout: 60_000 }

/** Statements that read a row of the first workspace wait as long as somebody holds the lock. */
async function startSlowService(product: ProductDatabase): Promise<{ service: TestService; lock: string }> {
  const lock = new URL(product.adminUrl).pathname.slice(1)
  // The name depends on the row, so that the lock is not taken before the rows are read.
  const name = `CONCAT('${lock}', LEFT(workspace_id, 0))`
  await runStatements(product.adminUrl, [
    `CREATE VIEW slow AS SELECT * FROM event_registrations
     WHERE workspace_id <> '${product.product.workspaceId(0)}'
     OR GET_LOCK(${name}, 60) + RELEASE_LOCK(${name}) > 0`,
  ])
  const service = await startService(
    { ...product, readUrl: product.adminUrl },
    {
      change: (mapping) => ({ ...mapping, registrations: { ...mapping.registrations, table: 'slow' } }),
      env: { DATABASE_QUERY_TIMEOUT_MS: '60000' },
    },
  )
  return { service, lock }
}

async function readMetric(service: TestService, name: string): Promise<number> {
  const { body } = await service.ops.inject('/metrics')
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1])
}

test('slow lists of one workspace leave sessions for the lists and records of another', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 100 })
  const { service, lock } = await startSlowService(product)
  const [client, other] = [createClient(service), createClient(service, keys.other)]
  const [record] = (await other.get('registrations')).body.data
  const admin = await mysql.createConnection({ uri: product.adminUrl })
  const [[locked]] = await admin.query<RowDataPacket[]>('SELECT GET_LOCK(?, 0) AS held', [lock])
  expect(locked?.['held']).toBe(1)
  const stuck = Promise.all(
    Array.from({ length: 50 }, (_, at) => client.get('registrations', { limit: at + 1 })),
  )
  await expect.poll(() => readMetric(service, 'vitrine_database_active'), pollOptions).toBe(5)
  await expect.poll(() => readMetric(service, 'vitrine_database_waiting'), pollOptions).toBe(45)
  const lists = await Promise.all(
    Array.from({ length: 50 }, (_, at) => other.get('registrations', { limit: at + 1 })),
  )
  expect(new Set(lists.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await other.get(`registrations/${String(record?.['id'])}`)).status).toBe(200)
  expect(await readMetric(service, 'vitrine_database_active')).toBe(5)
  await admin.end()
  expect(new Set((await stuck).map(({ status }) => status))).toEqual(new Set([200]))
})
