import { describe, expect, test } from 'vitest'
import { createClient, VitrineError } from '../../src/client/index.js'
import { createSend } from '../../src/client/request.js'
import type { Connection } from '../../src/client/request.js'
import { endless, html, json, N, page, problem, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

/** Requests without real delays: these are recorded, in milliseconds. */
function createRecordedFetch(url: string, options: Partial<Connection> = {}) {
  const delays: number[] = []
  const wait = (ms: number): Promise<void> => {
    delays.push(ms)
    return Promise.resolve()
  }
  const limits = { retries: 3, timeoutMs: 60_000 }
  const fixed = { headers: new Headers(), fetch: undefined, random: () => 0, wait }
  const send = createSend({ url, ...fixed, ...limits, ...options })
  const fetchJson = async () => (await send('/x', {})).value
  return { fetchJson, delays }
}

/** The error of a call. */
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

/** A success without `Content-Length`: the end of the connection is also the end of the body. */
const cut: Script = (response) => {
  response.socket?.end('HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{"data":[')
}
const dead: Script = (response) => {
  response.socket?.destroy()
}

describe('a transient error is retried', () => {
  test.each<[string, Script, readonly number[]]>([
    ['429', problem('rate_limited', 429, { 'retry-after': '7' }), [7000]],
    ['503', problem('overloaded', 503, { 'retry-after': '1' }), [1000]],
    ['408', problem('request_timeout', 408), [250]],
    ...[429, 500, 502, 503, 504].map((status): [string, Script, number[]] => [
      `${String(status)} of a proxy`,
      html(status),
      [250],
    ]),
    ['a lost connection', dead, [250]],
    ['an incomplete body', cut, [250]],
  ])('%s', async (_, script, expected) => {
    const { url, requests } = await startScript(script, json({ ok: true }))
    const { fetchJson, delays } = createRecordedFetch(url)
    expect(await fetchJson()).toEqual({ ok: true })
    expect([delays, requests.length]).toEqual([expected, 2])
  })

  test('up to the limit, with a doubled delay each time', async () => {
    const { url, requests } = await startScript(problem('overloaded', 503))
    const { fetchJson, delays } = createRecordedFetch(url)
    await expect(fetchJson()).rejects.toMatchObject({ code: 'overloaded', status: 503 })
    expect([delays, requests.length]).toEqual([[250, 500, 1000], 4])
  })

  test('but not when Retry-After is longer than the limit', async () => {
    const { url, requests } = await startScript(problem('rate_limited', 429, { 'retry-after': '121' }))
    const { fetchJson } = createRecordedFetch(url)
    await expect(fetchJson()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 121_000 })
    expect(requests).toHaveLength(1)
  })

  test('after a timeout', async () => {
    const { url, requests } = await startScript(() => undefined, json({ ok: true }))
    // Enough retries for a machine that is too busy to answer the next ones in time.
    const limits = { timeoutMs: 50, retries: 1000 }
    expect(await createRecordedFetch(url, limits).fetchJson()).toEqual({ ok: true })
    expect(requests.length).toBeGreaterThan(1)
    const silent = await startScript(() => undefined)
    const { fetchJson } = createRecordedFetch(silent.url, { timeoutMs: 1, retries: 0 })
    await expect(fetchJson()).rejects.toMatchObject({ code: 'timeout', status: undefined })
  })
})

describe('any other error is a VitrineError at once', () => {
  test.each<[string, Script, object]>([
    ['an invalid key', problem('invalid_key', 401), { code: 'invalid_key', status: 401, requestId: 'r-1' }],
    ['a code of a later release', problem('novel', 418), { code: 'novel', detail: 'It was novel.' }],
    ['HTML instead of JSON', html(200), { code: 'unexpected_answer', status: 200 }],
    [
      'JSON that has a code and a detail, but is not a problem',
      json({ code: 'not_found', detail: 'no' }, 404),
      { code: 'unexpected_answer', status: 404 },
    ],
  ])('%s', async (_, script, expected) => {
    const { url, requests } = await startScript(script)
    const error = await failureOf(createRecordedFetch(url).fetchJson())
    expect(error).toBeInstanceOf(VitrineError)
    expect(error).toMatchObject(expected)
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['an error page', html(404)],
    ['JSON', json({ message: 'Not Found' }, 404)],
  ])('404 of another service, %s, names the address and what the url must be', async (_, script) => {
    const { url } = await startScript(script)
    const list = createClient({ url: `${url}/shop`, key: 'k' }).invoices.list({ status: 'PAID' })
    const error = await failureOf(list.firstPage())
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 404 })
    expect(String(error)).toContain('The response is not from Vitrine (content type: ')
    expect(String(error)).toContain('The url must be the public address of the service, with or without')
    expect(String(error)).toMatch(
      /\(status 404, (request p-1, )?http:\/\/[^?]*\/shop\/api\/public\/v1\/invoices\)$/,
    )
  })

  test('a redirect is an error with its target, and the key is not sent there', async () => {
    const elsewhere = await startScript(json({ ok: true }))
    const { url } = await startScript((response) => {
      response.writeHead(308, { location: elsewhere.url }).end()
    })
    const error = await failureOf(createRecordedFetch(url).fetchJson())
    expect(error).toMatchObject({ code: 'redirected', status: 308 })
    expect(String(error)).toContain(elsewhere.url)
    expect(elsewhere.requests).toEqual([])
  })
})

