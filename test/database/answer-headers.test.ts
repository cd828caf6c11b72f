import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { request as send } from 'undici'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import { startService, useProduct, useService, useThrowaway } from '../support/service.js'
import { keys } from '../product/index.js'
import type { TestService } from '../support/service.js'

/* What the headers of a request and of its answer say: what is known, how it is compressed, and what other origins may read. */

const throwaway = useThrowaway()
const database = useProduct('plain')
const service = useService(database)
const client = createClient(service)
const authorization = `Bearer ${keys.both}`

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

/** Over a real connection: Node itself leaves out the body of an answer to HEAD. */
let origin: string
beforeAll(async () => {
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
})

const page = '/api/public/v1/registrations?limit=50'
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  none: (bytes) => bytes,
}

type Headers = Readonly<Record<string, string>>

async function request(path: string, headers: Headers = {}, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await send(`${origin}${path}`, { method, headers: { authorization, ...headers } })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  return { status: answer.statusCode, headers: answer.headers, bytes }
}

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=0.5, BR ; q=0.5', 'br'],
  ['br;q=0, *;q=0.1', 'gzip'],
  ['gzip;q=much', 'none'],
  ['', 'none'],
])('a page and the documentation for Accept-Encoding %o are sent in %s', async (accepted, encoding) => {
  const plain = await request(page)
  const answer = await request(page, { 'accept-encoding': accepted })
  const decode = decoders[encoding]!
  expect(answer.headers['content-encoding'] ?? 'none').toBe(encoding)
  expect(JSON.parse(decode(answer.bytes).toString())).toMatchObject({
    data: (JSON.parse(plain.bytes.toString()) as { data: unknown }).data,
  })
  expect(answer.headers).toMatchObject({
    etag: plain.headers['etag'],
    vary: 'accept-encoding, Authorization',
    'content-length': String(answer.bytes.length),
    'content-type': 'application/json; charset=utf-8',
  })
  if (encoding !== 'none') expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 3)
  const file = await request('/docs', { 'accept-encoding': accepted })
  expect(file.headers['content-encoding'] ?? 'none').toBe(encoding)
  expect(decode(file.bytes).toString()).toContain('</html>')
  const head = await request(page, { 'accept-encoding': accepted }, 'HEAD')
  expect([head.bytes.length, 'link' in head.headers]).toEqual([0, true])
  for (const name of ['etag', 'vary', 'content-type', 'content-encoding'])
    expect(head.headers[name]).toBe(answer.headers[name])
  const known = { 'if-none-match': String(plain.headers['etag']), 'accept-encoding': accepted }
  const same = await request(page, known)
  expect([same.status, same.bytes.length, same.headers['content-encoding']]).toEqual([304, 0, undefined])
})

test('with COMPRESSION=off no answer is compressed', async () => {
  const plain = await startService(database, { env: { COMPRESSION: 'off' } })
  const answer = await plain.app.inject({
    url: page,
    headers: { authorization, 'accept-encoding': 'gzip, br' },
  })
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.headers['vary']).toBe('Authorization')
  expect(answer.json()).toHaveProperty('data')
})

const allowed = 'https://app.example.com'
const other = 'https://other.example.com'
const listed = '/api/public/v1/registrations'
const CORS_ORIGINS = `${allowed}, http://localhost:3000`
const crossing = useService(database, { env: { CORS_ORIGINS, RATE_LIMIT_PER_MINUTE: '2' } })

const preflight = (origin: string, { app }: TestService = crossing) => {
  const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }
  return app.inject({ method: 'OPTIONS', url: listed, headers: { origin, ...asked } })
}
const containing = (text: string): unknown => expect.stringContaining(text)

test('an origin of CORS_ORIGINS may send its key, and read the headers of the contract; a preflight counts for no key', async () => {
  for (const origin of [allowed, 'http://localhost:3000', allowed]) {
    const answer = await preflight(origin)
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': 'Authorization, If-None-Match, X-Request-Id',
      'access-control-max-age': '3600',
    })
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  }
  for (const [status, url] of [
    [404, '/api/public/v1/nothing'],
    [200, listed],
    [200, listed],
    [429, listed],
  ] as const) {
    const answer = await crossing.app.inject({ url, headers: { origin: allowed, authorization } })
    expect(answer.statusCode).toBe(status)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': allowed,
      'access-control-expose-headers':
        'Api-Key-Expires, ETag, Link, Retry-After, RateLimit, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, X-Request-Id',
      vary: containing('Origin'),
    })
  }
})

test.each(['null', `${allowed}.evil.example`, 'https://APP.example.com', 'http://app.example.com'])(
  'the origin %s is not allowed',
  async (origin) => {
    for (const answer of [
      await preflight(origin),
      await crossing.app.inject({ url: listed, headers: { origin } }),
    ])
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  },
)

test('every origin may call with CORS_ORIGINS=*, and none without it', async () => {
  const open = await startService(database, { env: { CORS_ORIGINS: '*' } })
  const closed = await startService(database)
  for (const [{ app }, origin, status] of [
    [open, '*', 200],
    [closed, undefined, 405],
  ] as const) {
    const asked = await preflight(other, { ...crossing, app })
    const answer = await app.inject({ url: listed, headers: { origin: other, authorization } })
    expect([asked.statusCode, answer.statusCode]).toEqual([status, 200])
    for (const { headers } of [asked, answer]) expect(headers['access-control-allow-origin']).toBe(origin)
    if (origin === undefined) {
      expect(answer.headers['vary']).not.toContain('Origin')
      expect(Object.keys(answer.headers).some((name) => name.startsWith('access-control'))).toBe(false)
    }
  }
})
