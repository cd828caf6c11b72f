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

test('an id that no record can have gets a 404 that says what ids are', async () => {
  const client = createClient(await startService(await throwaway.createProduct('awkward')))
  const explain = async (path: string): Promise<string> =>
    (await client.get(path)).body.detail.replace(/^.*workspace\.\s?/, '')
  expect(await explain('registrations/Jane')).toBe(
    'Ids are whole numbers here, and the path has another text.',
  )
  expect(await explain('registrations/undefined')).toBe('The id in the path is undefined.')
  expect(await explain('invoices/INV-7')).toBe(
    'Ids are UUIDs in lower case here, and the path has another text.',
  )
  for (const path of [
    'registrations/99999999999999999999',
    `invoices/${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`,
  ])
    expect(await explain(path)).toBe('')
})
