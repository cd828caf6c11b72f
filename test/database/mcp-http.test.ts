import { beforeAll, describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { connectAgent, sendMessage } from '../support/mcp.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'
import { startServing, toServingEnv } from '../support/serving.js'

const throwaway = useThrowaway()
let database: ProductDatabase
let service: TestService
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 100 })
  service = await startService(database, { env: { MCP: 'on', CORS_ORIGINS: '*' } })
})

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const call = {
  ...list,
  method: 'tools/call',
  params: { name: 'list_registrations', arguments: { limit: 1 } },
}

describe('the key', () => {
  test.each([
    ['', 'missing_key'],
    [`Bearer ${keys.expired}`, 'invalid_key'],
    [`Bearer ${keys.revoked}`, 'invalid_key'],
  ])('%s is 401 as on the routes of the API', async (authorization, code) => {
    const answer = await sendMessage(service, list, { authorization })
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, code])
    expect(answer.headers['www-authenticate']).toContain('Bearer')
  })

  test('stops within the TTL after it was revoked', async () => {
    const own = await throwaway.createProduct('plain', { registrations: 100 })
    const time = { age: 1_000_000 }
    const held = await startService(own, { env: { MCP: 'on' }, ageClock: () => time.age })
    expect((await sendMessage(held, call)).statusCode).toBe(200)
    await runStatements(own.adminUrl, ['UPDATE workspace_api_keys SET revoked_at = UTC_TIMESTAMP(3)'])
    time.age += 30_001
    expect((await sendMessage(held, call)).statusCode).toBe(401)
  })
})

test('each request counts once for the limit of the key; a call beyond it says when to try again', async () => {
  const limited = await startService(database, { env: { MCP: 'on', RATE_LIMIT_PER_MINUTE: '3' } })
  for (const [message, remaining] of [
    [list, '2'],
    [call, '1'],
    [call, '0'],
  ] as const) {
    const answer = await sendMessage(limited, message)
    expect([answer.statusCode, answer.headers['ratelimit-remaining']]).toEqual([200, remaining])
    expect(answer.body).not.toContain('isError')
  }
  const refused = await sendMessage(limited, list)
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([429, 'rate_limited'])
  const answer = await sendMessage(limited, call)
  expect(answer.statusCode).toBe(200)
  const { result } = JSON.parse(/^data: (.*)$/m.exec(answer.body)![1]!) as {
    result: { isError: boolean; content: { text: string }[] }
  }
  expect(result.isError).toBe(true)
  expect(JSON.parse(result.content[0]!.text)).toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: Number(refused.headers['retry-after']),
  })
})

test('a call and the request that it becomes have one id in the log, and no text of either', async () => {
  const answer = await sendMessage(service, call, { 'x-request-id': 'call-1' })
  expect(answer.headers['x-request-id']).toBe('call-1')
  const lines = service.logLines().filter(({ reqId, msg }) => reqId === 'call-1' && msg === 'request')
  expect(lines.map(({ method, route, rows }) => [method, route, rows])).toEqual([
    ['GET', '/api/public/v1/registrations', 1],
    ['POST', '/mcp', undefined],
  ])
  expect(service.logs()).not.toContain(keys.both)
})

test('a request is counted once: a tool call and a resource as the GET that it becomes, all else as /mcp', async () => {
  const own = await startService(database, { env: { MCP: 'on', RATE_LIMIT_PER_MINUTE: '6' } })
  const toCall = (name: string, given: object) => ({ ...call, params: { name, arguments: given } })
  const uri = 'vitrine://service/docs/sync.md'
  for (const message of [
    list,
    call,
    toCall('get_invoice', { id: 'none' }),
    toCall('list_invoices', { updatedSince: '2026-02-30' }),
    toCall('search_docs', { query: 'sync' }),
    { ...list, method: 'resources/read', params: { uri } },
    // Beyond the limit.
    call,
  ])
    expect((await sendMessage(own, message)).statusCode).toBe(200)
  expect((await sendMessage(own, list, { authorization: '' })).statusCode).toBe(401)
  const counted = (await own.ops.inject('/metrics')).body.matchAll(
    /^vitrine_http_request_duration_seconds_count\{route="([^"]*)",status="(\d+)"\} ([1-9]\d*)$/gm,
  )
  expect([...counted].map(([, route, status, count]) => `${route} ${status} ${count}`).sort()).toEqual([
    '/api/public/v1/invoices 400 1',
    '/api/public/v1/invoices/:id 404 1',
    '/api/public/v1/registrations 200 1',
    '/docs/sync.md 200 1',
    '/mcp 200 3',
    '/mcp 401 1',
  ])
})

