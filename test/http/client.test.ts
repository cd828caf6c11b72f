import { describe, expect, test } from 'vitest'
import { createAsk } from '../../src/client/ask.js'
import type { Ask, Connection } from '../../src/client/ask.js'
import { createClient, VitrineError } from '../../src/client/index.js'
import { html, json, page, problem, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

interface Patience {
  readonly ask: Ask
  /** How long it would have waited. */
  readonly waits: readonly number[]
}

/** Asks without waiting: how long it would have is written down. */
function createPatience(url: string, options: Partial<Connection> = {}): Patience {
  const waits: number[] = []
  const wait = (ms: number): Promise<void> => {
    waits.push(ms)
    return Promise.resolve()
  }
  const limits = { retries: 3, timeoutMs: 60_000, retryAfterMaxMs: 120_000 }
  const ask = createAsk({ url, key: 'k', fetch: undefined, random: () => 0, wait, ...limits, ...options })
  return { ask, waits }
}

/** Answers a success whose body is shorter than it says. */
const broken: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"data":[')
  response.socket?.end()
}
/** The same without a length, so that the end of the connection looks like the end of the body. */
const cut: Script = (response) => {
  response.socket?.end('HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{"data":[')
}
const dead: Script = (response) => {
  response.socket?.destroy()
}

describe('what may pass is asked again', () => {
  test.each<[string, Script, readonly number[]]>([
    ['429', problem('rate_limited', 429, { 'retry-after': '7' }), [7000]],
    ['503', problem('overloaded', 503, { 'retry-after': '1' }), [1000]],
    ['503 of a proxy', html(503), [250]],
    ['502 of a gateway', html(502), [250]],
    ['504 of a gateway', html(504), [250]],
    ['a connection that breaks off', dead, [250]],
    ['a body that breaks off', broken, [250]],
    ['a body that breaks off unseen', cut, [250]],
  ])('%s', async (_, script, expected) => {
    const { url, asked } = await startScript(script, json({ ok: true }))
    const { ask, waits } = createPatience(url)
    expect(await ask('/x', undefined)).toEqual({ ok: true })
    expect([waits, asked.length]).toEqual([expected, 2])
  })

  test('up to the limit, each time twice as late', async () => {
    const { url, asked } = await startScript(problem('overloaded', 503))
    const { ask, waits } = createPatience(url)
    await expect(ask('/x', undefined)).rejects.toMatchObject({ code: 'overloaded', status: 503 })
    expect([waits, asked.length]).toEqual([[250, 500, 1000], 4])
  })

  test('not when the answer asks for more patience than there is', async () => {
    const { url, asked } = await startScript(problem('rate_limited', 429, { 'retry-after': '121' }))
    const { ask } = createPatience(url)
    await expect(ask('/x', undefined)).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 121_000 })
    expect(asked).toHaveLength(1)
  })

  test('an answer that does not come in time is given up', async () => {
    const { url, asked } = await startScript(() => undefined, json({ ok: true }))
    expect(await createPatience(url, { timeoutMs: 50 }).ask('/x', undefined)).toEqual({ ok: true })
    expect(asked).toHaveLength(2)
    const silent = await startScript(() => undefined)
    const { ask } = createPatience(silent.url, { timeoutMs: 1, retries: 0 })
    await expect(ask('/x', undefined)).rejects.toMatchObject({ code: 'timeout', status: undefined })
  })

  test('where nothing listens, the error says so', async () => {
    const { ask } = createPatience('http://127.0.0.1:1')
    const error = await ask('/x', undefined).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(VitrineError)
    expect(error).toMatchObject({ code: 'network_error', status: undefined, requestId: undefined })
    expect(String(error)).toMatch(/No whole answer came: .{3}/)
  })
})

