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

test('with an address of its own every guarantee holds, and what names that address is a warning', async () => {
  const env = { PUBLIC_URL: 'https://api.example.com/shop' }
  const url = await listen(await throwaway.createProduct('plain', { registrations: 100 }), env)
  const report = await run(url, { keys: { key: keys.both, otherKey: keys.other } })
  expect(listOf(report, 'broken')).toEqual([])
  expect(findingsOf(report).map(({ name, severity }) => [name, severity])).toEqual([
    ['next-link', 'warning'],
    ['openapi', 'warning'],
  ])
})

test('the report says how many records were examined, and whether all', async () => {
  const url = await listen(await throwaway.createProduct('plain', { registrations: 400 }))
  const { examined } = await run(url, { maxRequests: 20 })
  const whole = await run(url)
  const [few, all] = [examined[0]!, whole.examined[0]!]
  expect([few.collection, few.isComplete, all.isComplete]).toEqual(['registrations', false, true])
  expect(few.records).toBe(100)
  expect(all.records).toBeGreaterThan(few.records)
})

test('a key with one scope shows the guarantees of scopes, and those of one collection', async () => {
  const url = await listen(await throwaway.createProduct('plain', { registrations: 300 }))
  const report = await run(url, { keys: { key: keys.registrations } })
  expect(findingsOf(report)).toEqual([])
  expect(report.collections).toEqual(['registrations'])
  expect([...listOf(report, 'skipped')].sort()).toEqual([
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
  for (const { outcome, reasons } of report.guarantees)
    if (outcome === 'skipped') expect(reasons).not.toEqual([])
  for (const [guarantee, reason] of [
    ['cursor-altered', 'fewer than two records, so that there is no cursor'],
    ['isolation-records', 'one of the workspaces has no record'],
  ] as const) {
    const reasons = report.guarantees.find(({ name }) => name === guarantee)?.reasons
    expect(reasons).toEqual(['registrations', 'invoices'].map((name) => `${name}: ${reason}`))
  }
})

test('a run sends no more requests than it may, and skips the rest', async () => {
  const url = await listen(await throwaway.createProduct('plain', { registrations: 300 }))
  const report = await run(url, { keys: { key: keys.both, otherKey: keys.other }, maxRequests: 30 })
  expect(findingsOf(report)).toEqual([])
  expect(report.requests).toBe(30)
  expect(listOf(report, 'held')).toEqual(expect.arrayContaining(['lists', 'order', 'fields', 'openapi']))
  const cut = report.guarantees.filter(({ reasons }) => reasons.includes('--max-requests 30 are used up'))
  expect(cut.length).toBeGreaterThan(15)
})

test('two keys of one workspace are found, because nothing would be isolated', async () => {
  const url = await listen(await throwaway.createProduct('plain', { registrations: 300 }))
  const report = await run(url, { keys: { key: keys.both, otherKey: keys.registrations } })
  expect(listOf(report, 'broken')).toEqual(['isolation-lists', 'isolation-records', 'cursor-workspace'])
})
