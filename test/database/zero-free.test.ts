import { beforeAll, expect, test } from 'vitest'
import { readSchema } from '../../src/database/schema.js'
import { listMappedTables } from '../../src/mapping/mapped-columns.js'
import { readMapping } from '../../src/mapping/read-mapping.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { planPage } from '../../src/collections/page.js'
import { markZeroFree } from '../../src/service/zero-free.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { afterFile } from '../support/after-file.js'
import { createClient } from '../support/client.js'
import { openMeasuredConnection } from '../support/measured-connection.js'
import type { MeasuredConnection } from '../support/measured-connection.js'
import { plainYaml } from '../support/plain-mapping.js'
import { startService, useThrowaway } from '../support/service.js'

/* A zero date counts as NULL. Only a table that holds one pays for it. */

const throwaway = useThrowaway()
let product: ProductDatabase
let connection: MeasuredConnection

beforeAll(async () => {
  product = await throwaway.createProduct('plain', { registrations: 20 })
  await runStatements(product.adminUrl, [
    'ALTER TABLE event_registrations ADD KEY ix_zero (workspace_id, archived_at, updated_at, id), DROP KEY ix_reg_sync',
  ])
  connection = await openMeasuredConnection(product.adminUrl)
  afterFile(() => connection.end())
})

const query = {
  limit: 25,
  filters: { updatedSince: undefined, eventId: undefined, status: undefined },
  crawl: undefined,
}

async function renderPage(): Promise<string> {
  const mapping = readMapping(plainYaml)
  const schema = await readSchema(connection.runQuery, listMappedTables(mapping))
  const { registrations } = resolveMapping(mapping, await markZeroFree(mapping, schema, connection.runQuery))
  return planPage(registrations!.table, 'W1', query).statement.sql
}

const setArchived = (value: string): Promise<void> =>
  runStatements(product.adminUrl, [
    "SET SESSION sql_mode = ''",
    `UPDATE event_registrations SET archived_at = ${value} WHERE workspace_id = '${product.product.workspaceId(0)}' ORDER BY id DESC LIMIT 1`,
  ])

test('a page is one range of one index, unless the table holds a zero date', async () => {
  await setArchived('NULL')
  expect(await renderPage()).not.toMatch(/union|0000-00-00/)
  await setArchived("'0000-00-00 00:00:00'")
  expect(await renderPage()).toMatch(/union all/)
})

test('a service shows a row with the first zero date after the next comparison with the schema', async () => {
  await setArchived('NULL')
  const service = await startService(product, { env: { SCHEMA_CHECK_SECONDS: '1' } })
  const client = createClient(service)
  const count = async (): Promise<number> =>
    (await client.get('registrations', { limit: 100 })).body.data.length
  const all = await count()
  await setArchived("'2026-01-01 00:00:00'")
  expect(await count()).toBe(all - 1)
  await setArchived("'0000-00-00 00:00:00'")
  await expect.poll(count, { timeout: 30_000 }).toBe(all)
})
