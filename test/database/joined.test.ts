import { expect, test } from 'vitest'
import { keys, productNames } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { base } from '../support/client.js'
import { listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'

/*
 * Many single records at once: most go out joined, and each must get what it would have got alone.
 */

const throwaway = useThrowaway()

test.each(productNames)(
  'records that are asked for at once are each answered as alone: the %s product',
  async (name) => {
    const database = await throwaway.createProduct(name, { registrations: 200 })
    const { app } = await startService(database, {
      env: { DATABASE_POOL_SIZE: '2', DATABASE_QUEUE_LIMIT: '5000' },
    })
    const get = (path: string) =>
      app.inject({ url: `${base}/${path}`, headers: { authorization: `Bearer ${keys.both}` } })
    for (const collection of database.product.collections) {
      const shown = listExpected(database, collection).map(({ view }) => view)
      const ids = shown.map(({ id }) => String(id))
      const strange = ids.flatMap((id) => [id.toLowerCase(), `${id} `, `${id}x`, `0${id}`]).slice(0, 100)
      const wanted = [...ids, ...strange].filter((id, at, all) => all.indexOf(id) === at)
      const answers = await Promise.all(wanted.map((id) => get(`${collection}/${encodeURIComponent(id)}`)))
      const expected = new Map(shown.map((view) => [String(view['id']), view]))
      for (const [at, id] of wanted.entries()) {
        const view = expected.get(id)
        expect(answers[at]!.statusCode, id).toBe(view === undefined ? 404 : 200)
        if (view !== undefined) expect(answers[at]!.json()).toEqual(view)
      }
    }
  },
)

test('a record in another collation than its neighbour is not taken for it', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 40 })
  await runStatements(database.adminUrl, [
    'ALTER TABLE invoices MODIFY id VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL',
  ])
  const { app } = await startService(database)
  const ids = listExpected(database, 'invoices').map(({ view }) => String(view['id']))
  const wanted = ids.flatMap((id) => [id, id.toLowerCase()])
  const answers = await Promise.all(
    wanted.map((id) =>
      app.inject({ url: `${base}/invoices/${id}`, headers: { authorization: `Bearer ${keys.both}` } }),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(
    wanted.map((_, at) => (at % 2 === 0 ? 200 : 404)),
  )
})
