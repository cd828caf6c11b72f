import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createStaticBody } from '../../../src/http/docs/static-body.js'

const text = 'The same words, again and again. '.repeat(100)
const app = Fastify()
const body = createStaticBody(() => Promise.resolve(text), 'text/plain; charset=utf-8')
app.get('/', (request, reply) => body.send(request, reply, 'no-cache'))

const request = (headers: Readonly<Record<string, string>>, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: '/', headers })

test.each([
  ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
  ['br', 'BR;q=0.1', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['gzip', 'br;q=0, gzip;q=0.5', gunzipSync],
  ['gzip', 'br; q=0.000,gzip', gunzipSync],
])('%s answers Accept-Encoding: %s', async (encoding, accepted, decompress) => {
  const { headers, rawPayload } = await request({ 'accept-encoding': accepted })
  expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' })
  expect(rawPayload.length).toBeLessThan(text.length / 10)
  expect(decompress(rawPayload).toString()).toBe(text)
})

test.each(['', 'identity', 'gzip;q=0', 'deflate', 'brotli'])(
  'the plain text answers Accept-Encoding: %j',
  async (accepted) => {
    const { headers, payload } = await request({ 'accept-encoding': accepted })
    expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(text.length) })
    expect(headers['content-encoding']).toBeUndefined()
    expect(payload).toBe(text)
  },
)

test('the body is compressed once, however often it is sent', async () => {
  const accepted = { 'accept-encoding': 'br' }
  const sent: unknown[] = []
  const once = Fastify()
  once.addHook('onSend', (_request, _reply, payload, done) => {
    sent.push(payload)
    done(null, payload)
  })
  once.get('/', (request, reply) => body.send(request, reply, 'no-cache'))
  await Promise.all([1, 2, 3].map(() => once.inject({ url: '/', headers: accepted })))
  expect(sent).toHaveLength(3)
  expect(new Set(sent).size).toBe(1)
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
  const [get, head] = [
    await request({ 'accept-encoding': 'br' }),
    await request({ 'accept-encoding': 'br' }, 'HEAD'),
  ]
  expect(head.payload).toBe('')
  for (const name of ['etag', 'content-type', 'content-encoding', 'content-length'])
    expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
})
