import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../src/client/index.js'
import type { Client, RetryEvent } from '../../src/client/index.js'
import { createCertificate } from '../support/certificate.js'
import { json, page, problem, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

const given = { url: 'http://a.test', key: 'k' }
const call = (run: (client: Client) => unknown) => (): unknown => run(createClient(given))
const create = (options: object) => (): unknown => createClient({ ...given, ...options })

test.each<[string, () => unknown, RegExp?]>([
  ['an empty key', create({ key: '' }), /key is not set/],
  ['a variable that was not set', create({ key: 'undefined' }), /key is not set/],
  ['a key that is not a text', create({ key: 5 }), /key must be ASCII text/],
  [
    'a key with a line end within',
    create({ key: 'k\n\u00a0\n' }),
    /it has the character U\+000A at position 2$/,
  ],
  ['a url without its protocol', create({ url: 'a.test:80' }), /must be an http or https address \(https:/],
  ['an account in the url', create({ url: 'http://u:p@a.test' }), /url must be/],
  ['a number of retries below 0', create({ retries: -1 }), /retries is not a number/],
  ['a header for the key', create({ headers: { authorization: 'x' } }), /authorization is not allowed/],
  ['a header that is none', create({ headers: { 'x-secret': 'se\ncret' } }), /"x-secret" .* not valid$/],
  ['an unknown option', create({ timeout: 5 }), /no option "timeout"; did you mean timeoutMs\?/],
  ['one of a list', call(({ invoices }) => invoices.list({ limit: 1 } as never)), /did you mean pageSize/],
  ['an id that leaves the path', call(({ invoices }) => invoices.get('..'))],
  ['several statuses', call(({ invoices }) => invoices.list({ status: ['PAID'] as never }).firstPage())],
])('a TypeError names the mistake before a request is sent: %s', async (_, run, text = /./) => {
  const error: unknown = await Promise.resolve()
    .then(run)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).toMatch(text)
  expect(String(error)).not.toContain('se\ncret')
})

test('the base path, extra headers and the program are sent', async () => {
  const { url, requests, headers } = await startScript(page([], null))
  for (const path of ['', '/', '/api/public/v1', '/api/public/v1/']) {
    // The file of a secret ends with a line end.
    const client = createClient({ url: `${url}${path}`, key: 'k\r\n', headers: { 'x-a': '1', 'x-b': '1' } })
    await client.invoices.list({ headers: { 'X-B': '2' } }).firstPage()
  }
  expect(new Set(requests.map(([path]) => path))).toEqual(new Set(['/api/public/v1/invoices?limit=100']))
  const sent = { authorization: 'Bearer k', 'x-a': '1', 'x-b': '2', accept: 'application/json' }
  expect(headers[0]).toMatchObject(sent)
  expect(headers[0]?.['user-agent']).toMatch(/^vitrine-client\/\d/)
})

const half: Script = (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{')
test.each<[string, Script]>([
  ['before', json({})],
  ['during the wait for a response', (): void => undefined],
  ['while a body is read', half],
  ['during the delay before a retry', problem('overloaded', 503, { 'retry-after': '100' })],
])('an abort %s rejects with the reason of the signal', async (when, script) => {
  const stop = new AbortController()
  const reason = new Error('enough')
  const abort = (): void => {
    setImmediate(() => {
      stop.abort(reason)
    })
  }
  const { url } = await startScript((response, request) => {
    script(response, request)
    // A 503 has to arrive first, because the delay begins after it.
    response.once('finish', abort)
    if (!response.writableEnded) abort()
  })
  if (when === 'before') stop.abort(reason)
  const read = createClient({ url, key: 'k' }).registrations.get('a', { signal: stop.signal })
  await expect(read).rejects.toBe(reason)
})

const record = json({ id: 'a' }, 200, { 'x-request-id': 'r-200', etag: 'W/"1"' })

test('onRetry has each delay, and a result its last response beside its JSON', async () => {
  const onRetry = vi.fn<(event: RetryEvent) => void>()
  const { url } = await startScript(problem('overloaded', 503), record)
  const result = await createClient({ url, key: 'k', onRetry }).invoices.get('a')
  const error = { code: 'overloaded', requestId: 'r-1' }
  expect(onRetry.mock.calls).toMatchObject([[{ path: '/invoices/a', attempt: 1, error }]])
  expect(result.lastResponse).toMatchObject({ status: 200, requestId: 'r-200', etag: 'W/"1"' })
  expect(JSON.stringify(result)).toBe('{"id":"a"}')
})

test('what a hook throws ends the call, without a retry', async () => {
  const failure = new Error('mine')
  const { url, requests } = await startScript(problem('overloaded', 503), record)
  const client = createClient({ url, key: 'k', onRetry: () => Promise.reject(failure) })
  await expect(client.invoices.get('a')).rejects.toBe(failure)
  expect(requests).toHaveLength(1)
})

test('onKeyExpiry is called once a day from 14 days before the expiry, which each response has', async () => {
  const dayMs = 86_400_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const expiresAt = new Date(Date.now() + 14 * dayMs + 1).toISOString()
  const onKeyExpiry = vi.fn()
  const { url } = await startScript(json({ id: 'a' }, 200, { 'api-key-expires': expiresAt }))
  const client = createClient({ url, key: 'k', onKeyExpiry })
  for (const ms of [0, 2, dayMs - 1, 1, 13 * dayMs]) {
    vi.setSystemTime(Date.now() + ms)
    expect((await client.invoices.get('a')).lastResponse.keyExpiresAt).toBe(expiresAt)
  }
  expect(onKeyExpiry.mock.calls).toEqual([13, 12, 0].map((daysLeft) => [{ expiresAt, daysLeft }]))
})

/** An https server with a certificate of its own authority. */
async function startSelfSigned(): Promise<string> {
  const { file, key } = createCertificate('DNS:localhost')
  const server = createServer({ key: readFileSync(key), cert: readFileSync(file) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

test.each<[string, () => Promise<string>, RegExp]>([
  ['a self-signed certificate', startSelfSigned, /is self-signed, .*NODE_EXTRA_CA_CERTS/],
  [
    'a port that speaks http',
    async () => (await startScript()).url.replace('http:', 'https:'),
    /does not speak TLS at this port: the address needs http, or another port \(\w+\)\.$/,
  ],
])('%s is a tls_error of one sentence, at once', async (_, start, detail) => {
  const onRetry = vi.fn()
  const read = createClient({ url: await start(), key: 'k', onRetry }).invoices.get('a')
  const text = expect.stringMatching(detail) as string
  await expect(read).rejects.toMatchObject({ code: 'tls_error', isTransient: false, detail: text })
  expect(onRetry).not.toHaveBeenCalled()
})
