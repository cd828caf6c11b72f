import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createClient as createPackageClient } from '../../src/client/index.js'
import type { MirrorChange } from '../../src/client/index.js'
import type { StoredRecord } from '../../src/client/scrub.js'
import { keys, runStatements } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { changeMapping } from '../support/checking.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'
import { collections } from '../support/expected.js'

const throwaway = useThrowaway()
const origin = 'http://service.test'

/** Where a table and its mapping begin, and what is changed between two pages. */
interface Change {
  readonly from?: readonly string[]
  readonly mapped?: Edit
  readonly to?: readonly string[]
  readonly remapped?: Edit
  /** Whether the service goes on, and compares the schema by its timer alone. */
  readonly isServing?: boolean
}
type Edit = readonly [part: string, by: string]

const id = (type: string) => `MODIFY id ${type} NOT NULL`
const numbered: Edit = ['\n    id: id\n    eventId', '\n    id: nr\n    eventId']
const numbers = ['ADD nr INT NOT NULL UNIQUE AUTO_INCREMENT']
const inEpoch = (unit: string) => `updatedAt: { column: changed, epoch: ${unit} }`
const toTimestamp = ["SET time_zone = '+03:00'", 'MODIFY updated_at TIMESTAMP(3) NOT NULL']

/** Changes of how a list is ordered. */
const changes: Readonly<Record<string, Change>> = {
  'the collation of the id': { to: [id('CHAR(26) CHARACTER SET ascii COLLATE ascii_general_ci')] },
  'a DATETIME in a zone that becomes a TIMESTAMP': {
    mapped: ["timezone: '+00:00'", "timezone: '+03:00'"],
    to: toTimestamp,
  },
  'an integer time in another unit': {
    from: [
      'ADD changed BIGINT',
      'UPDATE event_registrations SET changed = UNIX_TIMESTAMP(updated_at) * 1000',
    ],
    mapped: ['updatedAt: updated_at\ninvoices', `${inEpoch('ms')}\ninvoices`],
    to: ['UPDATE event_registrations SET changed = changed DIV 1000'],
    remapped: [inEpoch('ms'), inEpoch('s')],
  },
  'another zone in the mapping file': { remapped: ["timezone: '+00:00'", "timezone: '+03:00'"] },
  'a second column of times': {
    from: ['MODIFY updated_at DATETIME(3) NULL'],
    remapped: ['updatedAt: updated_at\ninvoices', 'updatedAt: { first: [updated_at, created_at] }\ninvoices'],
  },
}
/** Changes that leave the order as it is. */
const harmless: Readonly<Record<string, Change>> = {
  'an index, another column, and a NULL where there was none': {
    to: ['ADD KEY ix_more (updated_at)', 'ADD more INT', 'MODIFY created_at DATETIME(3) NULL'],
  },
  'a wider id': { to: [id('VARCHAR(200) CHARACTER SET ascii COLLATE ascii_bin')] },
  'a larger number as id': { from: numbers, mapped: numbered, to: ['MODIFY nr BIGINT NOT NULL'] },
}

const alter = ({ adminUrl }: ProductDatabase, statements: readonly string[]): Promise<void> =>
  runStatements(
    adminUrl,
    statements.map((one) => (/^(?:SET|UPDATE)/.test(one) ? one : `ALTER TABLE event_registrations ${one}`)),
  )
const edit = (database: ProductDatabase, by: Edit | undefined) =>
  by === undefined ? database : changeMapping(database, ...by)

/** Mirrors a list while it is changed behind its first page; the statuses of the pages, and the ids of the copy and of the list. */
async function mirrorThrough({ from = [], mapped, to = [], remapped, isServing = false }: Change) {
  const product = await throwaway.createProduct('plain', { registrations: 60 })
  await alter(product, [
    "UPDATE event_registrations SET updated_at = '2026-03-01 09:30:00.4' WHERE attendee_name < 'S'",
    "UPDATE event_registrations SET id = LOWER(id) WHERE attendee_name < 'F'",
    ...from,
  ])
  const first = await edit({ ...product, readUrl: product.adminUrl }, mapped)
  let service = await startService(first, { env: { SCHEMA_CHECK_SECONDS: '3600' } })
  const statuses: number[] = []
  const client = createPackageClient({
    url: origin,
    key: keys.both,
    fetch: async (input, init) => {
      if (statuses.length === 1) {
        await alter(product, to)
        if (!isServing) service = await startService(await edit(first, remapped))
      }
      const headers = Object.fromEntries(new Headers(init?.headers))
      const answer = await service.app.inject({ url: (input as string).replace(origin, ''), headers })
      statuses.push(answer.statusCode)
      return new Response(answer.body, {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string>,
      })
    },
  })
  const ids = new Set<string>()
  const store = {
    readState: () => Promise.resolve(null),
    readIds: () => Promise.resolve(ids),
    write: ({ records }: MirrorChange<StoredRecord>) => {
      for (const { id: key } of records) ids.add(key)
      return Promise.resolve()
    },
  }
  await client.mirror('registrations', store, { pageSize: 5 })
  const listed = await createClient(service).crawl('registrations', { limit: 100 })
  return { statuses, copied: [...ids].sort(), listed: listed.map((one) => String(one['id'])).sort() }
}

