import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import { listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

test('a cursor outlives the process that gave it', async () => {
  const database = await throwaway.createProduct('plain')
  const [before, after] = [await startService(database), await startService(database)].map((service) =>
    createClient(service),
  )
  const { cursor } = (await before!.get('invoices', { limit: 5 })).body.meta
  const expected = listExpected(database, 'invoices').map(({ view }) => view)
  expect((await after!.get('invoices', { cursor: cursor!, limit: 5 })).body.data).toEqual(
    expected.slice(5, 10),
  )
})

test('a record that changes while someone pages moves behind the reader, and is never missed', async () => {
  const database = await throwaway.createProduct('plain')
  const client = createClient(await startService(database))
  const all = listExpected(database, 'registrations').map(({ view }) => String(view['id']))
  const page = await client.get('registrations', { limit: 10 })
  const [seen, unseen] = [all[3]!, all[50]!]
  await runStatements(database.adminUrl, [
    `UPDATE event_registrations SET updated_at = '2027-01-01 00:00:00.000', attendee_name = 'Changed' WHERE id IN ('${seen}', '${unseen}')`,
  ])
  const rest: string[] = []
  let cursor = page.body.meta.cursor
  while (cursor !== null) {
    const { body } = await client.get('registrations', { cursor, limit: 10 })
    rest.push(...body.data.map((view) => String(view['id'])))
    cursor = body.meta.cursor
  }
  expect(rest.slice(-2).sort()).toEqual([seen, unseen].sort())
  expect(new Set([...page.body.data.map((view) => String(view['id'])), ...rest])).toEqual(new Set(all))
})

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
