import { describe, expect, test } from 'vitest'
import { productNames } from '../product/index.js'
import { createClient } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'

/* What a list of each product shows, for a reader; test/model proves it for every mapping. */

const throwaway = useThrowaway()

describe.each(productNames)('the %s product', (name) => {
  test('has the records that its expected rows name, once, exactly and in order', async () => {
    const database = await throwaway.createProduct(name)
    const client = createClient(await startService(database))
    for (const collection of collections) {
      const expected = listExpected(database, collection).map(({ view }) => view)
      expect(expected.length).toBeGreaterThan(50)
      const shown = await client.crawl(collection, { limit: 40 })
      expect(shown).toEqual(expected)
      expect(Object.keys(shown[0]!)).toEqual(Object.keys(expected[0]!))
    }
  })
})