test.each([
  ['an endless answer', 200, 'application/json', 'identity'],
  ['a small answer that becomes an endless one', 200, 'application/json', 'gzip'],
] as const)('%s is an error, of which 16 MiB are read', async (_, status, type, encoding) => {
  const { script, sent } = endless(status, type, encoding)
  const { url } = await startScript(script)
  const { invoices } = createClient({ url, key: 'k', retries: 0 })
  for (const read of [() => invoices.list().firstPage(), () => invoices.get('a')])
    await expect(read()).rejects.toMatchObject({ code: 'unexpected_answer' })
  // With what the sockets hold.
  expect(sent()).toBeLessThan(2 * (16 + 16) * (1 << 20))
})

test('a body that is still coming in after the timeout is ended, where fetch ignores the signal too', async () => {
  const { url } = await startScript((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 5)
    response.once('close', () => {
      clearInterval(timer)
    })
  })
  const custom = (input: Parameters<typeof fetch>[0]) => fetch(input)
  const read = createClient({ url, key: 'k', retries: 0, timeoutMs: 50, fetch: custom }).invoices.get('a')
  await expect(read).rejects.toMatchObject({ code: 'timeout' })
})

/** A page with another value in its `meta`. */
function withMeta(name: string) {
  return (value: unknown): [string, unknown] => {
    const meta = { cursor: null, nextUpdatedSince: N, [name]: value }
    return [`with ${JSON.stringify({ [name]: value }).slice(0, 40)}`, { data: [], meta }]
  }
}

describe('a list', () => {
  test('is read page by page, with the key and the filters in every request', async () => {
    const { url, requests } = await startScript(page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null))
    const client = createClient({ url, key: 'k' })
    const seen: string[] = []
    const updatedSince = new Date(0)
    for await (const { id } of client.registrations.list({ updatedSince, status: 'A&B', pageSize: 2 }))
      seen.push(id)
    expect(seen).toEqual(['a', 'b', 'c'])
    const first =
      '/api/public/v1/registrations?limit=2&updatedSince=1970-01-01T00%3A00%3A00.000Z&status=A%26B'
    expect(requests).toEqual([
      [first, 'Bearer k'],
      [`${first}&cursor=c1`, 'Bearer k'],
      [`${first}&cursor=c2`, 'Bearer k'],
    ])
  })

  test('begins again, once, where its own cursor is rejected, and not where that of the caller is', async () => {
    const rejected = problem('invalid_cursor', 400)
    const read = async (cursor: string | undefined, ...scripts: readonly [Script, ...Script[]]) => {
      const { url } = await startScript(...scripts)
      const seen: string[] = []
      const records = createClient({ url, key: 'k' }).invoices.list({ updatedSince: '2026-03-01', cursor })
      for await (const { id } of records) seen.push(id)
      return seen
    }
    const first = page(['a'], 'c1')
    expect(await read(undefined, first, rejected, first, page(['b'], null))).toEqual(['a', 'a', 'b'])
    const error = { code: 'invalid_cursor' }
    await expect(read(undefined, first, rejected, first, rejected)).rejects.toMatchObject(error)
    await expect(read('c0', rejected, first)).rejects.toMatchObject(error)
  })

  test('fetches no page after the loop has ended', async () => {
    const { url, requests } = await startScript(page(['a'], 'c1'), page(['b'], null))
    for await (const _ of createClient({ url, key: 'k' }).invoices.list().pages()) break
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['without an object', []],
    ['without meta', { data: [] }],
    ['with a record that has no id', { data: [{}], meta: { cursor: null, nextUpdatedSince: N } }],
    // Each would be stored, and sent with every later request.
    ...[undefined, 5, '', 'a b', 'x'.repeat(16385)].map(withMeta('cursor')),
    ...[undefined, 5, 'yesterday', '2026-01-01', '2026-02-30T00:00:00Z', `${N}\n`].map(
      withMeta('nextUpdatedSince'),
    ),
    ...['1', 1.5, -1, 2 ** 53].map(withMeta('epoch')),
  ])('that is JSON %s is an error, not the end of the list', async (_, value) => {
    const { url } = await startScript(json(value))
    const pages = createClient({ url, key: 'k' }).invoices.list().pages()[Symbol.asyncIterator]()
    await expect(pages.next()).rejects.toMatchObject({ code: 'unexpected_answer' })
  })

  test('that repeats a cursor is an error', async () => {
    const { url, requests } = await startScript(page(['a'], 'c1'), page([], 'c1'))
    const client = createClient({ url, key: 'k' })
    const read = async () => {
      for await (const _ of client.invoices.list());
    }
    await expect(read()).rejects.toMatchObject({ code: 'unexpected_answer' })
    expect(requests).toHaveLength(2)
  })
})
