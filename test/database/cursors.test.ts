import { describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import { useServedProduct } from '../support/served-product.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

describe.each(collections)('%s', (collection) => {
  const served = useServedProduct(throwaway, 'plain')
  const first = async (query = {}): Promise<string> =>
    (await served.client.get(collection, { limit: 5, ...query })).body.meta.cursor ?? ''

  test('every single changed, removed or added character of a cursor is a 400', async () => {
    const cursor = await first({ updatedSince: '2026-01-05T00:00:00Z' })
    const changed = Array.from(cursor).flatMap((letter, at) => {
      const next = letters[(letters.indexOf(letter) + 1) % 64]!
      return [next, letters[(letters.indexOf(letter) + 32) % 64]!, '', `${letter}A`, '+', '='].map(
        (instead) => cursor.slice(0, at) + instead + cursor.slice(at + 1),
      )
    })
    const answers = await Promise.all(
      [...changed, `${cursor}=`, ` ${cursor}`, cursor.slice(0, 12), '', 'null', '%00'].map((text) =>
        served.client.get(collection, { cursor: text }),
      ),
    )
    for (const { status, body } of answers)
      expect([status, body.code, body.parameter]).toEqual([400, 'invalid_cursor', 'cursor'])
  })

  test('a cursor of the other collection or of another workspace is a 400', async () => {
    const cursor = await first()
    for (const elsewhere of collections.filter((other) => other !== collection))
      expect((await served.client.get(elsewhere, { cursor })).body.code).toBe('invalid_cursor')
    const { body } = await served.other.get(collection, { cursor })
    expect(body.code).toBe('invalid_cursor')
    expect((await served.client.get(collection, { cursor })).status).toBe(200)
  })

  test('a cursor carries its filters: the same may be sent along, others may not', async () => {
    const status = String(listExpected(served.database, collection)[0]!.view['status'])
    const filters = { status, updatedSince: '2026-01-05T00:00:00Z' }
    const cursor = await first(filters)
    const alone = await served.client.get(collection, { cursor, limit: 5 })
    expect((await served.client.get(collection, { cursor, limit: 5, ...filters })).body.data).toEqual(
      alone.body.data,
    )
    // Another way to write the same instant.
    expect(
      (
        await served.client.get(collection, {
          cursor,
          limit: 5,
          updatedSince: '2026-01-05T03:00:00.000+03:00',
        })
      ).body.data,
    ).toEqual(alone.body.data)
    const other = listExpected(served.database, collection).find(({ view }) => view['status'] !== status)
    for (const parameter of ['eventId', 'updatedSince', 'status'] as const) {
      const value = {
        eventId: served.database.product.eventId(2),
        updatedSince: '2026-01-06',
        status: String(other!.view['status']),
      }[parameter]
      const { body } = await served.client.get(collection, { cursor, [parameter]: value })
      expect([body.code, body.parameter]).toEqual(['cursor_mismatch', parameter])
    }
  })

  test('a cursor outlives the process that gave it', async () => {
    const cursor = await first()
    const again = createClient(await startService(served.database))
    expect((await again.get(collection, { cursor })).body.data).toEqual(
      (await served.client.get(collection, { cursor })).body.data,
    )
  })

  test('every page of a crawl says the same nextUpdatedSince', async () => {
    const instants = new Set<string>()
    let answer = await served.client.get(collection, { limit: 40 })
    for (;;) {
      instants.add(answer.body.meta.nextUpdatedSince)
      if (answer.body.meta.cursor === null) break
      answer = await served.client.get(collection, { cursor: answer.body.meta.cursor, limit: 40 })
    }
    expect(instants.size).toBe(1)
  })
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
      const began = Date.parse(body.meta.nextUpdatedSince) + overlap * 1000
      expect(began).toBeGreaterThanOrEqual(before - 1)
      expect(began).toBeLessThanOrEqual(Date.now())
      expect(body.meta.nextUpdatedSince).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  }
})
