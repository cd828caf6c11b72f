import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient, VitrineError } from '../../src/client/index.js'
import type { ClientOptions, ResponseEvent, RetryEvent } from '../../src/client/index.js'
import { json, page, problem, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

const limits = { 'ratelimit-limit': '1200', 'ratelimit-remaining': '1199', 'ratelimit-reset': '60' }
const rateLimit = { limit: 1200, remaining: 1199, resetSeconds: 60 }
const overloaded = problem('overloaded', 503, { 'x-request-id': 'r-503' })
const record = json({ id: 'a' }, 200, { 'x-request-id': 'r-200', etag: 'W/"1"', 'x-novel': 'n', ...limits })

async function connect(options: Partial<ClientOptions>, ...scripts: readonly Script[]) {
  const server = await startScript(...scripts)
  return { ...server, client: createClient({ url: server.url, key: 'k', ...options }) }
}

test('onResponse is called for each response, and onRetry before each delay', async () => {
  const responses: ResponseEvent[] = []
  const retries: RetryEvent[] = []
  const hooks = {
    onResponse: (event: ResponseEvent) => responses.push(event),
    onRetry: (event: RetryEvent) => retries.push(event),
  }
  const { client, url } = await connect(hooks, (response) => response.socket?.destroy(), overloaded, record)
  await client.invoices.get('a')
  const path = '/invoices/a'
  const common = { path, url: `${url}/api/public/v1${path}`, durationMs: expect.any(Number) as unknown }
  expect(responses).toMatchObject([
    { ...common, attempt: 2, status: 503, requestId: 'r-503', rateLimit: undefined },
    { ...common, attempt: 3, status: 200, requestId: 'r-200', rateLimit, etag: 'W/"1"' },
  ])
  expect(responses[1]?.headers.get('x-novel')).toBe('n')
  expect(retries).toMatchObject([
    { path, attempt: 1, error: { code: 'network_error' } },
    { path, attempt: 2, error: { code: 'overloaded', requestId: 'r-1' } },
  ])
  expect(retries[1]?.delayMs).toBeGreaterThanOrEqual(500)
})

test('onKeyExpiry is called once a day from 14 days before the expiry, which each response has', async () => {
  const dayMs = 86_400_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const expiresAt = new Date(Date.now() + 14 * dayMs + 1).toISOString()
  const expiring = json({ id: 'a' }, 200, { 'api-key-expires': expiresAt })
  const onKeyExpiry = vi.fn()
  const { client } = await connect({ onKeyExpiry }, ...Array.from({ length: 5 }, () => expiring), record)
  const read = async (ms: number) => {
    vi.setSystemTime(Date.now() + ms)
    return (await client.invoices.get('a')).lastResponse.keyExpiresAt
  }
  expect([await read(0), onKeyExpiry.mock.calls]).toEqual([expiresAt, []])
  for (const ms of [2, dayMs - 1, 1, 13 * dayMs]) await read(ms)
  expect(onKeyExpiry.mock.calls).toEqual([13, 12, 0].map((daysLeft) => [{ expiresAt, daysLeft }]))
  expect(await read(0)).toBeUndefined()
})

test.each(['onRetry', 'onResponse'] as const)(
  'what %s throws ends the call, without a retry',
  async (name) => {
    const failure = new VitrineError('overloaded', 'A transient error.', { status: 503 })
    const { client, requests } = await connect({ [name]: () => Promise.reject(failure) }, overloaded, record)
    await expect(client.invoices.get('a')).rejects.toBe(failure)
    expect(requests).toHaveLength(1)
  },
)

describe('the response of a result', () => {
  const response = { status: 200, requestId: 'r-200', rateLimit, etag: 'W/"1"' }

  test('is a property of a record and of a page, which JSON and copies do not have', async () => {
    const { client } = await connect(
      {},
      record,
      page(['a'], null, 'N', { 'x-request-id': 'r-200', etag: 'W/"1"', ...limits }),
    )
    for (const one of [await client.invoices.get('a'), await client.invoices.list().firstPage()]) {
      expect(one.lastResponse).toMatchObject(response)
      expect(JSON.stringify(one)).not.toContain('lastResponse')
      expect({ ...one }).not.toHaveProperty('lastResponse')
    }
  })

  test('is a property of an error, which a log of its properties does not have', async () => {
    const { client } = await connect(
      {},
      problem('invalid_key', 401, { ...limits, 'ratelimit-reset': 'soon' }),
    )
    const error = await client.invoices.get('a').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ requestId: 'r-1', lastResponse: { status: 401, rateLimit: undefined } })
    expect(Object.keys(error as object)).not.toContain('lastResponse')
  })
})
