import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { registerCompression } from '../../../src/api/send.js'
import { createStaticBody } from '../../../src/api/static-body.js'

const text = 'The same words, again and again. '.repeat(100)
const app = Fastify()
await registerCompression(app)
for (const type of ['text/plain; charset=utf-8', 'application/gzip']) {
  const body = createStaticBody(() => Promise.resolve(text), type)
  app.get(`/${type.slice(0, 4)}`, (request, reply) => body.send(request, reply, 'no-cache'))
}

const request = (headers: Readonly<Record<string, string>>, method: 'GET' | 'HEAD' = 'GET', url = '/text') =>
  app.inject({ method, url, headers })

test.each([
  ['br;q=0.5, gzip', 'gzip'],
  ['gzip;q=0.5, BR ; q=0.5', 'br'],
  ['*', 'gzip'],
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
