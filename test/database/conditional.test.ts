import { beforeAll, describe, expect, test } from 'vitest'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase
let service: TestService
let client: Client
beforeAll(async () => {
  database = await throwaway.createProduct('plain')
  service = await startService(database)
  client = createClient(service)
})

describe.each(collections)('%s', (collection) => {
  const pathOf = (kind: 'list' | 'item'): string =>
    kind === 'list'
      ? collection
      : `${collection}/${String(listExpected(database, collection)[0]!.view['id'])}`

  test.each(['list', 'item'] as const)(
    'an unchanged %s is 304 without a body, to any form of If-None-Match',
    async (kind) => {
      const { headers } = await client.get(pathOf(kind))
      const etag = String(headers['etag'])
      for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        const answer = await client.get(pathOf(kind), {}, { 'if-none-match': known })
        expect([answer.status, answer.text, answer.headers['etag']]).toEqual([304, '', etag])
        expect(answer.headers).toMatchObject({
          'cache-control': 'private, no-cache',
          vary: 'accept-encoding, Authorization',
        })
      }
      expect((await client.get(pathOf(kind), {}, { 'if-none-match': '"other"' })).status).toBe(200)
    },
  )

  test('the next page is linked, with the limit that was sent, and the link works', async () => {
    const { headers, body } = await client.get(collection, { limit: 7 })
    const links = /^<\/api\/public\/v1\/openapi\.json>; rel="service-desc", <(\/api\/[^>]+)>; rel="next"$/
    const link = links.exec(String(headers['link']))?.[1]
    const next = await client.get(link!)
    expect(next.body.data).toEqual(
      (await client.get(collection, { limit: 7, cursor: body.meta.cursor! })).body.data,
    )
  })
})

test('whether more records follow is part of the tag', async () => {
  const shrunk = await throwaway.createProduct('plain', { registrations: 100 })
  const own = createClient(await startService(shrunk))
  const records = listExpected(shrunk, 'registrations')
  const read = () => own.get('registrations', { limit: records.length - 1 })
  const before = await read()
  const last = String(records.at(-1)!.view['id'])
  await runStatements(shrunk.adminUrl, [`DELETE FROM event_registrations WHERE id = '${last}'`])
  const after = await read()
  expect([before.body.meta.cursor === null, after.body.meta.cursor === null]).toEqual([false, true])
  expect(after.body.data).toEqual(before.body.data)
  expect(after.headers['etag']).not.toBe(before.headers['etag'])
})

test('the epoch of the mapping is in every list, in its tag and in the metrics', async () => {
  const raised = await startService(database, { change: (mapping) => ({ ...mapping, epoch: 3 }) })
  const own = createClient(raised)
  for (const collection of collections) {
    const before = await client.get(collection)
    const etag = String(before.headers['etag'])
    const after = await own.get(collection, {}, { 'if-none-match': etag })
    expect([before.body.meta.epoch, after.status, after.body.meta.epoch]).toEqual([0, 200, 3])
    expect(after.body.data).toEqual(before.body.data)
    const again = await own.get(collection, {}, { 'if-none-match': String(after.headers['etag']) })
    expect(again.status).toBe(304)
  }
  expect((await raised.ops.inject('/metrics')).body).toContain('\nvitrine_epoch 3\n')
})

test('a changed record changes the tag of its list and its own', async () => {
  const changed = await throwaway.createProduct('plain', { registrations: 100 })
  const own = createClient(await startService(changed))
  const id = String(listExpected(changed, 'registrations')[0]!.view['id'])
  const before = [await own.get('registrations'), await own.get(`registrations/${id}`)]
  await runStatements(changed.adminUrl, [
    `UPDATE event_registrations SET attendee_name = 'New Name' WHERE id = '${id}'`,
  ])
  const after = [await own.get('registrations'), await own.get(`registrations/${id}`)]
  expect(after.map(({ headers }) => headers['etag'])).not.toEqual(
    before.map(({ headers }) => headers['etag']),
  )
})

describe('the id of a request', () => {
  test.each(['', ' ', 'a b', 'ü', 'x'.repeat(65), '<script>', 'a\tb'])('%j is replaced', async (id) => {
    const { headers } = await client.get('registrations', {}, { 'x-request-id': id })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

test('with a public address, links, problem types and the OpenAPI server are absolute', async () => {
  const own = createClient(
    await startService(database, { env: { PUBLIC_URL: 'https://api.example.com/events/' } }),
  )
  const list = await own.get('registrations', { limit: 1 })
  expect(list.headers['link']).toMatch(
    /<https:\/\/api\.example\.com\/events\/api\/public\/v1\/registrations\?cursor=[^>]+>; rel="next"$/,
  )
  const description = '<https://api.example.com/events/api/public/v1/openapi.json>; rel="service-desc"'
  for (const path of ['nothing', 'openapi.json', 'invoices?limit=0'])
    expect((await own.get(path)).headers['link']).toBe(description)
  expect((await own.get('nothing')).body).toMatchObject({
    type: 'https://api.example.com/events/docs/errors#not_found',
  })
  const { body } = await own.get('openapi.json')
  expect(body).toMatchObject({ servers: [{ url: 'https://api.example.com/events/api/public/v1' }] })
})
