import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderRecords } from '../../src/collections/statements.js'
import { readSchema } from '../../src/database/schema.js'
import { renderProbe } from '../../src/database/schema-sql.js'
import { loadMapping } from '../../src/mapping/load-configuration.js'
import { listMappedColumns, listMappedTables } from '../../src/mapping/mapped-columns.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import { openMeasuredConnection } from '../support/measured-connection.js'
import type { MeasuredConnection } from '../support/measured-connection.js'
import { startService, useThrowaway } from '../support/service.js'

/* How many rows the storage engine hands over for a statement, by the server's own counters. What pages read is in lookup-cost.test.ts. */

const throwaway = useThrowaway()

describe.each(['plain', 'awkward'] as const)('the %s product', (name) => {
  let database: ProductDatabase
  let connection: MeasuredConnection
  beforeAll(async () => {
    database = await throwaway.createProduct(name, { registrations: 300 })
    connection = await openMeasuredConnection(database.adminUrl)
  })
  afterAll(() => connection.end())

  const resolve = async () => {
    const mapping = await loadMapping(database.mappingFile)
    return resolveMapping(mapping, await readSchema(connection.runQuery, listMappedTables(mapping)))
  }

  test('whether the columns can be read is found without a row of any table', async () => {
    const mapping = await loadMapping(database.mappingFile)
    const probe = renderProbe(listMappedColumns(mapping))
    const { entries, scanned, keys, rows } = await connection.measure((run) => run(probe))
    // The row of the statement itself, and for each table the end of an empty one.
    expect([entries + scanned, keys, rows.length]).toEqual([1 + listMappedTables(mapping).length, 0, 1])
  })

  test.each(collections)('one of the %s is one look-up', async (collection) => {
    const { table } = (await resolve())[collection]!
    const id = String(listExpected(database, collection)[40]!.view['id'])
    const statement = renderRecords(table, database.product.workspaceId(0), [id])
    const { entries, scanned, keys, rows } = await connection.measure((run) => run(statement))
    expect([rows.length, keys, entries + scanned]).toEqual([1, 1, 0])
  })

  test.each(collections)('a list of %s still answers when its index has vanished', async (collection) => {
    const own = await throwaway.createProduct(name, { registrations: 300 })
    const client = createClient(await startService(own))
    const before = await client.crawl(collection, { limit: 20 })
    const { name: table, indexes } = (await resolve())[collection]!.table
    const index = name === 'awkward' ? 'by_tenant' : indexes.find((one) => one.name.endsWith('_sync'))!.name
    await runStatements(own.adminUrl, [`ALTER TABLE \`${table}\` DROP KEY ${index}`])
    expect(await client.crawl(collection, { limit: 20 })).toEqual(before)
  })
})