test.each(Object.entries(changes))('a cursor is invalid after another order: %s', async (_, change) => {
  const { statuses, copied, listed } = await mirrorThrough(change)
  expect(copied).toEqual(listed)
  expect(statuses.filter((status) => status !== 200)).toEqual([400])
  expect(statuses[1]).toBe(400)
})

test.each(['bin', 'general_ci'])('no crawl ends in another order than utf8mb4_%s', async (collation) => {
  const { statuses, copied, listed } = await mirrorThrough({
    from: [id(`CHAR(26) CHARACTER SET utf8mb4 COLLATE utf8mb4_${collation}`)],
    to: [id('CHAR(26) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci')],
    isServing: true,
  })
  expect(copied).toEqual(listed)
  expect(statuses.filter((status) => status !== 200)).toEqual([400])
})

test.each(Object.entries(harmless))('a cursor stays valid: %s', async (_, change) => {
  const { statuses, copied, listed } = await mirrorThrough(change)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(copied).toEqual(listed)
})

/** What someone who knows the format and the workspace can make: it holds no secret, so it must do no harm. */
function forge(collection: string, workspaceId: string, content: readonly unknown[]): string {
  const bytes = Buffer.from(JSON.stringify(content))
  const hash = createHash('sha256')
    .update(JSON.stringify([collection, workspaceId]))
    .update(bytes)
  return Buffer.concat([hash.digest().subarray(0, 12), bytes]).toString('base64url')
}

type Times = 'DATETIME' | 'seconds'

/** The plain product, also with the time of a change as a number of seconds. */
async function createTimed(times: Times): Promise<ProductDatabase> {
  const database = await throwaway.createProduct('plain', { registrations: 200 })
  if (times === 'DATETIME') return database
  await runStatements(
    database.adminUrl,
    ['event_registrations', 'invoices'].flatMap((table) => [
      `ALTER TABLE ${table} ADD changed BIGINT`,
      `UPDATE ${table} SET changed = UNIX_TIMESTAMP(updated_at)`,
    ]),
  )
  const changed = 'updatedAt: { column: changed, epoch: s }'
  return changeMapping({ ...database, readUrl: database.adminUrl }, 'updatedAt: updated_at', changed)
}

test.each(['DATETIME', 'seconds'] as const)('a forged cursor is a page or a 400, with %s', async (times) => {
  const database = await createTimed(times)
  const service = await startService(database)
  const client = createClient(service)
  const places = [
    ...[null, '0000-00-00 00:00:00', '2026-00-10 00:00:00', '2026-02-31 00:00:00', '1000-01-01 00:00:00'],
    ...['9999-12-31 23:59:59.999999', '2026-01-10 00:00:00.5', '2026-13-01 00:00:00', "' or 1=1"],
    ...['1767225600', '-1', '0', '99999999999999999999'],
  ]
  const ids = ['', '18446744073709551615', "' or ''='", '\u0000', '😀', 'é ', 'z'.repeat(5000)]
  const start = '2026-01-01T00:00:00.000000Z'
  for (const collection of collections) {
    for (const time of places) {
      const answers = await Promise.all(
        ids.map(async (id) => {
          const content = [1, time, id, start, null, null, null]
          const cursor = forge(collection, database.product.workspaceId(0), content)
          const { status, body } = await client.get(collection, { cursor })
          const isRight = status === 200 || body.code === 'invalid_cursor' || body.code === 'uri_too_long'
          return isRight ? undefined : [status, id.slice(0, 40)]
        }),
      )
      expect([time, answers.filter((answer) => answer !== undefined)]).toEqual([time, []])
    }
  }
})