describe('a browser', () => {
  test('of another site gets 403 and no permission of CORS', async () => {
    const answer = await sendMessage(service, list, { origin: 'https://app.example.com' })
    expect([answer.statusCode, answer.json<{ id: unknown }>().id]).toBeTruthy()
    expect(answer.statusCode).toBe(403)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    const preflight = await service.app.inject({
      method: 'OPTIONS',
      url: '/mcp',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    })
    expect([preflight.statusCode, preflight.headers['allow']]).toEqual([405, 'POST'])
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('of the own site may call', async () => {
    const own = await startService(database, { env: { MCP: 'on', PUBLIC_URL: 'https://api.example.com/v' } })
    const answers = await Promise.all(
      ['https://api.example.com', 'https://api.example.com:444', 'null'].map((origin) =>
        sendMessage(own, list, { origin }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 403, 403])
    const uri = 'https://api.example.com/v/docs/sync.md'
    expect((await sendMessage(own, { ...list, method: 'resources/list' })).body).toContain(`"${uri}"`)
    const read = await sendMessage(own, { ...list, method: 'resources/read', params: { uri } })
    expect(read.body).toContain('# Synchronize a copy')
  })
})

test.each(['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS'] as const)(
  '%s is 405, and Allow says POST',
  async (method) => {
    const answer = await service.app.inject({ method, url: '/mcp' })
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'POST'])
  },
)

const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
test.each([
  ['a batch', [call, call], {}, 'batches'],
  ['no JSON', '{"jsonrpc"', {}, 'not JSON'],
  ['nothing', '', {}, 'not JSON'],
  ['another type', call, { 'content-type': 'text/plain' }, 'application/json'],
  ['more than 64 KiB', { ...call, id: 'a'.repeat(66_000) }, {}, 'larger'],
])('a body that is %s is malformed_request', async (_, body, headers, detail) => {
  const answer = await sendMessage(service, body, headers)
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'malformed_request'])
  expect(answer.json<{ detail: string }>().detail).toContain(detail)
})

test.each([
  ['a tool that does not exist', { ...call, params: { name: 'delete_registration' } }],
  ['a method that does not exist', { ...list, method: 'prompts/list' }],
  ['arguments of 30,000 levels', JSON.stringify(call).replace('{"limit":1}', `{"limit":${deep}}`)],
  [
    'a resource that does not exist',
    { ...list, method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
  ],
])('%s is an error of the protocol or of the tool', async (_, message) => {
  const answer = await sendMessage(service, message)
  expect(answer.statusCode).toBeLessThan(500)
  expect(answer.body).toMatch(/"error":|"isError":true/)
  expect((await sendMessage(service, call)).statusCode).toBe(200)
})

test.each([
  ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
  ['a cancellation', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, 202],
  ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 202],
  ['no message', {}, 400],
  ['a call without an id', { ...call, id: null }, 400],
])('%s ends at once', async (_, message, status) => {
  expect((await sendMessage(service, message)).statusCode).toBe(status)
})

test('with MCP=off the path is a 404, and no module of it is loaded', async () => {
  const trace = `import { register } from 'node:module'
    register('data:text/javascript,' + encodeURIComponent(\`
      import { writeSync } from 'node:fs'
      export const load = (url, context, next) => (writeSync(1, 'loaded ' + url + '\\\\n'), next(url, context))\`))`
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(trace)}`]
  const isOfMcp = (line: string) => /^loaded .*(?:modelcontextprotocol|\/zod\/|\/api\/mcp\/)/.test(line)
  for (const [mcp, status, isLoaded] of [
    ['off', 404, false],
    ['on', 401, true],
  ] as const) {
    const env = { ...toServingEnv(database), MCP: mcp }
    const serving = await startServing(throwaway, { env, nodeArgs })
    const answer = await fetch(`${serving.api}/mcp`, { method: 'POST' })
    expect(answer.status).toBe(status)
    const lines = serving.output().split('\n')
    expect(lines.some((line) => line.includes('/api/app.js'))).toBe(true)
    expect([mcp, lines.some(isOfMcp)]).toEqual([mcp, isLoaded])
    serving.child.kill('SIGTERM')
    await serving.ended
  }
})

test('the official client cannot connect without a valid key', async () => {
  const origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  await expect(connectAgent(origin, { key: keys.revoked })).rejects.toThrow()
})
