import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import mysql from 'mysql2/promise'
import { expect, test } from 'vitest'
import { canary, canaryDay, canaryNumber, canaryPair, keys, runStatements } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { base, readCursor } from '../support/client.js'
import { collections } from '../support/expected.js'
import type { CollectionName } from '../support/expected.js'
import { dial } from '../support/raw-caller.js'
import { startService, useProduct, useService, useThrowaway } from '../support/service.js'

/** Everything that must never leave the process: what stands in the forbidden columns, keys and their hashes. */
function listSecrets({ readUrl }: ProductDatabase): readonly string[] {
  const hashes = Object.values(keys).flatMap((key) => {
    const digest = createHash('sha256').update(key).digest()
    return [digest.toString('hex'), digest.toString('base64'), digest.toString('base64url')]
  })
  const cells = [canary, canary.toLowerCase(), canaryNumber, canaryDay, canaryPair]
  return [...cells, new URL(readUrl).password, ...Object.values(keys), ...hashes]
}

/** Names of the product's tables and columns, and of the program; they may be on no answer, but an operator's log may hold them. */
const internals = [
  ...['event_registrations', 'workspace_api_keys', 'reg_status', 'attendee_', 'badge_', 'einv_'],
  ...['grand_total', 'select ', 'SELECT ', 'mysql2', 'node_modules', '    at '],
]
const parameters = ['eventId', 'status', 'updatedSince', 'cursor', 'limit', 'sort', 'fields', 'phone']

const database = useProduct('plain')
const service = useService(database, { env: { LOG_LEVEL: 'trace' } })
const left: string[] = []

/** Sends a request, and keeps whatever came back, cursors opened. */
async function send(url: string, key: string = keys.both, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const answer = await service.app.inject({ method, url, headers: { authorization: `Bearer ${key}` } })
  const cursor = /"cursor":"([^"]+)"/.exec(answer.body)?.[1]
  left.push(JSON.stringify(answer.headers), answer.body, cursor === undefined ? '' : readCursor(cursor))
  return answer
}

/** Every page of a collection, and some of its records one by one. */
async function walk(collection: CollectionName): Promise<void> {
  for (let search = 'limit=100'; ;) {
    const { data, meta } = (await send(`${base}/${collection}?${search}`)).json<Page>()
    for (const { id } of data.slice(0, 10)) await send(`${base}/${collection}/${id}`)
    if (meta.cursor === null) return
    search = `limit=100&cursor=${meta.cursor}`
  }
}
interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly cursor: string | null }
}

function expectNothingSecret(text: string): void {
  for (const secret of listSecrets(database)) expect([secret, text.includes(secret)]).toEqual([secret, false])
}

test('nothing secret is in any answer, header, cursor, log line or metric', async () => {
  for (const collection of collections) {
    const list = `${base}/${collection}`
    await walk(collection)
    // Filters that there are and that there are not, with values that ask for what is forbidden.
    for (const name of [...parameters, 'badge_qr_token'])
      for (const value of [canary, '1 union select badge_qr_token', '`', "'", '*', '2026-01-05'])
        await send(`${list}?${name}=${encodeURIComponent(value)}`)
    for (const key of Object.values(keys)) await send(list, key)
    for (const method of ['HEAD', 'POST'] as const) await send(list, keys.both, method)
  }
  const pages = ['/docs', '/docs/errors', '/docs/limits', '/docs/assets/docs.js', '/metrics', '/']
  for (const url of [`${base}/openapi.json`, ...pages]) await send(url)
  const ops = await Promise.all(['/livez', '/readyz', '/metrics'].map((url) => service.ops.inject(url)))
  const answers = left.join('\n')
  expect(answers.length).toBeGreaterThan(100_000)
  expectNothingSecret([answers, service.logs(), ...ops.map(({ body }) => body)].join('\n'))
  // A column that the caller sends, and an element of the documentation page.
  const others = answers.replaceAll('badge_qr_token', '').replaceAll('<select ', '')
  for (const word of internals) expect([word, others.includes(word)]).toEqual([word, false])
})

test('whatever comes and however it fails, no key, query, path or header is in the log, traces included', async () => {
  const product = await useThrowaway().createProduct('plain', { registrations: 100 })
  const env = { LOG_LEVEL: 'trace', DATABASE_QUERY_TIMEOUT_MS: '2000' }
  const { app, logs } = await startService(product, { env })
  const sent = 'canary0815'
  const authorization = `Bearer ${keys.both}`
  const headers = { authorization, cookie: sent, referer: `http://x/${sent}` }
  const ask = async (url: string, more = {}, method: 'GET' | 'POST' = 'GET'): Promise<number> =>
    (await app.inject({ method, url, headers: { ...headers, ...more } })).statusCode
  const list = `${base}/registrations`
  for (const [status, url, more] of [
    [200, `${list}?eventId=${sent}&status=${sent}`],
    [404, `${list}/${sent}`],
    ...[
      `?${sent}=1`,
      `?limit=${sent}`,
      `?cursor=${sent}`,
      `?updatedSince=${sent}`,
      `/%zz${sent}?${sent}`,
    ].map((end) => [400, `${list}${end}`] as const),
    [400, `/${sent}/%zz?${sent}`],
    [414, `${list}/${sent.repeat(1000)}`],
    [401, list, { authorization: `Bearer ${sent}` }],
    [401, list, { authorization: `Basic ${sent}` }],
    [200, list, { 'x-request-id': `${sent} with blanks` }],
  ] as const)
    expect([url, await ask(url, more)]).toEqual([url, status])
  expect(await ask(`${list}?${sent}`, {}, 'POST')).toBe(405)

  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  for (const bytes of [
    sent,
    `GET /?${sent} HTTP/1.1\r\nAuthorization: ${authorization}\r\nbad ${sent}`,
    `GET /?${sent} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nX: ${sent.repeat(2000)}`,
    `GET ${list}?${sent} HTTP/1.1\r\nAuthorization: ${authorization}\r\nConnection: close`,
  ]) {
    const caller = await dial(port)
    caller.send(`${bytes}\r\n\r\n`)
    expect(await caller.closed).toHaveLength(1)
  }

  const admin = await mysql.createConnection({ uri: product.adminUrl })
  await admin.query('LOCK TABLES event_registrations WRITE')
  const fail = async () => [await ask(`${list}?eventId=${sent}`), await ask(`${list}/${sent}`)]
  expect(await fail()).toEqual([503, 503])
  await admin.end()
  await runStatements(product.adminUrl, ['ALTER TABLE event_registrations DROP COLUMN attendee_name'])
  expect(await fail()).toEqual([503, 503])
  // What an operator needs of a failure is there.
  expect(logs()).toContain('found event_registrations.attendee_name, which does not exist')
  expect(logs()).toMatch(/"errno":\d{4}/)
  for (const secret of [sent, ...Object.values(keys), 'earer', 'uthorization', '%zz'])
    expect([secret, logs().includes(secret)]).toEqual([secret, false])
})
