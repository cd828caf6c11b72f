import { describe, expect, test } from 'vitest'
import type { Mapping } from '../product/mapping.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/*
 * One truth for every route, where two tables or two texts are equal for one comparison and different for another. Each is
 * an example of what `test/model` proves for generated products.
 */

const throwaway = useThrowaway()

type Registrations = NonNullable<Mapping['registrations']>
type Invoices = NonNullable<Mapping['invoices']>

interface Tables {
  readonly schema: string
  /** What differs from a plain section over the table `people`, or `bills`. */
  readonly registrations?: Omit<Partial<Registrations>, 'fields'> & {
    readonly fields?: Partial<Registrations['fields']>
  }
  readonly invoices?: Omit<Partial<Invoices>, 'fields'> & { readonly fields?: Partial<Invoices['fields']> }
  readonly env?: Readonly<Record<string, string>>
}

interface Served {
  readonly service: TestService
  readonly run: (sql: string) => Promise<unknown>
  readonly open: (workspace: string) => Promise<Client>
}

const times = 'made DATETIME NOT NULL DEFAULT "2026-01-01", touched DATETIME NOT NULL DEFAULT "2026-01-02"'
const person = `name VARCHAR(200) NOT NULL DEFAULT 'n', email VARCHAR(200) NOT NULL DEFAULT 'e', ${times}`
const bill = `nr VARCHAR(9) NOT NULL DEFAULT 'n', total DECIMAL(9,2) NOT NULL DEFAULT 1, issued DATE NOT NULL DEFAULT "2026-01-01", ${times}`
const [bin, ci] = ['VARCHAR(20) COLLATE utf8mb4_bin', 'VARCHAR(20) COLLATE utf8mb4_general_ci']

/** A service over tables of a test; keys are minted for any workspace. */
async function serve({ schema, registrations, invoices, env = {} }: Tables): Promise<Served> {
  const mapping = {
    timezone: '+00:00',
    apiKeys: {
      table: 'api_keys',
      hash: { column: 'hash', algorithm: 'sha256', encoding: 'hex' },
      workspace: 'ws',
      scopes: { grant: ['registration.read', 'invoices.read'] },
    },
    ...(registrations && {
      registrations: {
        table: 'people',
        workspace: 'ws',
        archived: [],
        ...registrations,
        fields: {
          ...{ id: 'id', eventId: 'ev', status: 'st', name: 'name', email: 'email' },
          ...{
            checkedIn: { constant: false },
            createdAt: 'made',
            updatedAt: 'touched',
            ...registrations.fields,
          },
        },
      },
    }),
    ...(invoices && {
      invoices: {
        table: 'bills',
        workspace: 'ws',
        archived: [],
        eventId: null,
        ...invoices,
        fields: {
          ...{ id: 'id', number: 'nr', status: 'st', total: 'total', currency: { constant: 'EUR' } },
          ...{
            issueDate: 'issued',
            dueDate: null,
            createdAt: 'made',
            updatedAt: 'touched',
            ...invoices.fields,
          },
        },
      },
    }),
    neverRead: [],
  } as Mapping
  const keyTable = 'CREATE TABLE api_keys (hash CHAR(64) PRIMARY KEY, ws VARCHAR(20) NOT NULL);'
  const database = await throwaway.createProduct({
    schema: { text: `SET sql_mode = '';${keyTable}${schema}` },
    mapping,
  })
  const settings = { SCHEMA_CHECK_SECONDS: '3600', AUDIT: 'warn', ...env }
  const service = await startService(database, { env: settings })
  return {
    service,
    run: (sql) => database.query(sql),
    open: async (workspace) =>
      createClient(
        service,
        await database.mintKey({ workspace, scopes: ['registration.read', 'invoices.read'] }),
      ),
  }
}

const idsOf = async (client: Client, collection: string, query = {}): Promise<readonly unknown[]> =>
  (await client.crawl(collection, query)).map(({ id }) => id)

