import { beforeAll, describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const throwaway = useThrowaway()
const allowed = 'https://app.example.com'
const other = 'https://other.example.com'
const path = '/api/public/v1/registrations'
const authorization = `Bearer ${keys.both}`
let database: ProductDatabase
let service: TestService
beforeAll(async () => {
  database = await throwaway.createProduct('plain')
  service = await startService(database, {
    env: { CORS_ORIGINS: `${allowed}, http://localhost:3000`, RATE_LIMIT_PER_MINUTE: '2' },
  })
})

const preflight = (origin: string) => ({
  method: 'OPTIONS' as const,
  url: path,
  headers: {
    origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization,if-none-match,x-request-id',
  },
})

describe('an origin of CORS_ORIGINS', () => {
  test.each([allowed, 'http://localhost:3000'])(
    '%s may send its key, and conditional requests',
    async (origin) => {
      const answer = await service.app.inject(preflight(origin))
      expect([answer.statusCode, answer.body]).toEqual([200, ''])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'Authorization, If-None-Match, X-Request-Id',
        'access-control-max-age': '3600',
      })
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    },
  )

  test('reads records and the headers of the contract; no preflight counts as a request of the key', async () => {
    for (let count = 0; count < 5; count += 1) await service.app.inject(preflight(allowed))
    const headers = { origin: allowed, authorization }
    for (const status of [200, 200, 429]) {
      const answer = await service.app.inject({ url: path, headers })
      expect(answer.statusCode).toBe(status)
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': allowed,
        'access-control-expose-headers':
          'Api-Key-Expires, ETag, Link, Retry-After, RateLimit, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, X-Request-Id',
        vary: expect.stringContaining('Origin') as unknown,
      })
    }
  })

  test.each([
    ['without a key', 'GET', path, 401],
    ['of a path that does not exist', 'GET', '/api/public/v1/nothing', 404],
    ['of another method', 'POST', path, 405],
    ['of a URL that is too long', 'GET', `${path}?status=${'x'.repeat(9000)}`, 414],
  ] as const)('reads the problem of a request %s', async (_name, method, url, status) => {
    const answer = await service.app.inject({ method, url, headers: { origin: allowed } })
    expect(answer.statusCode).toBe(status)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': allowed,
      'content-type': expect.stringContaining('application/problem+json') as unknown,
    })
  })
})

test.each([other, 'null', `${allowed}.evil.example`, 'https://APP.example.com', 'http://app.example.com'])(
  'the origin %s is not allowed',
  async (origin) => {
    const asked = await service.app.inject(preflight(origin))
    const answer = await service.app.inject({ url: path, headers: { origin } })
    expect(asked.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  },
)

test.each([
  ['an Origin', { 'access-control-request-method': 'GET' }],
  ['a method to ask for', { origin: allowed }],
])('OPTIONS without %s is no preflight: 405', async (_name, headers) => {
  const answer = await service.app.inject({ method: 'OPTIONS', url: path, headers })
  expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD'])
  expect(answer.json()).toMatchObject({ code: 'method_not_allowed' })
})

test('every origin may call with CORS_ORIGINS=*', async () => {
  const open = await startService(database, { env: { CORS_ORIGINS: '*' } })
  expect((await open.app.inject(preflight(other))).headers['access-control-allow-origin']).toBe('*')
  const answer = await open.app.inject({ url: path, headers: { origin: other, authorization } })
  expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, '*'])
})

test('no origin may call without CORS_ORIGINS', async () => {
  const closed = await startService(database)
  const asked = await closed.app.inject(preflight(allowed))
  const answer = await closed.app.inject({ url: path, headers: { origin: allowed, authorization } })
  expect(asked.statusCode).toBe(405)
  for (const { headers } of [asked, answer])
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  expect(answer.headers['vary']).not.toContain('Origin')
})
