import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import type { Client, Page } from '../../src/client/index.js'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { collections, listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

describe.each(['plain', 'awkward'] as const)('the client before the %s product', (name) => {
  let database: ProductDatabase
  let url: string
  let client: Client
  beforeAll(async () => {
    database = await throwaway.createProduct(name)
    url = await (await startService(database)).app.listen({ port: 0, host: '127.0.0.1' })
    client = createClient({ url, key: keys.both })
  })

  describe.each(collections)('%s', (collection) => {
    const views = () => listExpected(database, collection).map(({ view }) => view)

    test('a list shows every record', async () => {
      const seen: unknown[] = []
      for await (const record of client[collection].list({ pageSize: 7 })) seen.push(record)
      expect(seen).toEqual(views())
    })

    test('a filtered list goes on over several pages', async () => {
      const eventId = database.product.eventId(2)
      const seen: unknown[] = []
      for await (const { data } of client[collection].pages({ eventId, pageSize: 2 })) seen.push(...data)
      const expected = listExpected(database, collection).filter(({ truth }) => truth.event === 2)
      expect(expected.length).toBeGreaterThan(5)
      expect(seen).toEqual(expected.map(({ view }) => view))
    })

    test('one record, and none', async () => {
      const [first] = views()
      expect(await client[collection].get(String(first!['id']))).toEqual(first)
      await expect(client[collection].get('none')).rejects.toMatchObject({ code: 'not_found', status: 404 })
    })

    test('every page of a crawl names the same instant, and the sync returns it', async () => {
      const instants: string[] = []
      const seen: unknown[] = []
      const returned = await client.sync(collection, {
        since: '2000-01-01T00:00:00+03:00',
        pageSize: 10,
        onPage: ({ data, nextUpdatedSince }) => {
          instants.push(nextUpdatedSince)
          seen.push(...data)
        },
      })
      expect(seen).toEqual(views())
      expect(instants.length).toBeGreaterThan(5)
      expect(new Set(instants)).toEqual(new Set([returned.since]))
    })

    test('a sync goes on from a cursor, and one of other filters is refused', async () => {
      const { cursor, data } = await readFirst(client[collection].pages({ pageSize: 20 }))
      const seen: unknown[] = []
      await client.sync(collection, { cursor, onPage: ({ data }) => seen.push(...data) })
      expect(seen).toEqual(views().slice(data.length))
      const other = client.sync(collection, { cursor, eventId: 'x', onPage: () => undefined })
      await expect(other).rejects.toMatchObject({ code: 'cursor_mismatch', parameter: 'eventId' })
    })
  })

  test('a cursor of another workspace makes a sync begin again in its own', async () => {
    const { cursor } = await readFirst(client.invoices.pages({ pageSize: 1 }))
    const seen: unknown[] = []
    const other = createClient({ url, key: keys.other })
    await other.sync('invoices', { cursor, onPage: ({ data }) => seen.push(...data) })
    expect(seen).toEqual(listExpected(database, 'invoices', 1).map(({ view }) => view))
  })

  test('a refused key is a VitrineError that does not hold it', async () => {
    const refused = createClient({ url, key: keys.revoked }).invoices.get('x')
    const error = await refused.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'VitrineError', code: 'invalid_key', status: 401 })
    expect(error).toHaveProperty('requestId', expect.stringMatching(/^[0-9a-f-]{36}$/))
    expect(JSON.stringify(error) + String(error)).not.toContain(keys.revoked)
  })
})

test('the error of a rate limit says how long to wait', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  const service = await startService(database, { env: { RATE_LIMIT_PER_MINUTE: '1' } })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const impatient = createClient({ url, key: keys.both, retryAfterMaxMs: 0 })
  await readFirst(impatient.invoices.pages())
  const second = await readFirst(impatient.invoices.pages()).catch((error: unknown) => error)
  expect(second).toMatchObject({ code: 'rate_limited', status: 429 })
  expect(second).toHaveProperty('retryAfterMs', expect.any(Number))
})

async function readFirst(pages: AsyncIterable<Page<unknown>>): Promise<Page<unknown>> {
  for await (const page of pages) return page
  throw new Error('There is no page')
}
