import mysql from 'mysql2/promise'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { HttpLimits } from '../../src/api/limits.js'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { base } from '../support/client.js'
import { docs, listen as startListening, pollOptions } from '../support/listening.js'
import type { Listening } from '../support/listening.js'
import type { CollectionName } from '../support/expected.js'
import { useThrowaway } from '../support/service.js'

// Below what Node takes by itself, which looks at its times every 30 seconds.
vi.setConfig({ testTimeout: 20_000 })

const throwaway = useThrowaway()
let database: ProductDatabase
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 100 })
})

const listen = (limits: Partial<HttpLimits>): Promise<Listening> => startListening(database, limits)

/** 22 MB, which no buffer of the kernel holds. */
const flood = 'GET /docs HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(400)
const toList = (limit: number, collection: CollectionName = 'registrations'): string =>
  `GET ${base}/${collection}?limit=${limit} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.both}\r\n\r\n`

/** Runs while no row of the registrations can be read. */
async function whileLocked(task: (admin: mysql.Connection) => Promise<void>): Promise<void> {
  const admin = await mysql.createConnection({ uri: database.adminUrl })
  try {
    await admin.query('LOCK TABLES event_registrations WRITE')
    await task(admin)
  } finally {
    await admin.end()
  }
}

describe('a request that does not come', () => {
  test.each([
    ['no byte', ''],
    ['half a line', 'GET /do'],
    ['half a head', 'GET /docs HTTP/1.1\r\nHost: a\r\n'],
  ])('%s gets an answer that says so, and is closed', async (_what, bytes) => {
    const { call } = await listen({ headersTimeoutMs: 50 })
    const caller = await call()
    caller.send(bytes)
    const [answer, ...others] = await caller.closed
    expect([answer?.status, others]).toEqual([408, []])
    expect(JSON.parse(answer!.body)).toMatchObject({ code: 'request_timeout' })
  })

  test('a byte now and then keeps nothing open', async () => {
    const { call } = await listen({ headersTimeoutMs: 100 })
    const caller = await call()
    caller.send('GET /docs HTTP/1.1\r\nX: ')
    const timer = setInterval(() => {
      caller.send('x')
    }, 5)
    try {
      expect((await caller.closed).map(({ status }) => status)).toEqual([408])
    } finally {
      clearInterval(timer)
    }
  })

  test('the body of a request that has its answer is waited for no longer, and has no second one', async () => {
    const { call } = await listen({ requestTimeoutMs: 50, headersTimeoutMs: 50 })
    const caller = await call()
    caller.send(docs.replace('\r\n\r\n', '\r\nContent-Length: 10\r\n\r\nhello'))
    expect((await caller.closed).map(({ status }) => status)).toEqual([200])
  })

  test('a connection that is not used any more is closed', async () => {
    const { call } = await listen({ keepAliveTimeoutMs: 50 })
    const caller = await call()
    caller.send(docs)
    expect((await caller.closed).map(({ status }) => status)).toEqual([200])
  })
})

describe('an answer that is not taken', () => {
  test('is given up, whatever of it lies in buffers, while one that waits for the database is not', async () => {
    const { call, countConnections } = await listen({ answerTimeoutMs: 50, pipelinedMax: 400 })
    await whileLocked(async (admin) => {
      const waiting = await call()
      waiting.send(toList(1))
      const stalled = await call()
      stalled.socket.pause()
      stalled.send(flood)
      await expect.poll(countConnections, pollOptions).toBe(1)
      await admin.query('UNLOCK TABLES')
      const [answer] = await waiting.waitFor(1)
      expect(answer?.status).toBe(200)
    })
  })

  test('nor is the connection of who was refused left to its caller', async () => {
    const { call, countConnections } = await listen({ answerTimeoutMs: 50 })
    const caller = await call()
    // It keeps its side open, and goes on sending.
    caller.socket.allowHalfOpen = true
    caller.send('nonsense\r\n\r\n')
    const [answer] = await caller.waitFor(1)
    caller.send('nonsense\r\n\r\n')
    expect(answer?.status).toBe(400)
    await expect.poll(countConnections, pollOptions).toBe(0)
  })
})

