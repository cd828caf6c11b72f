import { describe, expect, test } from 'vitest'
import { keys, productNames } from '../product/index.js'
import { createClient } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import { useServedProduct } from '../support/served-product.js'
import { useThrowaway } from '../support/service.js'

/* What a list shows, for a reader; test/model proves it for every mapping. */

const throwaway = useThrowaway()

describe.each(productNames)('the %s product', (name) => {
  const served = useServedProduct(throwaway, name)

  test.each(collections)('%s: a crawl shows every record once, exactly and in order', async (of) => {
    const expected = listExpected(served.database, of).map(({ view }) => view)
    expect(expected.length).toBeGreaterThan(50)
    const shown = await served.client.crawl(of, { limit: 40 })
    expect(shown).toEqual(expected)
    expect(Object.keys(shown[0]!)).toEqual(Object.keys(expected[0]!))
  })
})

describe.each(collections)('%s', (collection) => {
  const served = useServedProduct(throwaway, 'plain')

  test('a key sees its own workspace only', async () => {
    const expected = listExpected(served.database, collection, 1).map(({ view }) => view)
    expect(expected.length).toBeGreaterThan(10)
    expect(await served.other.crawl(collection)).toEqual(expected)
  })

  test("another workspace's record is answered as one that never was", async () => {
    const id = String(listExpected(served.database, collection, 1)[0]!.view['id'])
    const [theirs, none] = [
      await served.client.get(`${collection}/${id}`, {}, { 'x-request-id': 'same' }),
      await served.client.get(`${collection}/none`, {}, { 'x-request-id': 'same' }),
    ]
    expect([theirs.status, theirs.body]).toEqual([404, none.body])
    expect((await served.other.get(`${collection}/${id}`)).status).toBe(200)
  })

  test('all filters together show the records that match each of them', async () => {
    const all = listExpected(served.database, collection)
    const { event, view } = all.find((one) => one.event === 1)!
    const status = String(view['status'])
    const updatedSince = String(all[Math.floor(all.length / 3)]!.view['updatedAt'])
    const expected = all.filter(
      (one) =>
        one.event === event && one.view['status'] === status && String(one.view['updatedAt']) >= updatedSince,
    )
    expect(expected.length).toBeGreaterThan(1)
    const filters = { eventId: served.database.product.eventId(1), status, updatedSince }
    expect(await served.client.crawl(collection, { ...filters, limit: 2 })).toEqual(
      expected.map((one) => one.view),
    )
  })

  test.each(['2999-01-01', '9999-12-31T23:59:59.999999Z'])(
    'nothing changed since %s, and that is no error',
    async (updatedSince) => {
      const { status, body } = await served.client.get(collection, { updatedSince })
      expect(status).toBe(200)
      expect(body).toMatchObject({ data: [], meta: { cursor: null } })
      expect(body.meta.nextUpdatedSince).toMatch(/^\d{4}-.*Z$/)
    },
  )

  test('a workspace without records gets an empty page', async () => {
    const { status, body } = await createClient(served.service, keys.empty).get(collection)
    expect([status, body.data, body.meta.cursor]).toEqual([200, [], null])
  })
})
