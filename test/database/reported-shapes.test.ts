import { createHash } from 'node:crypto'
import { describe, expect, inject, test } from 'vitest'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { keyTable, openKey } from '../support/open-key.js'
import { startService, useThrowaway } from '../support/service.js'

/* Shapes of public reports that failed once: each is shown as the product means it, in lists, records and filters. */

const { isMariaDb } = inject('server')
const throwaway = useThrowaway()
const times =
  "created_at DATETIME NOT NULL DEFAULT '2026-03-01', updated_at DATETIME NOT NULL DEFAULT '2026-03-01'"

interface Shape {
  readonly columns: string
  readonly rows: string
  readonly fields?: object
  readonly options?: string
}

/** Registrations of one table. */
async function serve({ columns, rows, fields, options = '' }: Shape): Promise<Client> {
  const key = openKey()
  const section = {
    table: 'attendees',
    workspace: 'account_id',
    archived: [],
    fields: {
      ...{ id: 'id', eventId: 'event_id', status: 'state', name: 'name', email: 'name' },
      checkedIn: { constant: false as const },
      ...{ createdAt: 'created_at', updatedAt: 'updated_at', ...fields },
    },
  }
  const database = await throwaway.createProduct({
    schema: {
      text: `${key.schema}; CREATE TABLE attendees (${columns}, state VARCHAR(9) NOT NULL DEFAULT 'x', ${times}) ${options}`,
    },
    rows: {
      text: `${key.rows}; SET sql_mode = ''; INSERT INTO attendees (id, account_id, event_id, name) VALUES ${rows};`,
    },
    mapping: { timezone: '+00:00', apiKeys: keyTable, registrations: section, neverRead: [] },
  })
  return createClient(await startService(database, { env: { AUDIT: 'enforce' } }), key.text)
}

/** Every record of the list, which the record route and the filter by its event show too. */
async function listAll(client: Client): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const records = await client.crawl('registrations')
  for (const record of records) {
    expect((await client.get(`registrations/${String(record['id'])}`)).body).toEqual(record)
    const ofEvent = await client.crawl('registrations', { eventId: String(record['eventId']) })
    expect(ofEvent).toEqual(records.filter(({ eventId }) => eventId === record['eventId']))
  }
  return records
}

type Typed = [type: string, first: string, second: string]
const ofMariaDb: Typed[] = [
  ['UUID', '123e4567-e89b-12d3-a456-426614174000', '00000000-0000-0000-0000-000000000001'],
  ['INET6', '::1', '2001:db8::8a2e:370:7334'],
]

test.each<Typed>([['INT(5) ZEROFILL', '00007', '00012'], ...(isMariaDb ? ofMariaDb : [])])(
  '%s is text as an id and an event, and a code of a status',
  async (type, first, second) => {
    const codes = [first, second].map((text) => [text.replace(/^0+(?=\d+$)/, ''), 'OK'])
    const client = await serve({
      columns: `id ${type} PRIMARY KEY, account_id INT NOT NULL, event_id ${type} NOT NULL, name VARCHAR(9) NOT NULL`,
      rows: `('${first}', 1, '${second}', 'a'), ('${second}', 1, '${first}', 'b')`,
      fields: { status: { column: 'event_id', values: Object.fromEntries(codes) as Record<string, string> } },
    })
    expect((await listAll(client)).map(({ id }) => String(id)).sort()).toEqual([first, second].sort())
    expect((await client.crawl('registrations', { limit: 1, status: 'OK' })).length).toBe(2)
    expect((await client.get('registrations/7')).status).toBe(404)
  },
)

describe.skipIf(!isMariaDb)('on MariaDB', () => {
  const versions = `, began TIMESTAMP(6) GENERATED ALWAYS AS ROW START INVISIBLE, Ended TIMESTAMP(6) GENERATED ALWAYS AS ROW END INVISIBLE,
    PERIOD FOR SYSTEM_TIME (began, Ended)`

  // No row of such a table can be read without its row-end column, where the product named it.
  test.each([
    ['hidden', '', {}],
    ['named', versions, { updatedAt: 'began' }],
  ])('a system-versioned table with %s row ends is served with its grants', async (_, more, fields) => {
    const client = await serve({
      columns: `id INT PRIMARY KEY, account_id INT NOT NULL, event_id INT NOT NULL, name VARCHAR(9) NOT NULL${more}`,
      rows: "(1, 1, 7, 'a'), (2, 1, 7, 'b'), (3, 1, 7, 'c'); UPDATE attendees SET name = 'd' WHERE id = 1; DELETE FROM attendees WHERE id = 3",
      options: 'WITH SYSTEM VERSIONING',
      fields,
    })
    expect((await listAll(client)).map(({ id, name }) => `${String(id)} ${String(name)}`).sort()).toEqual([
      '1 d',
      '2 b',
    ])
  })
})

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

test('keys of the form id|token with abilities, of which a test and a switch of the row decide', async () => {
  const rows = ['on', 'off', 'user', 'some'].map(
    (name, at) =>
      `(${at + 1}, '${hashOf(name)}', 1, '${name === 'some' ? '["registration.read"]' : '["*"]'}', ${Number(name !== 'off')}, '${name === 'user' ? 'user' : 'workspace'}')`,
  )
  const own = { id: 'id', status: 'id', createdAt: 'made', updatedAt: 'made' }
  const person = { eventId: 'id', name: 'name', email: 'name', checkedIn: { constant: false as const } }
  const fields = { ...own, ...person }
  const amounts = { number: 'id', total: 'id', currency: { constant: 'SAR' }, issueDate: 'made' }
  const invoice = { ...own, ...amounts, dueDate: null }
  const common = { table: 'things', workspace: 'account_id', archived: [] }
  const database = await throwaway.createProduct({
    schema: {
      text: `CREATE TABLE personal_access_tokens (id INT PRIMARY KEY, token CHAR(64) NOT NULL UNIQUE, account_id INT NOT NULL,
        abilities TEXT NOT NULL, is_active TINYINT(1) NOT NULL, owner_type VARCHAR(20) NOT NULL);
        CREATE TABLE things (id INT PRIMARY KEY, account_id INT NOT NULL, name VARCHAR(9) NOT NULL, made DATETIME NOT NULL)`,
    },
    rows: { text: `INSERT INTO personal_access_tokens VALUES ${rows.join(', ')}` },
    mapping: {
      timezone: '+00:00',
      apiKeys: {
        table: 'personal_access_tokens',
        hash: { column: 'token', algorithm: 'sha256', encoding: 'hex', of: 'afterBar' },
        workspace: 'account_id',
        scopes: { column: 'abilities', format: 'json', all: '*' },
        where: [
          { column: 'is_active', equals: true },
          { column: 'owner_type', equals: 'workspace' },
        ],
      },
      registrations: { ...common, fields },
      invoices: { ...common, eventId: null, fields: invoice },
      neverRead: [],
    },
  })
  const service = await startService(database, { env: { AUDIT: 'warn' } })
  const statusOf = async (key: string, path: string): Promise<number> =>
    (await createClient(service, key).get(path)).status
  const of = (path: string): Promise<number[]> =>
    Promise.all(['1|on', 'on', '2|off', '3|user', '4|some', '1|', '|'].map((key) => statusOf(key, path)))
  expect(await of('registrations')).toEqual([200, 200, 401, 401, 200, 401, 401])
  expect(await of('invoices')).toEqual([200, 200, 401, 401, 403, 401, 401])
})