test('a flood of requests on one connection is answered in order, and held no longer than it may', async () => {
  const { call, ops } = await listen({ pipelinedMax: 6 })
  await whileLocked(async (admin) => {
    const caller = await call()
    caller.send([1, 2, 3, 4, 5, 6, 7, 8].map((limit) => toList(limit)).join(''))
    const countUnderWay = async (): Promise<number> => {
      const { body } = await ops.inject('/metrics')
      const gauges = body.matchAll(/^vitrine_database_(?:active|waiting) (\d+)$/gm)
      return [...gauges].reduce((sum, [, count]) => sum + Number(count), 0)
    }
    await expect.poll(countUnderWay, pollOptions).toBe(6)
    await admin.query('UNLOCK TABLES')
    const answers = await caller.waitFor(8)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 503, 503])
    for (const { headers, body } of answers.slice(6)) {
      expect(JSON.parse(body)).toMatchObject({ code: 'overloaded' })
      expect(headers.get('retry-after')).toBe('1')
    }
    const lengths = answers
      .slice(0, 6)
      .map(({ body }) => (JSON.parse(body) as { data: unknown[] }).data.length)
    expect(lengths).toEqual([1, 2, 3, 4, 5, 6])
    // It was one moment's overload, not the connection's end.
    caller.send(toList(1))
    expect((await caller.waitFor(9))[8]?.status).toBe(200)
  })
})

test('an answer that waits for the one before it is not written over by that', async () => {
  const { call, ops } = await listen({})
  await whileLocked(async (admin) => {
    const [caller, other] = [await call(), await call()]
    caller.send(toList(9) + toList(5, 'invoices'))
    other.send(toList(5, 'invoices'))
    const [alike] = await other.waitFor(1)
    await expect
      .poll(async () => (await ops.inject('/metrics')).body, pollOptions)
      .toMatch(/^vitrine_database_active 1$/m)
    await admin.query('UNLOCK TABLES')
    const [first, second] = (await caller.waitFor(2)).map(
      ({ body }) => JSON.parse(body) as { data: unknown[] },
    )
    expect(first?.data).toHaveLength(9)
    expect(second?.data).toEqual((JSON.parse(alike!.body) as { data: unknown[] }).data)
  })
})

describe('callers beyond the limit', () => {
  test('get a 503 while all others are being answered', async () => {
    const { call, ops } = await listen({ connectionsMax: 2 })
    await whileLocked(async (admin) => {
      const busy = [await call(), await call()]
      for (const caller of busy) caller.send(toList(1))
      await expect
        .poll(async () => (await ops.inject('/metrics')).body, pollOptions)
        .toMatch(/^vitrine_http_connections 2$/m)
      const refused = await call()
      refused.send(docs)
      const [answer, ...others] = await refused.closed
      expect([answer?.status, answer?.headers.get('retry-after'), others]).toEqual([503, '1', []])
      expect(JSON.parse(answer!.body)).toMatchObject({ code: 'overloaded' })
      await admin.query('UNLOCK TABLES')
      for (const caller of busy) expect((await caller.waitFor(1))[0]?.status).toBe(200)
    })
  })

  test('take the place of the caller that is idle for the longest time', async () => {
    const { call, countConnections } = await listen({ connectionsMax: 2 })
    const [first, second] = [await call(), await call()]
    for (const caller of [first, second, first]) {
      const count = caller.answers().length + 1
      caller.send(docs)
      await caller.waitFor(count)
    }
    const next = await call()
    next.send(docs)
    expect((await next.waitFor(1))[0]?.status).toBe(200)
    expect(await second.closed).toHaveLength(1)
    await expect.poll(countConnections, pollOptions).toBe(2)
    first.send(docs)
    expect(await first.waitFor(3)).toHaveLength(3)
  })
})

test('the metrics tell callers from connections without a successful answer', async () => {
  const { call, ops } = await listen({ connectionsMax: 5 })
  const read = async (name: string): Promise<string | undefined> =>
    new RegExp(`^${name} (\\d+)$`, 'm').exec((await ops.inject('/metrics')).body)?.[1]
  const first = await call()
  await call()
  await expect.poll(() => read('vitrine_http_connections_pending'), pollOptions).toBe('2')
  expect([await read('vitrine_http_connections'), await read('vitrine_http_connections_max')]).toEqual([
    '0',
    '5',
  ])
  first.send(docs)
  await first.waitFor(1)
  await expect.poll(() => read('vitrine_http_connections_pending'), pollOptions).toBe('1')
  expect(await read('vitrine_http_connections')).toBe('1')
  first.socket.destroy()
  await expect.poll(() => read('vitrine_http_connections'), pollOptions).toBe('0')
})
