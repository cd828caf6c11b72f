import { beforeAll, describe, expect, test } from 'vitest'
import { runStatements } from '../product/server.js'
import type { ProductDatabase, View } from '../product/index.js'
import { keys } from '../product/index.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import type { CollectionName } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/*
 * The product's team changes tables that lookups, conditions and integer times are mapped to, while Vitrine serves.
 * Whatever the change, an answer is right or a 503, and the service recovers by itself once the schema fits again.
 */

const throwaway = useThrowaway()

interface Served {
  readonly database: ProductDatabase
  readonly service: TestService
  readonly client: Client
  readonly other: Client
  readonly run: (...statements: readonly string[]) => Promise<void>
}

/** A service that compares the schema only when a request finds something. */
async function start(): Promise<Served> {
  const database = await throwaway.createProduct('ticketing', { registrations: 250 })
  const service = await startService(database, { env: { SCHEMA_CHECK_SECONDS: '3600' } })
  return {
    database,
    service,
    client: createClient(service),
    other: createClient(service, keys.other),
    run: (...statements) => runStatements(database.adminUrl, ["SET SESSION sql_mode = ''", ...statements]),
  }
}

/** What is changed and undone, and whether each collection can still be served. */
interface Change {
  readonly what: string
  readonly change: string
  readonly undo: string
  readonly stopped: readonly CollectionName[]
}

const rename = (table: string, from: string, to: string): Pick<Change, 'change' | 'undo'> => ({
  change: `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}`,
  undo: `ALTER TABLE ${table} RENAME COLUMN ${to} TO ${from}`,
})

const changes: readonly Change[] = [
  {
    what: 'a status table that is renamed',
    change: 'RENAME TABLE order_statuses TO old',
    undo: 'RENAME TABLE old TO order_statuses',
    stopped: ['invoices'],
  },
  {
    what: 'a column of the second lookup that is renamed',
    ...rename('currencies', 'code', 'iso'),
    stopped: ['invoices'],
  },
  {
    what: 'the workspace of the parent that is renamed',
    ...rename('events', 'account_id', 'tenant'),
    stopped: ['registrations', 'invoices'],
  },
  {
    what: 'a flag of a case that is renamed',
    ...rename('attendees', 'is_refunded', 'refunded'),
    stopped: ['registrations'],
  },
  {
    // Until the next comparison, the same digits are still read.
    what: 'a part of a sum that becomes text',
    change: 'ALTER TABLE orders MODIFY taxamt VARCHAR(40) NOT NULL',
    undo: 'ALTER TABLE orders MODIFY taxamt DECIMAL(8,2) NOT NULL',
    stopped: [],
  },
  {
    what: 'a column of a condition that is renamed',
    ...rename('orders', 'is_invoiced', 'invoiced'),
    stopped: ['invoices'],
  },
]

describe('a product with lookups', () => {
  let served: Served
  beforeAll(async () => {
    served = await start()
  })

  test.each(changes)('is served truthfully or not at all after $what', async (one) => {
    const { client, database, service, run } = served
    const viewsOf = (collection: CollectionName): readonly View[] =>
      listExpected(database, collection).map(({ view }) => view)
    await run(one.change)
    for (const collection of collections) {
      for (const limit of [40, 10]) {
        const { status, body } = await client.get(collection, { limit })
        expect([collection, status]).toEqual([collection, one.stopped.includes(collection) ? 503 : 200])
        // Rows that cannot be shown leave a page shorter.
        if (status === 200) expect(body.data).toEqual(viewsOf(collection).slice(0, body.data.length))
      }
    }
    const readiness = async (): Promise<number> => (await service.ops.inject('/readyz')).statusCode
    // Until the comparison that the failed lists began has ended: it would stop the collections after the next statement.
    if (one.stopped.length > 0) await expect.poll(readiness).toBe(503)
    await run(one.undo)
    const crawl = async (collection: CollectionName): Promise<unknown> =>
      client.crawl(collection, { limit: 100 }).catch((error: unknown) => error)
    for (const collection of collections)
      await expect.poll(() => crawl(collection)).toEqual(viewsOf(collection))
    await expect.poll(readiness).toBe(200)
  })
})

test('a lookup whose key is no longer unique never shows a record twice', async () => {
  const { database, client, run } = await start()
  const views = listExpected(database, 'invoices').map(({ view }) => view)
  await run('ALTER TABLE order_statuses MODIFY id INT UNSIGNED NOT NULL, DROP PRIMARY KEY')
  const { status, body } = await client.get('invoices', { limit: 5 })
  if (status === 200) expect(body.data).toEqual(views.slice(0, 5))
  else expect(status).toBe(503)
  await run("INSERT INTO order_statuses (id, name) SELECT id, 'Twice' FROM order_statuses")
  for (const [path, query] of [
    ['invoices', { limit: 5 }],
    [`invoices/${String(views[0]!['id'])}`, {}],
  ] as const)
    expect([path, (await client.get(path, query)).status]).toEqual([path, 503])
})

describe('a workspace that is found by a lookup', () => {
  test('is that of the parent at the time of the request', async () => {
    const { database, client, other, run } = await start()
    const { product } = database
    const views = listExpected(database, 'registrations')
    const moved = views.filter(({ event }) => event === 1).map(({ view }) => view['id'])
    expect(moved.length).toBeGreaterThan(5)
    const page = await client.get('registrations', { limit: 5 })
    await run(`UPDATE events SET account_id = ${product.workspaceId(1)} WHERE id = ${product.eventId(1)}`)
    const idsOf = async (caller: Client, query = {}): Promise<readonly unknown[]> =>
      (await caller.crawl('registrations', { limit: 40, ...query })).map(({ id }) => id)
    expect(await idsOf(client)).toEqual(
      views.filter(({ event }) => event !== 1).map(({ view }) => view['id']),
    )
    expect(await idsOf(other, { eventId: product.eventId(1) })).toEqual(moved)
    expect((await client.get(`registrations/${String(moved[0])}`)).status).toBe(404)
    expect((await other.get(`registrations/${String(moved[0])}`)).status).toBe(200)
    const next = await client.get('registrations', { cursor: page.body.meta.cursor!, limit: 100 })
    expect(next.body.data.filter(({ id }) => moved.includes(id))).toEqual([])
  })
})
