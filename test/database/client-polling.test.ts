import mysql from 'mysql2/promise'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import type { Client, ResponseEvent } from '../../src/client/index.js'
import { keys } from '../product/index.js'
import type { ProductDatabase, View } from '../product/index.js'
import { listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase
let client: Client
let product: mysql.Connection
const statuses: number[] = []
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 300 })
  const url = await (await startService(database)).app.listen({ port: 0, host: '127.0.0.1' })
  const onResponse = ({ status }: ResponseEvent) => statuses.push(status)
  client = createClient({ url, key: keys.both, onResponse })
  product = await mysql.createConnection({ uri: database.adminUrl, timezone: 'Z' })
})
afterAll(() => product.end())

/** A copy that is kept by one sync after another, as an integrator keeps it. */
function createCopy(): { readonly poll: (pageSize?: number) => Promise<object>; readonly find: Find } {
  const records = new Map<string, object>()
  let state = {}
  return {
    poll: async (pageSize = 100) => {
      statuses.length = 0
      const onPage = ({ data }: { data: readonly { id: string }[] }) => {
        for (const one of data) records.set(one.id, one)
      }
      const result = await client.sync('registrations', { ...state, pageSize, onPage })
      state = JSON.parse(JSON.stringify(result)) as object
      return { notModified: result.notModified, statuses: [...statuses], size: records.size }
    },
    find: (id) => records.get(id) as View | undefined,
  }
}

type Find = (id: string) => View | undefined

const update = (connection: mysql.Connection, id: string, name: string, time = 'UTC_TIMESTAMP(3)') =>
  connection.query(`UPDATE event_registrations SET attendee_name = ?, updated_at = ${time} WHERE id = ?`, [
    name,
    id,
  ])

test('polls are 304 until a record changes, and each change arrives with the next poll', async () => {
  const ids = listExpected(database, 'registrations').map(({ view }) => String(view['id']))
  const copy = createCopy()
  expect(await copy.poll()).toEqual({ notModified: false, statuses: [200, 200], size: ids.length })
  expect(await copy.poll()).toMatchObject({ notModified: false, statuses: [200] })
  for (const name of ['One', 'Two', 'Three', 'Four']) {
    // Another page size does not change what the page contains.
    expect(await copy.poll(50)).toMatchObject({ notModified: true, statuses: [304] })
    expect(await copy.poll()).toMatchObject({ notModified: true, statuses: [304] })
    const id = ids[name.length]!
    await update(product, id, name)
    expect(await copy.poll()).toMatchObject({ notModified: false, statuses: [200] })
    expect(copy.find(id)).toMatchObject({ name })
    // The overlap is read once more, and then its tag is known.
    expect(await copy.poll()).toMatchObject({ notModified: false, statuses: [200] })
  }
})

test('a change that is committed late, with an earlier updatedAt, arrives whatever was polled in between', async () => {
  const ids = listExpected(database, 'registrations').map(({ view }) => String(view['id']))
  const writer = await mysql.createConnection({ uri: database.adminUrl, timezone: 'Z' })
  try {
    for (const polls of [0, 1, 2, 3, 4]) {
      const copy = createCopy()
      await copy.poll()
      await copy.poll()
      await writer.beginTransaction()
      const [late, early] = [ids[2 * polls]!, ids[2 * polls + 1]!]
      await update(writer, late, `Late ${String(polls)}`)
      for (let poll = 0; poll < polls; poll += 1) {
        // So that since advances while the transaction is open.
        if (poll % 2 === 1) await update(product, early, `Early ${String(poll)}`)
        await copy.poll()
      }
      await writer.commit()
      await copy.poll()
      expect(copy.find(late)).toMatchObject({ name: `Late ${String(polls)}` })
      if (polls > 1)
        expect(copy.find(early)).toMatchObject({ name: expect.stringMatching('Early') as unknown })
    }
  } finally {
    await writer.end()
  }
})

test('a change that moves updatedAt back within the overlap arrives', async () => {
  const id = String(listExpected(database, 'registrations')[30]!.view['id'])
  const copy = createCopy()
  await copy.poll()
  await copy.poll()
  expect(await copy.poll()).toMatchObject({ notModified: true })
  await update(product, id, 'Back', 'UTC_TIMESTAMP(3) - INTERVAL 30 SECOND')
  expect(await copy.poll()).toMatchObject({ notModified: false })
  expect(copy.find(id)).toMatchObject({ name: 'Back' })
})

test('a tag does not survive changed filters: a page of other records is another page', async () => {
  const [first] = listExpected(database, 'registrations')
  const eventId = String(first!.view['eventId'])
  await update(product, String(first!.view['id']), 'Changed')
  const since = '2000-01-01'
  const onPage = () => undefined
  const state = await client.sync('registrations', { since, eventId, onPage })
  expect(state.etag).not.toBeNull()
  const same = { ...state, onPage }
  expect(await client.sync('registrations', { ...same, eventId })).toMatchObject({ notModified: true })
  const other =
    database.product.eventId(2) === eventId ? database.product.eventId(1) : database.product.eventId(2)
  expect(await client.sync('registrations', { ...same, eventId: other })).toMatchObject({
    notModified: false,
  })
})
