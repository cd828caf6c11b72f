import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import type { Client } from '../../src/client/index.js'
import { json, page, problem, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

const given = { url: 'http://a.test', key: 'k' }
const create = (options: object) => createClient({ ...given, ...options })

test.each([
  [{ key: '' }, /key is not set/],
  [{ key: undefined }, /key is not set/],
  [{ key: 'undefined' }, /key is not set/],
  [{ key: 5 }, /key must be ASCII text/],
  [{ key: 'Bearer k' }, /key must be ASCII text/],
  [{ key: 'k\n' }, /key must be ASCII text/],
  [{ url: '' }, /url must be an http or https address/],
  [{ url: 'ftp://a.test' }, /url must be/],
  [{ url: 'http://u:p@a.test' }, /url must be/],
  [{ url: 'http://a.test?x=1' }, /url must be/],
  [{ retries: -1 }, /retries is not a number/],
  [{ timeoutMs: 2 ** 31 }, /timeoutMs is not a number/],
  [{ headers: { authorization: 'x' } }, /authorization is not allowed/],
  [{ headers: { 'x-secret': 'se\ncret' } }, /"x-secret" has a name or a value that is not valid$/],
  [{ apikey: 'k' }, /no option "apikey"; did you mean key\?/],
  [{ timeout: 5 }, /no option "timeout"; did you mean timeoutMs\?/],
])('createClient with %j is a TypeError', (options, text) => {
  expect(() => create(options)).toThrow(TypeError)
  expect(() => create(options)).toThrow(text)
})

test.each<[string, (client: Client, options: never) => unknown, RegExp]>([
  [
    'eventID',
    ({ invoices }, options) => invoices.list(options),
    /list has no option "eventID"; did you mean eventId/,
  ],
  ['limit', ({ invoices }, options) => invoices.list(options), /did you mean pageSize/],
  ['since', ({ invoices }, options) => invoices.get('a', options), /get has no option/],
  ['retry', (client, options) => client.sync('invoices', options), /onPage|sync has no option/],
  ['filter', (client, options) => client.mirror('invoices', {} as never, options), /mirror has no option/],
])(
  'the option %s, which a call does not have, is a TypeError that names the nearest',
  async (name, call, text) => {
    const run = () =>
      Promise.resolve().then(() =>
        call(createClient(given), { [name]: 'x', onPage: () => undefined } as never),
      )
    await expect(run()).rejects.toThrow(TypeError)
    await expect(run()).rejects.toThrow(text)
  },
)

test.each([[''], ['.'], ['..'], [5]])('the id %j is a TypeError', async (id) => {
  await expect(createClient(given).invoices.get(id as string)).rejects.toThrow(TypeError)
})

test.each([
  { updatedSince: new Date(Number.NaN) },
  { status: ['PAID'] as never },
  { eventId: {} as never },
  { pageSize: 1.5 },
])('a list with %j is a TypeError', async (options) => {
  await expect(createClient(given).invoices.list(options).firstPage()).rejects.toThrow(TypeError)
})

test('the base path, extra headers and the program are sent', async () => {
  const { url, requests, headers } = await startScript(page([], null))
  for (const path of ['', '/', '/api/public/v1', '/api/public/v1/']) {
    const client = createClient({ url: `${url}${path}`, key: 'k', headers: { 'x-a': '1', 'x-b': '1' } })
    await client.invoices.list({ headers: { 'X-B': '2' } }).firstPage()
  }
  expect(new Set(requests.map(([path]) => path))).toEqual(new Set(['/api/public/v1/invoices?limit=100']))
  expect(headers[0]).toMatchObject({
    authorization: 'Bearer k',
    'x-a': '1',
    'x-b': '2',
    accept: 'application/json',
  })
  expect(headers[0]?.['user-agent']).toMatch(/^vitrine-client\/\d/)
})

describe('an abort', () => {
  test.each([
    ['before', json({})],
    ['during the wait for a response', (): void => undefined],
    [
      'while a body is read',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ],
    ['during the delay before a retry', problem('overloaded', 503, { 'retry-after': '100' })],
  ] as readonly [string, Script][])('%s rejects with the reason of the signal', async (when, script) => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const abort = () =>
      setImmediate(() => {
        stop.abort(reason)
      })
    const { url } = await startScript((response, request) => {
      script(response, request)
      // A 503 has to arrive first, because the delay begins after it.
      response.once('finish', abort)
      if (!response.writableEnded) abort()
    })
    if (when === 'before') stop.abort(reason)
    const client = createClient({ url, key: 'k' })
    await expect(client.registrations.get('a', { signal: stop.signal })).rejects.toBe(reason)
  })
})
