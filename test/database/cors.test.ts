import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { startService, useProduct, useService } from '../support/service.js'
import type { TestService } from '../support/service.js'

const allowed = 'https://app.example.com'
const other = 'https://other.example.com'
const path = '/api/public/v1/registrations'
const authorization = `Bearer ${keys.both}`
const database = useProduct('plain')
const CORS_ORIGINS = `${allowed}, http://localhost:3000`
const service = useService(database, { env: { CORS_ORIGINS, RATE_LIMIT_PER_MINUTE: '2' } })

const preflight = (origin: string, { app }: TestService = service) => {
  const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }
  return app.inject({ method: 'OPTIONS', url: path, headers: { origin, ...asked } })
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
    [200, path],
    [200, path],
    [429, path],
  ] as const) {
    const answer = await service.app.inject({ url, headers: { origin: allowed, authorization } })
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
      await service.app.inject({ url: path, headers: { origin } }),
    ])
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  },
)

test('OPTIONS without an origin or a method to ask for is not a preflight: 405', async () => {
  for (const headers of [{ 'access-control-request-method': 'GET' }, { origin: allowed }]) {
    const answer = await service.app.inject({ method: 'OPTIONS', url: path, headers })
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD'])
    expect(answer.json()).toMatchObject({ code: 'method_not_allowed' })
  }
})

test('every origin may call with CORS_ORIGINS=*, and none without it', async () => {
  const open = await startService(database, { env: { CORS_ORIGINS: '*' } })
  const closed = await startService(database)
  for (const [{ app }, origin, status] of [
    [open, '*', 200],
    [closed, undefined, 405],
  ] as const) {
    const asked = await preflight(other, { ...service, app })
    const answer = await app.inject({ url: path, headers: { origin: other, authorization } })
    expect([asked.statusCode, answer.statusCode]).toEqual([status, 200])
    for (const { headers } of [asked, answer]) expect(headers['access-control-allow-origin']).toBe(origin)
    if (origin === undefined) {
      expect(answer.headers['vary']).not.toContain('Origin')
      expect(Object.keys(answer.headers).some((name) => name.startsWith('access-control'))).toBe(false)
    }
  }
})
