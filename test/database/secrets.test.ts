import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { canary, canaryDay, canaryNumber, canaryPair, keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { createHash } from 'node:crypto'
import { base, createClient, readCursor } from '../support/client.js'
import { collections } from '../support/expected.js'
import type { CollectionName } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const throwaway = useThrowaway()

/** Everything that must never leave the process: what stands in the forbidden columns, keys and their hashes. */
function listSecrets(database: ProductDatabase): readonly string[] {
  const hashes = Object.values(keys).flatMap((key) => {
    const digest = createHash('sha256').update(key).digest()
    return [digest.toString('hex'), digest.toString('base64'), digest.toString('base64url')]
  })
  const password = new URL(database.readUrl).password
  return [
    canary,
    canary.toLowerCase(),
    canaryNumber,
    canaryDay,
    canaryPair,
    password,
    ...Object.values(keys),
    ...hashes,
  ]
}

/** Names of the product's tables and columns; they may be on no answer, but an operator's log may hold them. */
const internals = [
  'event_registrations',
  'workspace_api_keys',
  'reg_status',
  'attendee_',
  'badge_',
  'einv_',
  'grand_total',
  'select ',
  'SELECT ',
  'mysql2',
  'node_modules',
  '    at ',
]

describe('a product with secrets in every column that is not shown', () => {
  let database: ProductDatabase
  let service: TestService
  const left: string[] = []
  beforeAll(async () => {
    database = await throwaway.createProduct('plain')
    service = await startService(database, { env: { LOG_LEVEL: 'trace' } })
  })

  /** Sends a request, and keeps whatever came back, cursors opened. */
  const send = async (
    url: string,
    headers: Readonly<Record<string, string>> = {},
    method: 'GET' | 'HEAD' | 'POST' = 'GET',
  ): Promise<number> => {
    const answer = await service.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${keys.both}`, ...headers },
    })
    const cursor = /"cursor":"([^"]+)"/.exec(answer.body)?.[1]
    left.push(JSON.stringify(answer.headers), answer.body, cursor === undefined ? '' : readCursor(cursor))
    return answer.statusCode
  }

  /** Every page of a collection, and some of its records one by one. */
  const walk = async (collection: CollectionName): Promise<void> => {
    const client = createClient(service)
    let search = 'limit=100'
    for (;;) {
      await send(`${base}/${collection}?${search}`)
      const { body } = await client.get(`${base}/${collection}?${search}`)
      for (const view of body.data.slice(0, 10)) await send(`${base}/${collection}/${String(view['id'])}`)
      if (body.meta.cursor === null) return
      search = `limit=100&cursor=${body.meta.cursor}`
    }
  }

  /** Every filter there is and some that there are not, with values that ask for what is forbidden. */
  const pry = async (collection: CollectionName): Promise<void> => {
    for (const filter of [
      'eventId',
      'status',
      'updatedSince',
      'cursor',
      'limit',
      'sort',
      'fields',
      'phone',
      'badge_qr_token',
    ]) {
      for (const value of [canary, '1 union select badge_qr_token', '`', "'", '*', '2026-01-05']) {
        await send(`${base}/${collection}?${filter}=${encodeURIComponent(value)}`)
      }
    }
  }

  test('nothing secret is in any answer, header, cursor, log line or metric', async () => {
    for (const collection of collections) {
      await walk(collection)
      await pry(collection)
      for (const key of Object.values(keys))
        await send(`${base}/${collection}`, { authorization: `Bearer ${key}` })
      await send(`${base}/${collection}`, {}, 'HEAD')
      await send(`${base}/${collection}`, {}, 'POST')
    }
    for (const url of [
      `${base}/openapi.json`,
      '/docs',
      '/docs/errors',
      '/docs/limits',
      '/docs/assets/docs.js',
      '/metrics',
      '/',
    ])
      await send(url)
    const ops = await Promise.all(['/livez', '/readyz', '/metrics'].map((url) => service.ops.inject(url)))
    const answers = left.join('\n')
    const all = [answers, service.logs(), ...ops.map(({ body }) => body)].join('\n')
    expect(answers.length).toBeGreaterThan(100_000)
    // What a caller sends comes back only as the name of a parameter that does not exist, which is not tried here.
    for (const secret of listSecrets(database))
      expect([secret, all.includes(secret)]).toEqual([secret, false])
    // A column that the caller sends, and an element of the documentation page.
    const others = answers.replaceAll('badge_qr_token', '').replaceAll('<select ', '')
    for (const word of internals) expect([word, others.includes(word)]).toEqual([word, false])
  })

  test('nothing secret comes back from hostile input either, and nothing fails', async () => {
    left.length = 0
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '../',
        '%00',
        "' or '1'='1",
        '1;drop table x',
        '${7*7}',
        '\\',
        "\\'",
        '--',
        '/*',
        '0x00',
        'NaN',
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...collections),
        fc.constantFrom('eventId', 'status', 'cursor', 'updatedSince', 'limit', 'id'),
        text,
        async (collection, where, value) => {
          const encoded = encodeURIComponent(Buffer.from(value).toString())
          const status = await send(
            where === 'id' ? `${base}/${collection}/${encoded}` : `${base}/${collection}?${where}=${encoded}`,
          )
          expect([200, 400, 404]).toContain(status)
        },
      ),
      { numRuns: 50 },
    )
    const all = left.join('\n') + service.logs()
    for (const secret of listSecrets(database))
      expect([secret, all.includes(secret)]).toEqual([secret, false])
  })
})
