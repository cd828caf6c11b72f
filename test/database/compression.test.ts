import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request as send } from 'undici'
import { beforeAll, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { startService, useProduct, useService } from '../support/service.js'

const database = useProduct('plain')
const service = useService(database)
/** Over a real connection: Node itself leaves out the body of an answer to HEAD. */
let origin: string
beforeAll(async () => {
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
})

const authorization = `Bearer ${keys.both}`
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
