import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { useThrowaway } from '../support/service.js'
import { findingsOf, listen, run } from '../support/verifying.js'

const throwaway = useThrowaway()

test.each(['registrations', 'invoices'] as const)(
  'verify calls nothing broken while %s are changed, archived and restored all the time',
  async (collection) => {
    const database = await throwaway.createProduct('plain', { registrations: 600 })
    const url = await listen(database)
    const table = { registrations: 'event_registrations', invoices: 'invoices' }[collection]
    const end = new AbortController()
    let changes = 0
    const work = (async () => {
      for (; !end.signal.aborted; changes += 1) await database.query(toChange(table, changes))
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
    }
    expect(changes).toBeGreaterThan(50)
  },
)

/** The next of the changes that a product makes: a record that is restored comes anew to callers. */
function toChange(table: string, at: number): string {
  const [archived, visible] = ['archived_at IS NOT NULL', 'archived_at IS NULL']
  const [set, rows] = (
    [
      ['archived_at = NULL', visible],
      ['archived_at = UTC_TIMESTAMP(3)', visible],
      ['archived_at = NULL', archived],
    ] as const
  )[at % 3]!
  return `UPDATE ${table} SET ${set}, updated_at = UTC_TIMESTAMP(3) WHERE ${rows} ORDER BY RAND() LIMIT 1`
}