describe('everything else is a VitrineError at once', () => {
  test.each<[string, Script, object]>([
    ['a refused key', problem('invalid_key', 401), { code: 'invalid_key', status: 401, requestId: 'r-1' }],
    ['a failure', problem('internal_error', 500), { code: 'internal_error', status: 500 }],
    ['a code of a later release', problem('novel', 418), { code: 'novel', detail: 'It was novel.' }],
    ['an error page', html(500), { code: 'unexpected_answer', status: 500, requestId: 'p-1' }],
    ['a page where JSON should be', html(200), { code: 'unexpected_answer', status: 200 }],
    ['JSON of another service', json({ error: 'no' }, 400), { code: 'unexpected_answer', status: 400 }],
    ['an answer without a body', (response) => response.writeHead(204).end(), { status: 204 }],
  ])('%s', async (_, script, expected) => {
    const { url, asked } = await startScript(script)
    const error = await createPatience(url)
      .ask('/x', undefined)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(VitrineError)
    expect(error).toMatchObject(expected)
    expect(asked).toHaveLength(1)
  })

  test('a redirect is named and not followed, so that the key stays here', async () => {
    const elsewhere = await startScript(json({ ok: true }))
    const { url } = await startScript((response) => {
      response.writeHead(308, { location: elsewhere.url }).end()
    })
    const error = await createPatience(url)
      .ask('/x', undefined)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'redirected', status: 308 })
    expect(String(error)).toContain(elsewhere.url)
    expect(elsewhere.asked).toEqual([])
  })
})

describe('an abort', () => {
  test.each([
    ['before', json({})],
    ['while an answer is awaited', (): void => undefined],
    [
      'while a body is read',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ],
    ['while another attempt is awaited', problem('overloaded', 503, { 'retry-after': '100' })],
  ] as readonly [string, Script][])('%s rejects with the reason of the signal', async (when, script) => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const { url } = await startScript((response, request) => {
      script(response, request)
      // The answer has to arrive first, where it is what comes before the wait.
      response.once('finish', () =>
        setImmediate(() => {
          stop.abort(reason)
        }),
      )
      if (!response.writableEnded)
        setImmediate(() => {
          stop.abort(reason)
        })
    })
    if (when === 'before') stop.abort(reason)
    const client = createClient({ url, key: 'k' })
    await expect(client.registrations.get('a', { signal: stop.signal })).rejects.toBe(reason)
    const loop = async (): Promise<void> => {
      for await (const _ of client.invoices.list({ signal: stop.signal })) throw new Error('no record')
    }
    await expect(loop()).rejects.toBe(reason)
  })
})

describe('a list', () => {
  test('is read page by page, the key and the filters with every request', async () => {
    const { url, asked } = await startScript(page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null))
    const client = createClient({ url, key: 'k' })
    const seen: string[] = []
    const updatedSince = new Date(0)
    for await (const { id } of client.registrations.list({ updatedSince, status: 'A&B', pageSize: 2 }))
      seen.push(id)
    expect(seen).toEqual(['a', 'b', 'c'])
    const first =
      '/api/public/v1/registrations?limit=2&updatedSince=1970-01-01T00%3A00%3A00.000Z&status=A%26B'
    expect(asked).toEqual([
      [first, 'Bearer k'],
      [`${first}&cursor=c1`, 'Bearer k'],
      [`${first}&cursor=c2`, 'Bearer k'],
    ])
  })

  test('asks for no page that nobody wants', async () => {
    const { url, asked } = await startScript(page(['a'], 'c1'), page(['b'], null))
    for await (const _ of createClient({ url, key: 'k' }).invoices.pages()) break
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['no object', []],
    ['without meta', { data: [] }],
    ['without a cursor', { data: [], meta: { nextUpdatedSince: 'N' } }],
    ['without the instant', { data: [], meta: { cursor: null } }],
    ['with a record that has no id', { data: [{}], meta: { cursor: null, nextUpdatedSince: 'N' } }],
  ])('that is JSON %s is not taken for an end', async (_, value) => {
    const { url } = await startScript(json(value))
    const pages = createClient({ url, key: 'k' }).invoices.pages()[Symbol.asyncIterator]()
    await expect(pages.next()).rejects.toMatchObject({ code: 'unexpected_answer' })
  })

  test('that leads back to the same page is not followed for ever', async () => {
    const { url, asked } = await startScript(page(['a'], 'same'))
    const all = async (): Promise<void> => {
      for await (const _ of createClient({ url, key: 'k' }).invoices.list());
    }
    await expect(all()).rejects.toMatchObject({ code: 'unexpected_answer' })
    expect(asked).toHaveLength(2)
  })
})
