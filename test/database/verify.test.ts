import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { useThrowaway } from '../support/service.js'
import { findingsOf, listOf, listen, run } from '../support/verifying.js'

/* Whatever the tables are, and while they change: what holds is not called broken. */

const throwaway = useThrowaway()
test.each(['plain', 'awkward'] as const)('every guarantee holds for the product %s', async (name) => {
  const url = await listen(await throwaway.createProduct(name))
  const all = {
    key: keys.both,
    otherKey: keys.other,
    scopedKey: keys.registrations,
    revokedKey: keys.revoked,
  }
  const report = await run(url, { keys: all })
  expect(findingsOf(report)).toEqual([])
  expect(listOf(report, 'skipped')).toEqual([])
  expect(report.guarantees.flatMap(({ reasons }) => reasons)).toEqual([
    'invoices: its records do not show eventId: no real value was verified',
  ])
})

test('with a key of one scope, the report says how many records of its collection were examined, and whether all', async () => {
  const url = await listen(await throwaway.createProduct('plain', { registrations: 400 }))
  const own = { keys: { key: keys.registrations } }
  const [part, whole] = [await run(url, { ...own, maxRequests: 20 }), await run(url, own)]
  const [[few], [all, ...others]] = [part.examined, whole.examined]
  expect([few?.collection, few?.isComplete, few?.records]).toEqual(['registrations', false, 100])
  expect([all?.isComplete, others, findingsOf(whole)]).toEqual([true, [], []])
  expect(all?.records).toBeGreaterThan(100)
  expect([...listOf(whole, 'skipped')].sort()).toEqual([
    'cursor-collection',
    'cursor-workspace',
    'isolation-lists',
    'isolation-records',
  ])
})

test('an empty workspace skips what needs records, and says so of each collection', async () => {
  const url = await listen(await throwaway.createProduct('plain', { registrations: 100 }))
  const report = await run(url, { keys: { key: keys.empty, otherKey: keys.other } })
  expect(findingsOf(report)).toEqual([])
  const skipped = listOf(report, 'skipped')
  expect(skipped).toEqual(expect.arrayContaining(['crawls-agree', 'cursor-filters', 'single-record']))
  for (const [guarantee, reason] of [
    ['cursor-altered', 'fewer than two records, so that there is no cursor'],
    ['isolation-records', 'one of the workspaces has no record'],
  ] as const) {
    const reasons = report.guarantees.find(({ name }) => name === guarantee)?.reasons
    expect(reasons).toEqual(['registrations', 'invoices'].map((name) => `${name}: ${reason}`))
  }
})
