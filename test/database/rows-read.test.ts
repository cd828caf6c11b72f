import { subscribe, unsubscribe } from 'node:diagnostics_channel'
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
import { keys } from '../product/index.js'

/*
 * How many rows the storage engine hands over for a statement, by the server's own counters, and how many statements a request costs.
 * What pages read is in lookup-cost.test.ts.
 */

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

const channels = ['tracing:mysql2:execute:start', 'tracing:mysql2:query:start']

/** The statements that the service sends while a task runs, but those of health checks and new sessions, which read no table. */
async function listStatements(task: () => Promise<unknown>): Promise<readonly string[]> {
  const sent: string[] = []
  const note = (message: unknown): void => {
    const { query } = message as { readonly query: string }
    if (query.includes(' from ')) sent.push(query)
  }
  for (const channel of channels) subscribe(channel, note)
  try {
    await task()
  } finally {
    for (const channel of channels) unsubscribe(channel, note)
  }
  return sent
}

test.each([
  ['plain', 'missing-1'],
  ['awkward', '999999999'],
] as const)('an answer of the %s product is one statement', async (name, missing) => {
  const product = await throwaway.createProduct(name, { registrations: 200 })
  const service = await startService(product, { env: { SCHEMA_CHECK_SECONDS: '3600' } })
  const client = createClient(service, keys.both)
  const { body } = await client.get('registrations', { limit: 2 })
  const { id, updatedAt, status } = body.data[0]!
  const requests: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
    ['registrations', {}, 200],
    ['registrations', { limit: '2', updatedSince: String(updatedAt) }, 200],
    ['registrations', { limit: '2', status: String(status) }, 200],
    ['registrations', { cursor: body.meta.cursor! }, 200],
    [`registrations/${String(id)}`, {}, 200],
    ['registrations', { updatedSince: '2200-01-01' }, 200],
    [`registrations/${missing}`, {}, 404],
    // No row can have it.
    ['registrations/ä', {}, 404],
  ]
  for (const [path, query, expected] of requests) {
    let answered = 0
    const statements = await listStatements(async () => {
      answered = (await client.get(path, query)).status
    })
    expect({ path, query, answered, statements: statements.length }).toEqual({
      path,
      query,
      answered: expected,
      statements: 1,
    })
  }
})