describe('a workspace by lookup', () => {
  const through = { from: 'events', on: 'ev', column: 'ws' }
  const make = (keyType: string, onType: string): string => `
    CREATE TABLE events (id ${keyType} PRIMARY KEY, ws VARCHAR(20) NOT NULL, KEY (ws));
    CREATE TABLE people (id INT PRIMARY KEY, ev ${onType} NOT NULL, st VARCHAR(9) NOT NULL, ${person}, KEY (ev, touched));
    INSERT INTO events VALUES ('E1', '7'), ('e1', '8');
    INSERT INTO people (id, ev, st) VALUES (1, 'E1', 'OK'), (2, 'e1', 'OK')`

  test.each([
    ['of another collation', ci],
    ['of the same collation', bin],
  ])('never shows a row of another workspace, where %s refers to it', async (_what, onType) => {
    const { open, run } = await serve({ schema: make(bin, onType), registrations: { workspace: through } })
    const [seven, eight] = [await open('7'), await open('8')]
    const check = async (): Promise<void> => {
      expect([await idsOf(seven, 'registrations'), await idsOf(eight, 'registrations')]).toEqual([
        ['1'],
        ['2'],
      ])
      expect((await seven.get('registrations/2')).status).toBe(404)
      expect(await idsOf(seven, 'registrations', { eventId: 'e1' })).toEqual([])
    }
    await check()
    // Statements that were made for the earlier collation; the first empty answer finds the change, and is a 503.
    await run(`ALTER TABLE people MODIFY ev ${ci} NOT NULL`)
    expect([await idsOf(seven, 'registrations'), await idsOf(eight, 'registrations')]).toEqual([['1'], ['2']])
    expect([404, 503]).toContain((await seven.get('registrations/2')).status)
    await check()
  })

  test('shows a row once where two of its events are equal for the column that refers to them', async () => {
    const schema = `${make(bin, ci)}; UPDATE events SET ws = '7'`
    const { open } = await serve({ schema, registrations: { workspace: through } })
    expect(await idsOf(await open('7'), 'registrations', { limit: 1 })).toEqual(['1', '2'])
  })

  test('matches as a foreign key does, and the filter by event compares bytes', async () => {
    const schema = make(ci, ci).replace("('E1', '7'), ('e1', '8')", "('E1', '7')")
    const { open } = await serve({ schema, registrations: { workspace: through } })
    const client = await open('7')
    expect(await idsOf(client, 'registrations')).toEqual(['1', '2'])
    expect(await idsOf(client, 'registrations', { eventId: 'e1' })).toEqual(['2'])
  })

  test.each([
    ['VARCHAR(20) COLLATE utf8mb4_unicode_ci', ci],
    [bin, 'VARCHAR(20) CHARACTER SET ascii'],
    ['VARCHAR(20) CHARACTER SET latin1', ci],
  ])('compares keys of %s with references of %s', async (keyType, onType) => {
    const schema = `${make(keyType, onType).replace("('e1', '8')", "('é', '7'), ('E2', '8')")}; DELETE FROM people WHERE id = 2`
    const { open } = await serve({ schema, registrations: { workspace: through } })
    const client = await open('7')
    expect(await idsOf(client, 'registrations')).toEqual(['1'])
    expect(await idsOf(client, 'registrations', { eventId: 'É1' })).toEqual([])
  })
})

test('a status by lookup is filtered by the row that it is read from', async () => {
  const { open } = await serve({
    schema: `
      CREATE TABLE states (id ${bin} PRIMARY KEY, word VARCHAR(9) NOT NULL);
      CREATE TABLE people (id INT PRIMARY KEY, ws VARCHAR(9) NOT NULL, ev INT NOT NULL, st ${ci} NOT NULL, ${person});
      INSERT INTO states VALUES ('a', 'NEW'), ('A', 'OK');
      INSERT INTO people (id, ws, ev, st) VALUES (1, '7', 1, 'a'), (2, '7', 1, 'A')`,
    registrations: { fields: { status: { from: 'states', on: 'st', column: 'word' } } },
  })
  const client = await open('7')
  expect([
    await idsOf(client, 'registrations', { status: 'NEW' }),
    await idsOf(client, 'registrations', { status: 'OK' }),
  ]).toEqual([['1'], ['2']])
})

