import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/index.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'
import type { WholeMapping } from '../support/whole-mapping.js'

/*
 * Ways to store and to map things that neither product has; the administrator's own user reads here, since what
 * is granted is not the question.
 */

const throwaway = useThrowaway()

async function startChanged(
  statements: readonly string[],
  change: (mapping: WholeMapping) => Mapping,
): Promise<{ database: ProductDatabase; client: Client }> {
  const database = await throwaway.createProduct('plain')
  await runStatements(database.adminUrl, statements)
  const service = await startService({ ...database, readUrl: database.adminUrl }, { change })
  return { database, client: createClient(service) }
}

test('a view serves as a table, page by page and filtered', async () => {
  const { database, client } = await startChanged(
    [
      'CREATE VIEW shown AS SELECT id AS no, workspace_id AS ws, event_id AS ev, reg_status AS st, attendee_name AS nm, attendee_email AS em, checked_in_at AS ci, archived_at AS ar, created_at AS ca, updated_at AS ua FROM event_registrations',
    ],
    (mapping) => ({
      ...mapping,
      registrations: {
        table: 'shown',
        workspace: 'ws',
        archived: { column: 'ar', is: 'set' },
        fields: {
          id: 'no',
          eventId: 'ev',
          status: 'st',
          name: 'nm',
          email: 'em',
          checkedIn: { from: 'checkedInAt' },
          checkedInAt: 'ci',
          createdAt: 'ca',
          updatedAt: 'ua',
        },
      },
    }),
  )
  const expected = listExpected(database, 'registrations')
  expect(await client.crawl('registrations', { limit: 20 })).toEqual(expected.map(({ view }) => view))
  const ofEvent = expected.filter(({ truth }) => truth.event === 1).map(({ view }) => view)
  expect(await client.crawl('registrations', { limit: 3, eventId: database.product.eventId(1) })).toEqual(
    ofEvent,
  )
})

test('an ENUM is a status, a TINYINT a check-in without a time', async () => {
  const { database, client } = await startChanged(
    [
      "ALTER TABLE event_registrations MODIFY reg_status ENUM('CONFIRMED','PENDING','CANCELLED','WAITLISTED') NOT NULL, ADD here BOOLEAN NOT NULL DEFAULT 0",
      'UPDATE event_registrations SET here = checked_in_at IS NOT NULL',
    ],
    (mapping) => {
      const { checkedInAt: _, ...fields } = mapping.registrations.fields
      return {
        ...mapping,
        registrations: { ...mapping.registrations, fields: { ...fields, checkedIn: 'here' } },
      }
    },
  )
  // The column turns the small letters of some rows into the words of its list.
  const expected = listExpected(database, 'registrations').map(({ view }) => ({
    ...view,
    status: String(view['status']).toUpperCase(),
    checkedInAt: null,
  }))
  expect(await client.crawl('registrations')).toEqual(expected)
  const pending = expected.filter(({ status }) => status === 'PENDING')
  expect(await client.crawl('registrations', { status: 'PENDING', limit: 4 })).toEqual(pending)
  expect((await client.get('registrations', { status: 'pending' })).body.data).toEqual([])
  expect((await client.get('registrations', { status: '1' })).body.data).toEqual([])
})

test('a constant currency, an integer of whole units, and a due date that is NULL', async () => {
  const { client } = await startChanged(
    [
      'ALTER TABLE invoices MODIFY due_date DATE NULL, ADD whole INT NOT NULL DEFAULT 115',
      'UPDATE invoices SET due_date = NULL',
    ],
    (mapping) => ({
      ...mapping,
      invoices: {
        ...mapping.invoices,
        fields: { ...mapping.invoices.fields, currency: { constant: 'KWD' }, total: 'whole' },
      },
    }),
  )
  const { body } = await client.get('invoices', { limit: 100 })
  expect(body.data.length).toBeGreaterThan(50)
  for (const view of body.data)
    expect([view['total'], view['currency'], view['dueDate']]).toEqual(['115.000', 'KWD', null])
})

test.each(['base64', 'base64url', 'hex'] as const)(
  'keys hashed with SHA-512 in %s, in a column that takes one letter for another',
  async (encoding) => {
    const hash = createHash('sha512').update(keys.both).digest(encoding)
    const near =
      encoding === 'hex' ? hash.toUpperCase() : hash.replace(/[a-z]/, (letter) => letter.toUpperCase())
    const { database, client } = await startChanged(
      [
        'ALTER TABLE workspace_api_keys DROP KEY uq_key_hash, MODIFY key_hash VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL',
        "DELETE FROM workspace_api_keys WHERE label NOT LIKE '%both'",
        `UPDATE workspace_api_keys SET key_hash = '${near}'`,
      ],
      (mapping) => ({
        ...mapping,
        apiKeys: { ...mapping.apiKeys, hash: { column: 'key_hash', algorithm: 'sha512', encoding } },
      }),
    )
    expect((await client.get('invoices')).status).toBe(401)
    await runStatements(database.adminUrl, [`UPDATE workspace_api_keys SET key_hash = '${hash}'`])
    const again = createClient(
      await startService(
        { ...database, readUrl: database.adminUrl },
        {
          change: (mapping) => ({
            ...mapping,
            apiKeys: { ...mapping.apiKeys, hash: { column: 'key_hash', algorithm: 'sha512', encoding } },
          }),
        },
      ),
    )
    expect((await again.get('invoices')).status).toBe(200)
  },
)

test('a workspace whose id only resembles that of the key stays unseen', async () => {
  const { database, client } = await startChanged(
    [
      'ALTER TABLE invoices MODIFY workspace_id VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL',
    ],
    (mapping) => mapping,
  )
  const own = database.product.workspaceId(0)
  const before = await client.crawl('invoices')
  expect(before.length).toBeGreaterThan(50)
  const [first, second] = before.map((view) => String(view['id']))
  await runStatements(database.adminUrl, [
    `UPDATE invoices SET workspace_id = '${own.toLowerCase()}' WHERE id = '${first!}'`,
    `UPDATE invoices SET workspace_id = '${own} ' WHERE id = '${second!}'`,
  ])
  expect((await client.crawl('invoices')).map((view) => view['id'])).toEqual(
    before.slice(2).map((view) => view['id']),
  )
  for (const id of [first, second]) expect((await client.get(`invoices/${id!}`)).status).toBe(404)
})
