import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { useThrowaway } from '../support/service.js'
import { findingsOf, listen, listOf, run } from '../support/verifying.js'
import { openProductAtWork } from './product-at-work.js'

const throwaway = useThrowaway()

// One product has invoices only, the other one workspace only.
test.each(['accounting', 'membership'] as const)(
  'every guarantee that can be seen holds for the product %s',
  async (name) => {
    const database = await throwaway.createProduct(name)
    const { singleTenant, collections } = database.product
    const url = await listen(database)
    for (const otherKey of singleTenant ? [undefined] : [undefined, keys.other]) {
      const report = await run(url, { keys: { key: keys.both, ...(otherKey && { otherKey }) } })
      expect(findingsOf(report)).toEqual([])
      expect(report.collections).toEqual(collections)
      const needsOther =
        otherKey === undefined ? ['cursor-workspace', 'isolation-lists', 'isolation-records'] : []
      const needsBoth = collections.length === 1 ? ['cursor-collection', 'checked-in'] : []
      const skipped = ['scopes', ...needsOther, ...needsBoth]
      expect([...listOf(report, 'skipped')].sort()).toEqual(skipped.sort())
    }
  },
)

test.each(['registrations', 'invoices'] as const)(
  'verify calls nothing broken while %s are changed, archived, restored and added all the time',
  async (collection) => {
    const database = await throwaway.createProduct('plain', { registrations: 600 })
    const url = await listen(database)
    const product = await openProductAtWork(database, collection)
    const end = new AbortController()
    let changes = 0
    const work = (async () => {
      for (; !end.signal.aborted; changes += 1) await product.changeRows(1)
    })()
    try {
      for (let time = 0; time < 3; time += 1) {
        const report = await run(url, { keys: { key: keys.both, otherKey: keys.other } })
        expect(findingsOf(report)).toEqual([])
        expect(report.held).toBeGreaterThan(40)
      }
    } finally {
      end.abort()
      await work
      await product.close()
    }
    expect(changes).toBeGreaterThan(50)
  },
)