test('ids of 16 bytes that are no text are different ids', async () => {
  const { open } = await serve({
    schema: `
      CREATE TABLE events (id INT PRIMARY KEY, title VARCHAR(9) NOT NULL);
      CREATE TABLE people (id BINARY(16) PRIMARY KEY, ws VARCHAR(9) NOT NULL, ev INT NOT NULL, st VARCHAR(9) NOT NULL, ${person});
      INSERT INTO events VALUES (1, 'E');
      INSERT INTO people (id, ws, ev, st) VALUES (REPEAT(x'fe', 16), '7', 1, 'OK'), (REPEAT(x'ff', 16), '7', 1, 'OK')`,
    registrations: { fields: { name: { from: 'events', on: 'ev', column: 'title' } } },
  })
  expect(await idsOf(await open('7'), 'registrations')).toHaveLength(2)
})

test('a zero date counts as NULL in a status, its filter, what is archived, and a field', async () => {
  const unset = "DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00'"
  const { open } = await serve({
    schema: `
      CREATE TABLE bills (id INT PRIMARY KEY, ws VARCHAR(9) NOT NULL, paid ${unset}, gone DATETIME NULL, due ${unset}, ${bill},
        KEY sync (ws, gone, touched));
      INSERT INTO bills (id, ws, gone) VALUES (1, '7', NULL), (2, '7', '0000-00-00 00:00:00'), (3, '7', '2026-01-01');
      INSERT INTO bills (id, ws, paid) VALUES (4, '7', '2026-01-01')`,
    invoices: {
      archived: { column: 'gone', is: 'set' },
      fields: {
        status: { when: [{ column: 'paid', is: 'set', then: 'PAID' }], otherwise: 'ISSUED' },
        dueDate: 'due',
      },
    },
  })
  const client = await open('7')
  const records = await client.crawl('invoices', { limit: 1 })
  expect(records.map(({ id, status, dueDate }) => [id, status, dueDate])).toEqual([
    ['1', 'ISSUED', null],
    ['2', 'ISSUED', null],
    ['4', 'PAID', null],
  ])
  expect(await idsOf(client, 'invoices', { status: 'ISSUED' })).toEqual(['1', '2'])
  expect(await idsOf(client, 'invoices', { status: 'PAID' })).toEqual(['4'])
})

test('a row without an id, or with an id that is not unique, is absent, and no page stops at it', async () => {
  const { open, service } = await serve({
    schema: `
      CREATE TABLE people (place INT NULL, season INT NOT NULL, ws VARCHAR(9) NOT NULL, ev INT NOT NULL, st VARCHAR(9) NOT NULL,
        ${person}, UNIQUE KEY (place, season));
      INSERT INTO people (place, season, ws, ev, st) VALUES
        (1, 1, '7', 1, 'OK'), (NULL, 1, '7', 1, 'OK'), (NULL, 2, '7', 1, 'OK'), (2, 1, '7', 1, 'OK'), (2, 2, '8', 1, 'OK'),
        (3, 1, '7', 1, 'OK')`,
    registrations: { fields: { id: 'place' } },
  })
  const client = await open('7')
  for (const limit of [1, 2, 7]) expect(await idsOf(client, 'registrations', { limit })).toEqual(['1', '3'])
  const statuses = ['1', '2', '3'].map(async (id) => (await client.get(`registrations/${id}`)).status)
  expect(await Promise.all(statuses)).toEqual([200, 404, 200])
  expect(service.logs()).toContain('id is not unique in its table')
})

test('a test of `where` compares bytes, and an ENUM takes its label in any case', async () => {
  const { open } = await serve({
    schema: `
      CREATE TABLE people (id INT PRIMARY KEY, ws VARCHAR(9) NOT NULL, ev INT NOT NULL, st VARCHAR(9) NOT NULL,
        kind ${ci} NOT NULL, form ENUM('Guest', 'Staff') NOT NULL, ${person});
      INSERT INTO people (id, ws, ev, st, kind, form) VALUES (1, '7', 1, 'OK', 'attendee', 'Guest'),
        (2, '7', 1, 'OK', 'Attendee', 'Guest'), (3, '7', 1, 'OK', 'atténdee', 'Guest'), (4, '7', 1, 'OK', 'attendee', 'Staff')`,
    registrations: {
      where: [
        { column: 'kind', equals: 'attendee' },
        { column: 'form', equals: 'guest' },
      ],
    },
  })
  expect(await idsOf(await open('7'), 'registrations')).toEqual(['1'])
})
