import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

test('nextUpdatedSince is when the crawl began by the database, less the overlap, cut to the millisecond', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  for (const overlap of [0, 120]) {
    const service = await startService(database, { env: { SYNC_OVERLAP_SECONDS: String(overlap) } })
    for (const key of [keys.both, keys.empty]) {
      const before = Date.now()
      const { body } = await createClient(service, key).get('registrations')
      const after = Date.now()
      const began = Date.parse(body.meta.nextUpdatedSince) + overlap * 1000
      // Without a row, from the clock of a later statement, less the time since the first one began.
      const earlier = body.data.length === 0 ? after - before : 0
      expect(began).toBeGreaterThanOrEqual(before - earlier - 1)
      expect(began).toBeLessThanOrEqual(after)
      expect(body.meta.nextUpdatedSince).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  }
})
