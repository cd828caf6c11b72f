import { expect, test } from 'vitest'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import { startService, useProduct, useService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
const database = useProduct('plain')
const client = createClient(useService(database))

test.each(collections)('unchanged %s are 304, to any form of If-None-Match', async (collection) => {
  const id = String(listExpected(database, collection)[0]!.view['id'])
  for (const path of [collection, `${collection}/${id}`]) {
    const { headers } = await client.get(path)
    const etag = String(headers['etag'])
    const suffixed = ['-gzip', '-br', '-zstd'].map((suffix) => etag.replace(/"$/, `${suffix}"`))
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*', ...suffixed, suffixed.join(', ')]) {
      const answer = await client.get(path, {}, { 'if-none-match': known })
      expect([answer.status, answer.text, answer.headers['etag']]).toEqual([304, '', etag])
      expect(answer.headers).toMatchObject({
        'cache-control': 'private, no-cache',
        vary: 'accept-encoding, Authorization',
      })
    }
    for (const other of ['"other"', '"other-gzip"', etag.replace(/.(?="$)/, '-gzip')])
      expect((await client.get(path, {}, { 'if-none-match': other })).status).toBe(200)
  }
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

test('a changed record changes the tag of its list and its own; that fewer follow changes that of the list', async () => {
  const changed = await throwaway.createProduct('plain', { registrations: 100 })
  const own = createClient(await startService(changed))
  const records = listExpected(changed, 'registrations')
  const [id, last] = [records[0]!, records.at(-1)!].map(({ view }) => String(view['id']))
  const read = async () => [
    await own.get('registrations', { limit: records.length - 1 }),
    await own.get(`registrations/${id!}`),
  ]
  const toTags = (answers: Awaited<ReturnType<typeof read>>) => answers.map(({ headers }) => headers['etag'])
  const before = await read()
  await runStatements(changed.adminUrl, [`DELETE FROM event_registrations WHERE id = '${last!}'`])
  const shrunk = await read()
  expect(shrunk.map(({ body }) => body.data)).toEqual(before.map(({ body }) => body.data))
  expect(toTags(shrunk)[1]).toBe(toTags(before)[1])
  const set = `UPDATE event_registrations SET attendee_name = 'New Name' WHERE id = '${id!}'`
  await runStatements(changed.adminUrl, [set])
  const after = await read()
  expect(new Set([before, shrunk, after].map((answers) => toTags(answers)[0])).size).toBe(3)
  expect(toTags(after)[1]).not.toBe(toTags(before)[1])
})

test.each(['', ' ', 'a b', 'ü', 'x'.repeat(65), '<script>', 'a\tb'])('%j is not a request id', async (id) => {
  const { headers } = await client.get('registrations', {}, { 'x-request-id': id })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
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
