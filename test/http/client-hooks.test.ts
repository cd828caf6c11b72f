import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient, VitrineError } from '../../src/client/index.js'
import type { ClientOptions, ResponseEvent, RetryEvent } from '../../src/client/index.js'
import { json, notModified, page, problem, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

const limits = { 'ratelimit-limit': '1200', 'ratelimit-remaining': '1199', 'ratelimit-reset': '60' }
const rateLimit = { limit: 1200, remaining: 1199, resetSeconds: 60 }
const overloaded = problem('overloaded', 503, { 'x-request-id': 'r-503' })
const record = json({ id: 'a' }, 200, { 'x-request-id': 'r-200', etag: 'W/"1"', 'x-novel': 'n', ...limits })

async function connect(options: Partial<ClientOptions>, ...scripts: readonly Script[]) {
  const server = await startScript(...scripts)
  return { ...server, client: createClient({ url: server.url, key: 'k', ...options }) }
}

describe('onResponse', () => {
  test('is called for each response, with its request, its limit and its time', async () => {
    const events: ResponseEvent[] = []
    const onResponse = (event: ResponseEvent) => events.push(event)
    const { client, url } = await connect({ onResponse }, overloaded, record, notModified)
    await client.invoices.get('a')
    await client.invoices.get('a', { ifNoneMatch: 'W/"1"' })
    const path = '/invoices/a'
    const common = { path, url: `${url}/api/public/v1${path}`, durationMs: expect.any(Number) as unknown }
    expect(events).toMatchObject([
      { ...common, attempt: 1, status: 503, requestId: 'r-503', rateLimit: undefined },
      { ...common, attempt: 2, status: 200, requestId: 'r-200', rateLimit, etag: 'W/"1"' },
      { ...common, attempt: 1, status: 304, requestId: 'r-304' },
    ])
    expect(events.every(({ durationMs }) => durationMs > 0)).toBe(true)
    expect(events[1]?.headers.get('x-novel')).toBe('n')
  })

  test('is not called without a response', async () => {
    const events: unknown[] = []
    const onResponse = (event: unknown) => events.push(event)
    const { client } = await connect({ onResponse, retries: 0 }, (response) => response.socket?.destroy())
    await expect(client.invoices.get('a')).rejects.toMatchObject({ code: 'network_error' })
    expect(events).toEqual([])
  })
})

describe('onKeyExpiry', () => {
  const dayMs = 86_400_000
  const toExpiry = (ms: number): string => new Date(ms).toISOString()
  const expiring = (ms: number) => json({ id: 'a' }, 200, { 'api-key-expires': toExpiry(ms) })

  test('is called once a day from 14 days before the expiry, which each response has', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const expiry = Date.now() + 14 * dayMs + 1
    const events: unknown[] = []
    const { client } = await connect(
      { onKeyExpiry: (event) => events.push(event) },
      ...Array.from({ length: 5 }, () => expiring(expiry)),
      record,
    )
    const read = async (ms: number) => {
      vi.setSystemTime(Date.now() + ms)
      return (await client.invoices.get('a')).lastResponse.keyExpiresAt
    }
    expect(await read(0)).toBe(toExpiry(expiry))
    expect(events).toEqual([])
    for (const ms of [2, dayMs - 1, 1, 13 * dayMs]) await read(ms)
    expect(events).toEqual([13, 12, 0].map((daysLeft) => ({ expiresAt: toExpiry(expiry), daysLeft })))
    expect(await read(0)).toBeUndefined()
  })
})

describe('onRetry', () => {
  test('is called before each delay, with the reason and the length of the delay', async () => {
    const events: RetryEvent[] = []
    const { client } = await connect(
      { onRetry: (event) => events.push(event), retries: 2 },
      (response) => response.socket?.destroy(),
      overloaded,
      page(['a'], null),
    )
    await client.invoices.list().firstPage()
    const path = '/invoices?limit=100'
    expect(events).toMatchObject([
      { path, attempt: 1, error: { code: 'network_error' } },
      { path, attempt: 2, error: { code: 'overloaded', requestId: 'r-1' } },
    ])
    expect(events[0]?.delayMs).toBeGreaterThanOrEqual(250)
    expect(events[1]?.delayMs).toBeGreaterThanOrEqual(500)
  })

  test('is not called after the last attempt, and not for an error that is not transient', async () => {
    const events: unknown[] = []
    const options = { onRetry: (event: unknown) => events.push(event), retries: 0 }
    const { client } = await connect(options, overloaded, problem('invalid_key', 401))
    await expect(client.invoices.get('a')).rejects.toMatchObject({ code: 'overloaded' })
    await expect(client.invoices.get('a', { retries: 3 })).rejects.toMatchObject({ code: 'invalid_key' })
    expect(events).toEqual([])
  })
})

describe('a hook that throws', () => {
  const failure = new Error('from the hook')
  const transient = new VitrineError('overloaded', 'from the hook', { status: 503 })

  test.each<[string, Partial<ClientOptions>, unknown]>([
    [
      'onRetry',
      {
        onRetry: () => {
          throw failure
        },
      },
      failure,
    ],
    ['onRetry, later', { onRetry: () => Promise.reject(failure) }, failure],
    [
      'onResponse',
      {
        onResponse: () => {
          throw failure
        },
      },
      failure,
    ],
    ['onResponse, later', { onResponse: () => Promise.reject(failure) }, failure],
    [
      'onResponse, a transient error',
      {
        onResponse: () => {
          throw transient
        },
      },
      transient,
    ],
  ])('ends the call with its error, and without a retry: %s', async (_, options, expected) => {
    const { client, requests } = await connect(options, overloaded, record)
    await expect(client.invoices.get('a')).rejects.toBe(expected)
    expect(requests).toHaveLength(1)
  })
})

describe('the response of a result', () => {
  const response = { status: 200, requestId: 'r-200', rateLimit, etag: 'W/"1"' }

  test('is a property of a record, which JSON and copies do not have', async () => {
    const { client } = await connect({}, record)
    const one = await client.invoices.get('a')
    expect(one.lastResponse).toMatchObject(response)
    expect(one.lastResponse.headers.get('x-novel')).toBe('n')
    expect(JSON.stringify(one)).toBe('{"id":"a"}')
    expect({ ...one }).not.toHaveProperty('lastResponse')
  })

  test('is a property of every page', async () => {
    const headers = { 'x-request-id': 'r-200', etag: 'W/"1"', ...limits }
    const { client } = await connect({}, page(['a'], 'c', 'N', headers), page(['b'], null, 'N', headers))
    for await (const one of client.invoices.pages()) expect(one.lastResponse).toMatchObject(response)
  })

  test('is a property of an error, which a log of its properties does not have', async () => {
    const { client } = await connect({}, problem('invalid_key', 401, limits))
    const error = await client.invoices.get('a').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ requestId: 'r-1', lastResponse: { status: 401, rateLimit } })
    expect(Object.keys(error as object)).not.toContain('lastResponse')
  })

  test.each([
    ['without headers', {}],
    ['with headers that are not numbers', { ...limits, 'ratelimit-reset': 'soon' }],
  ])('has no rate limit %s', async (_, headers) => {
    const { client } = await connect({}, json({ id: 'a' }, 200, headers))
    expect((await client.invoices.get('a')).lastResponse).toMatchObject({ rateLimit: undefined, etag: null })
  })
})
