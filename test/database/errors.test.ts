import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { base, createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { collections } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const throwaway = useThrowaway()
let service: TestService
let client: Client
beforeAll(async () => {
  service = await startService(await throwaway.createProduct('plain', { registrations: 100 }))
  client = createClient(service)
})

describe.each(collections)('%s', (collection) => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=10&limit=10', 'limit'],
    ['updatedSince=2026-02-30', 'updatedSince'],
    ['eventId=', 'eventId'],
    [`eventId=${'x'.repeat(201)}`, 'eventId'],
    ['eventId=%ff', 'eventId'],
    ['status=', 'status'],
    ['status=a&status=b', 'status'],
  ])('%s is a 400 that names the parameter and what is allowed', async (search, parameter) => {
    const { status, body } = await client.get(`${base}/${collection}?${search}`)
    expect([status, body.code, body.parameter]).toEqual([400, 'invalid_parameter', parameter])
    expect(body.detail).toContain(parameter)
    expect(body.detail.length).toBeGreaterThan(parameter.length + 20)
  })

  test.each(['foo=1', '__proto__=1', '%zz=1', `${'x'.repeat(500)}=1`])(
    '%s is not a parameter, and the answer lists those that are',
    async (search) => {
      const { status, body } = await client.get(`${base}/${collection}?${search}`)
      expect([status, body.code]).toEqual([400, 'unknown_parameter'])
      expect(body.detail).toContain('limit, cursor, updatedSince, eventId, status')
      expect(body.detail.length).toBeLessThan(300)
    },
  )

  test('a record takes no parameters', async () => {
    const { body } = await client.get(`${collection}/none`, { limit: 1 })
    expect([body.code, body.parameter]).toEqual(['unknown_parameter', 'limit'])
  })

  test('a blank where the + of an offset stood is read as +', async () => {
    const since = '2026-01-05T09:33:12.817'
    const [plus, blank, utc] = [
      await client.get(`${base}/${collection}?updatedSince=${since}+03:00`),
      await client.get(`${base}/${collection}?updatedSince=${since}%2B03:00`),
      await client.get(`${base}/${collection}?updatedSince=2026-01-05T06:33:12.817Z`),
    ]
    expect(plus.status).toBe(200)
    expect([plus.body.data, blank.body.data]).toEqual([utc.body.data, utc.body.data])
  })
})

test('every problem has the members of the contract, in order, and says so by its type', async () => {
  const { status, headers, text } = await client.get('registrations', { limit: 0 }, { 'x-request-id': 'abc' })
  expect(status).toBe(400)
  expect(headers['content-type']).toBe('application/problem+json')
  expect(JSON.parse(text)).toEqual({
    type: '/docs/errors#invalid_parameter',
    title: 'Parameter not valid',
    status: 400,
    detail: 'The parameter limit is not a whole number from 1 to 100.',
    code: 'invalid_parameter',
    requestId: 'abc',
    parameter: 'limit',
  })
})

test.each([
  '/',
  '/api',
  base,
  `${base}/`,
  `${base}/events`,
  `${base}/registrations/`,
  `${base}/registrations/a/b`,
  `${base}/Registrations`,
  '/metrics',
  '/livez',
  '/favicon.ico',
])('%s is a 404, with a key and without', async (url) => {
  for (const headers of [{}, { authorization: `Bearer ${keys.both}` }]) {
    const answer = await service.app.inject({ url, headers })
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'not_found'])
    expect(answer.headers['x-request-id']).toBeDefined()
  }
})

describe.each([
  `${base}/registrations`,
  `${base}/registrations/1`,
  `${base}/invoices`,
  `${base}/invoices/1`,
  `${base}/openapi.json`,
  '/docs',
  '/docs/errors',
])('another method at %s', (url) => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const)(
    '%s is a 405 with Allow, whatever its body',
    async (method) => {
      for (const payload of ['', '{', 'x'.repeat(2_000_000)]) {
        const answer = await service.app.inject({
          method: method as 'POST',
          url,
          payload,
          headers: { 'content-type': 'application/json' },
        })
        expect([answer.statusCode, answer.headers['allow'], answer.json<{ code: string }>().code]).toEqual([
          405,
          'GET, HEAD',
          'method_not_allowed',
        ])
      }
    },
  )
})

test('a broken percent escape in a path is a 400', async () => {
  for (const id of ['%zz', '%', '%ff', '%c3%28']) {
    const { status, body, headers } = await client.get(`${base}/registrations/${id}`)
    expect([id, status, body.code]).toEqual([id, 400, 'malformed_request'])
    expect(headers['x-request-id']).toBeDefined()
  }
})

test('a URL beyond 8 KiB is a 414', async () => {
  for (const path of [`registrations/${'x'.repeat(9000)}`, `registrations?status=${'x'.repeat(9000)}`]) {
    const { status, body } = await client.get(`${base}/${path}`)
    expect([status, body.code]).toEqual([414, 'uri_too_long'])
  }
})

test('a rate that is too high is a 429 with Retry-After, per key', async () => {
  const limited = await startService(await throwaway.createProduct('plain', { registrations: 100 }), {
    env: { RATE_LIMIT_PER_MINUTE: '3' },
  })
  const own = createClient(limited)
  const answers = [
    await own.get('registrations'),
    await own.get('invoices'),
    await own.get('nothing'),
    await own.get('registrations/none'),
    await own.get('registrations'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 429])
  expect(answers[0]!.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' })
  expect(answers[4]!.body.code).toBe('rate_limited')
  expect(Number(answers[4]!.headers['retry-after'])).toBeGreaterThan(0)
  expect((await createClient(limited, keys.other).get('registrations')).status).toBe(200)
})

describe('what the HTTP server itself refuses', () => {
  let port: number
  beforeAll(async () => {
    await service.app.listen({ port: 0, host: '127.0.0.1' })
    port = (service.app.server.address() as AddressInfo).port
  })

  /** Sends bytes and reads until the server closes. */
  const send = async (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString()))
      socket.on('close', () => {
        resolve(text)
      })
      socket.on('error', reject)
    })

  test.each([
    ['a method of no one', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    ['a broken header', 'GET /docs HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n', 400, 'malformed_request'],
    ['no Host', 'GET /docs HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
    [
      'a URL beyond 8 KiB',
      `GET /${'x'.repeat(9000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      414,
      'uri_too_long',
    ],
  ])('%s is a problem with a request id', async (_what, bytes, status, code) => {
    const answer = await send(bytes)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head.toLowerCase()).toContain('content-type: application/problem+json')
    const problem = JSON.parse(body) as { code: string; requestId: string }
    expect(problem.code).toBe(code)
    expect(head.toLowerCase()).toContain(`x-request-id: ${problem.requestId}`)
  })

  test('an Expect header of no one is passed over, and HTTP/1.0 needs no Host', async () => {
    expect(await send('GET /docs HTTP/1.1\r\nHost: a\r\nExpect: pigs\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 /,
    )
    expect(await send('GET /docs HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })
})
