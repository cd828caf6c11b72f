import { expect, test } from 'vitest'
import { runStatements } from '../product/server.js'
import { plainYaml } from '../support/plain-mapping.js'
import { useAuditedProduct } from '../support/audited.js'

const { createProduct } = useAuditedProduct()

test('each page proves by the heartbeat in its own snapshot up to when it is complete, also an empty one', async () => {
  const database = await createProduct({
    schema: [
      new URL('../product/plain.sql', import.meta.url),
      {
        text: 'CREATE TABLE heartbeat (ts VARCHAR(26) NOT NULL, oldest VARCHAR(26) NULL, server_id INT UNSIGNED PRIMARY KEY)',
      },
    ],
    mapping: { text: `heartbeat: { table: heartbeat, column: ts }\n${plainYaml}` },
  })
  const beat = (time: string): Promise<void> =>
    runStatements(database.adminUrl, [
      `REPLACE INTO heartbeat VALUES (DATE_FORMAT(${time}, '%Y-%m-%dT%H:%i:%s.%f'), NULL, 2)`,
    ])
  await runStatements(database.adminUrl, [
    `INSERT INTO heartbeat VALUES ('2026-01-01T00:00:00.000000', NULL, 1)`,
    'INSERT INTO api_keys SELECT * FROM api_keys WHERE 1 = 0',
  ]).catch(() => undefined)
  await beat('UTC_TIMESTAMP(6)')
  const plan = await import('../../src/collections/page.js')
  const { readMapping } = await import('../../src/mapping/read-mapping.js')
  const { resolveMapping } = await import('../../src/mapping/resolve-mapping.js')
  const { readSchema } = await import('../../src/database/schema.js')
  const { listMappedTables } = await import('../../src/mapping/mapped-columns.js')
  const { createPageReader } = await import('../../src/collections/records.js')
  const { createDatabase } = await import('../../src/database/database.js')
  const { parseConfig } = await import('../../src/config.js')
  const config = parseConfig({ DATABASE_URL: database.adminUrl })
  const db = createDatabase({ ...config.database, tlsCa: undefined })
  const mapping = readMapping(`heartbeat: { table: heartbeat, column: ts, oldestOpen: oldest }\n${plainYaml}`)
  const collection = resolveMapping(
    mapping,
    await readSchema(db.runCheckQuery, listMappedTables(mapping)),
  ).registrations!
  const read = async () => {
    const { statement } = plan.planPage(collection.table, 'none', {
      limit: 25,
      filters: { updatedSince: undefined, eventId: undefined, status: undefined },
      crawl: undefined,
    })
    return db.runQuery({ ...statement, createReader: () => createPageReader(collection, 25) })
  }
  const fresh = await read()
  expect(fresh.count).toBe(0)
  expect(fresh.proof!.clock.seconds - fresh.proof!.heartbeat!.seconds).toBeLessThan(10)
  await beat('UTC_TIMESTAMP(6) - INTERVAL 300 SECOND')
  const late = await read()
  expect(late.proof!.clock.seconds - late.proof!.heartbeat!.seconds).toBeGreaterThanOrEqual(300)
  await db.close()
})
