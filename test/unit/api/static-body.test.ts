import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { registerCompression } from '../../../src/api/send.js'
import { createStaticBody } from '../../../src/api/static-body.js'

const text = 'The same words, again and again. '.repeat(100)
const app = Fastify()
const sent: unknown[] = []
app.addHook('onSend', (_request, _reply, payload, done) => {
  sent.push(payload)
  done(null, payload)
})
await registerCompression(app)
for (const type of ['text/plain; charset=utf-8', 'application/gzip']) {
  const body = createStaticBody(() => Promise.resolve(text), type)
  app.get(`/${type.slice(0, 4)}`, (request, reply) => body.send(request, reply, 'no-cache'))
}

const request = (headers: Readonly<Record<string, string>>, method: 'GET' | 'HEAD' = 'GET', url = '/text') =>
  app.inject({ method, url, headers })

test('a text is compressed for a caller who accepts it', async () => {
  const { headers, rawPayload } = await request({ 'accept-encoding': 'gzip, br' })
  expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
  expect(brotliDecompressSync(rawPayload).toString()).toBe(text)
  const plain = await request({})
  expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'accept-encoding'])
  expect(plain.payload).toBe(text)
})

test('a text is compressed once for each encoding, not for each request', async () => {
  sent.length = 0
  for (const encoding of ['gzip', 'br', 'gzip', 'br']) await request({ 'accept-encoding': encoding })
  const [gzip, br, ...again] = sent as Buffer[]
  expect([gunzipSync(gzip!).toString(), brotliDecompressSync(br!).toString()]).toEqual([text, text])
  expect([again[0] === gzip, again[1] === br]).toEqual([true, true])
})

test.each([
  ['br;q=0.5, gzip', 'gzip'],
  ['gzip;q=0.5, BR ; q=0.5', 'br'],
  ['*', 'br'],
  ['br;q=0, *;q=0.1', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=much', undefined],
  ['identity', undefined],
  ['', undefined],
])('Accept-Encoding: %s gets %s', async (accepted, encoding) => {
  const { headers } = await request({ 'accept-encoding': accepted })
  expect(headers['content-encoding']).toBe(encoding)
})

test('an archive is sent as it is', async () => {
  const { headers, payload } = await request({ 'accept-encoding': 'gzip, br' }, 'GET', '/appl')
  expect([headers['content-encoding'], payload]).toEqual([undefined, text])
})

test('a caller who has the body gets 304, in any encoding', async () => {
  const { headers } = await request({})
  const etag = String(headers['etag'])
  for (const encoding of ['', 'br']) {
    const answer = await request({ 'if-none-match': etag, 'accept-encoding': encoding })
    expect([answer.statusCode, answer.payload, answer.headers['etag']]).toEqual([304, '', etag])
  }
  expect((await request({ 'if-none-match': 'W/"other"' })).statusCode).toBe(200)
})

test('HEAD has the headers of GET', async () => {
  const accepted = { 'accept-encoding': 'br' }
  const [get, head] = [await request(accepted), await request(accepted, 'HEAD')]
  expect(head.payload).toBe('')
  for (const name of ['etag', 'content-type', 'content-encoding', 'content-length'])
    expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
})
