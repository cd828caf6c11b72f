import { describe, expect, test } from 'vitest'
import { productNames } from '../product/index.js'
import type { CollectionName, ProductName } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { changeMapping } from '../support/checking.js'
import { createClient } from '../support/client.js'
import { listCollections, listExpected } from '../support/expected.js'
import { useServedProduct } from '../support/served-product.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

describe.each([
  ['plain', 'invoices', ['currency is not a currency of ISO 4217']],
  [
    'ticketing',
    'registrations',
    [
      'name is NULL in every part',
      'email is NULL',
      'createdAt is not a real date and time',
      'updatedAt is NULL',
    ],
  ],
  ['ticketing', 'invoices', ['status is NULL', 'number is NULL', 'updatedAt is NULL']],
  [
    'accounting',
    'invoices',
    ['status is not in the mapping', 'currency is NULL', 'total is NULL', 'updatedAt is NULL'],
  ],
  [
    'membership',
    'registrations',
    ['name is NULL in every part', 'email is NULL', 'createdAt is 0, which is no time', 'updatedAt is NULL'],
  ],
  ['membership', 'invoices', ['status is NULL', 'number is NULL', 'updatedAt is NULL']],
  [
    'invoicing',
    'invoices',
    ['status is not in the mapping', 'status is NULL', 'currency is NULL', 'number is NULL'],
  ],
  ['awkward', 'invoices', ['currency is not a currency of ISO 4217']],
  [
    'awkward',
    'registrations',
    [
      'status is not in the mapping',
      'email is NULL',
      'updatedAt is not a real date and time',
      'updatedAt is NULL',
    ],
  ],
] as const)('%s %s that cannot be shown truthfully', (name, collection, reasons) => {
  test('with skip, they are absent from lists, 404 alone, logged with id and reason, and counted', async () => {
    const database = await throwaway.createProduct(name, { registrations: 2000 })
    const service = await startService(database)
    const client = createClient(service)
    const broken = database.truth[collection].filter(
      (one) => one.broken && (database.product.singleTenant || one.workspace === 0) && one.archived === 'no',
    )
    expect(broken.length).toBeGreaterThan(2)
    expect(await client.crawl(collection, { limit: 50 })).toHaveLength(
      listExpected(database, collection).length,
    )
    const faults = service.logLines().filter((line) => line['msg'] === 'a stored row cannot be shown')
    expect(new Set(faults.map((line) => line['reason']))).toEqual(new Set(reasons))
    expect(new Set(faults.map((line) => line['id'])).size).toBe(broken.length)
    for (const { id } of faults.slice(0, 4) as unknown as { id: string }[]) {
      expect((await client.get(`${collection}/${id}`)).body.code).toBe('not_found')
    }
    const { body: metrics } = await service.ops.inject('/metrics')
    const counted = new RegExp(`vitrine_invalid_rows_total\\{collection="${collection}"\\} (\\d+)`).exec(
      metrics,
    )?.[1]
    expect(Number(counted)).toBe(broken.length + Math.min(4, faults.length))
    const unknown = faults.filter((line) => line['reason'] === 'status is not in the mapping')
    const labels = metrics.matchAll(/vitrine_unknown_codes_total\{collection="(.*)",code="(.*)"\} \d/g)
    expect(new Set([...labels].map(([, of, code]) => `${of} ${code}`))).toEqual(
      new Set(unknown.map((line) => `${collection} ${String(line['code'])}`)),
    )
    expect(unknown.every(({ code }) => typeof code === 'string')).toBe(true)
  })

  test('with fail, the request that meets one is a 500 that tells nothing of it', async () => {
    const database = await throwaway.createProduct(name, { registrations: 1000 })
    const changed =
      name === 'plain'
        ? await changeMapping(database, 'invalidRows: skip', 'invalidRows: fail')
        : await changeMapping(database, `\n${collection}:\n`, `\n${collection}:\n  invalidRows: fail\n`)
    const service = await startService(changed)
    const client = createClient(service)
    await expect(client.crawl(collection, { limit: 100 })).rejects.toThrow('internal_error')
    const { id } = service
      .logLines()
      .find((line) => line['msg'] === 'a stored row cannot be shown') as unknown as { id: string }
    const { status, text } = await client.get(`${collection}/${id}`)
    expect([status, text.includes(id), text.includes('NULL')]).toEqual([500, false, false])
  })
})

test('a page may hold no record at all, and the crawl goes on', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 500 })
  await runStatements(database.adminUrl, [
    "UPDATE invoices SET currency_code = 'ZZZ' ORDER BY updated_at, id LIMIT 60",
  ])
  const client = createClient(await startService(database))
  const { body } = await client.get('invoices', { limit: 5 })
  expect([body.data, body.meta.cursor === null]).toEqual([[], false])
  const ids = (await client.crawl('invoices', { limit: 5 })).map((view) => view['id'])
  const all = listExpected(database, 'invoices').map(({ view }) => view['id'])
  expect(ids.length).toBeGreaterThan(20)
  expect(ids).toEqual(all.slice(all.length - ids.length))
})

/** How each product archives a record: the table, the condition that finds it by its public id, and the mark. */
const archiving: Readonly<
  Record<ProductName, Partial<Record<CollectionName, (id: string) => readonly [string, string, string]>>>
> = {
  plain: {
    registrations: (id) => ['event_registrations', `id = '${id}'`, 'archived_at = NOW(3)'],
    invoices: (id) => ['invoices', `id = '${id}'`, 'archived_at = NOW(3)'],
  },
  awkward: {
    registrations: (id) => ['`attendees?`', `\`attendee no\` = ${id}`, 'hidden_at = NOW()'],
    invoices: (id) => ['bills', `uid = UNHEX('${id.replaceAll('-', '')}')`, 'is_deleted = 1'],
  },
  ticketing: {
    registrations: (id) => ['attendees', `id = ${id}`, 'deleted_at = NOW()'],
    invoices: (id) => ['orders', `id = ${id}`, 'deleted_at = NOW()'],
  },
  accounting: { invoices: (id) => ['q8r_documents', `id = ${id}`, 'deleted_at = NOW()'] },
  membership: {
    registrations: (id) => ['tx_club_participation', `uid = ${id}`, 'deleted = 1'],
    invoices: (id) => ['tx_club_fee', `uid = ${id}`, "deleted = b'1'"],
  },
  invoicing: { invoices: (id) => ['si_invoices', `id = '${id}'`, 'archived_at = NOW()'] },
}

describe.each(productNames)('an archived record of the %s product', (name) => {
  const served = useServedProduct(throwaway, name)

  test.each(listCollections(name))('of %s is on no route', async (collection) => {
    const { client, database } = served
    const before = listExpected(database, collection)
    const victim = String(before[10]!.view['id'])
    expect((await client.get(`${collection}/${victim}`)).status).toBe(200)
    const [table, condition, mark] = archiving[name][collection]!(victim)
    await runStatements(database.adminUrl, [`UPDATE ${table} SET ${mark} WHERE ${condition}`])
    expect((await client.get(`${collection}/${victim}`)).body.code).toBe('not_found')
    const ids = (await client.crawl(collection)).map((view) => view['id'])
    expect(ids).toEqual(before.map(({ view }) => view['id']).filter((id) => id !== victim))
  })
})
