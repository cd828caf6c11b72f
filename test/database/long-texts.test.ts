import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { runCheck } from '../support/checking.js'
import { createClient } from '../support/client.js'
import { keyTable, openKey } from '../support/open-key.js'
import { startService, useThrowaway } from '../support/service.js'

/*
 * A text that is shown has at most 1,000 characters, and no result has much more of a longer one: the driver has all rows of a
 * result in memory before it gives one.
 */

const throwaway = useThrowaway()
const key = openKey()
const wide = ['wide', 'wider'].map((text) => createHash('sha256').update(text).digest('hex'))
const times = "made DATETIME NOT NULL DEFAULT '2026-03-01', changed DATETIME NOT NULL DEFAULT '2026-03-01'"

const mapping: Mapping = {
  timezone: '+00:00',
  apiKeys: { ...keyTable, scopes: { column: 'scopes', format: 'space' } },
  registrations: {
    table: 'people',
    workspace: 'account_id',
    archived: [],
    fields: {
      ...{ id: 'id', eventId: 'event', status: 'state' },
      name: { columns: ['first', 'last'] },
      email: {
        first: [
          { column: 'doc', json: '$.mail' },
          { column: 'raw', charset: 'utf8-in-latin1' },
        ],
      },
      ...{ checkedIn: { constant: false }, createdAt: 'made', updatedAt: 'changed' },
    },
  },
  invoices: {
    table: 'bills',
    workspace: 'account_id',
    archived: [],
    eventId: { first: ['event', 'number'] },
    fields: {
      ...{ id: 'id', number: { first: [{ column: 'doc', json: '$.number' }, 'number'] } },
      status: {
        from: 'labels',
        on: 'label_id',
        column: 'label',
        values: { '1': 'OPEN' },
        otherwise: 'OTHER',
      },
      ...{ total: { column: 'amount', text: 'decimal' }, currency: 'currency' },
      ...{ issueDate: 'made', dueDate: null, createdAt: 'made', updatedAt: 'changed' },
    },
  },
  neverRead: [],
}

/** Twelve rows of ordinary texts, whose ids are their numbers. */
async function create(sets: readonly string[]) {
  const numbers = Array.from({ length: 12 }, (_, at) => `('${at}', 1)`).join(', ')
  return throwaway.createProduct({
    schema: {
      text: `CREATE TABLE api_keys (key_hash CHAR(64) PRIMARY KEY, account_id LONGTEXT NOT NULL, scopes LONGTEXT NOT NULL);
        CREATE TABLE people (id VARCHAR(60) PRIMARY KEY, account_id INT NOT NULL, event LONGTEXT, state MEDIUMTEXT, first LONGTEXT,
          last MEDIUMTEXT, doc LONGTEXT, raw LONGTEXT CHARACTER SET latin1, ${times});
        CREATE TABLE bills (id VARCHAR(60) PRIMARY KEY, account_id INT NOT NULL, event LONGTEXT, number LONGTEXT, doc LONGTEXT,
          label_id INT, amount LONGTEXT, currency LONGTEXT, ${times});
        CREATE TABLE labels (id INT PRIMARY KEY, label LONGTEXT NOT NULL);`,
    },
    rows: {
      text: [
        key.rows.replace("', 1)", "', 1, 'registration.read invoices.read')"),
        ...['people', 'bills'].map((table) => `INSERT INTO ${table} (id, account_id) VALUES ${numbers}`),
        `UPDATE people SET event = '7', state = 'x', first = 'a', last = 'b', doc = '{"mail": "c"}'`,
        `UPDATE bills SET event = '7', number = 'x', label_id = 1, amount = '1.50', currency = 'SAR'`,
        "INSERT INTO labels VALUES (1, '1')",
        ...sets,
      ].join(';\n'),
    },
    mapping,
  })
}

/** The bytes of the longest cell of all results while a task runs. */
async function measureLongest(task: () => Promise<unknown>): Promise<number> {
  let longest = 0
  const note = (message: unknown): void => {
    const { result } = message as { readonly result?: unknown }
    const rows = Array.isArray(result) ? (result as readonly object[]) : []
    for (const cell of rows.flatMap((row) => Object.values(row) as unknown[]))
      if (typeof cell === 'string' || Buffer.isBuffer(cell))
        longest = Math.max(longest, Buffer.byteLength(cell))
  }
  const channels = ['execute', 'query'].map((name) => `tracing:mysql2:${name}:asyncStart`)
  for (const channel of channels) subscribe(channel, note)
  await task()
  for (const channel of channels) unsubscribe(channel, note)
  return longest
}

test('no result has more of a text than its reader takes', async () => {
  const text = "repeat('€', 100000)"
  const database = await create([
    ...[
      `event = ${text}`,
      `state = ${text}`,
      `first = NULL, last = ${text}`,
      `doc = json_object('mail', ${text})`,
      `doc = NULL, raw = convert(cast(${text} as binary) using latin1)`,
      `first = repeat(' ', 100000), doc = repeat('no JSON', 20000)`,
    ].map((set, at) => `UPDATE people SET ${set} WHERE id = '${at}'`),
    ...[
      `doc = json_object('number', ${text})`,
      `doc = NULL, number = ${text}`,
      `doc = NULL, number = '1', event = ${text}`,
      `amount = ${text}`,
      `currency = ${text}`,
      'label_id = 2',
    ].map((set, at) => `UPDATE bills SET ${set} WHERE id = '${at}'`),
    `INSERT INTO labels VALUES (2, ${text})`,
    `INSERT INTO api_keys VALUES ('${wide[0]}', ${text}, 'invoices.read'), ('${wide[1]}', 1, ${text})`,
  ])
  const service = await startService(database)
  const client = createClient(service, key.text)
  const longest = await measureLongest(async () => {
    for (const collection of ['registrations', 'invoices'])
      for (const query of [{ limit: 7 }, { eventId: '7' }, { status: 'OTHER' }])
        await client.crawl(collection, query)
    for (let id = 0; id < 12; id += 1) {
      await client.get(`registrations/${id}`)
      await client.get(`invoices/${id}`)
    }
    // Each such row is named.
    for (const said of [JSON.stringify(await runCheck(database)), service.logs()])
      for (const field of ['eventId', 'email', 'number'])
        expect(said).toContain(`${field} is longer than 1,000 characters`)
  })
  // Of JSON, in which a character can have two escapes.
  expect(longest).toBeLessThanOrEqual(12_003)
  expect(longest).toBeGreaterThan(4000)
  const ofKeys = await measureLongest(async () => {
    for (const wrong of ['wide', 'wider'])
      expect((await createClient(service, wrong).get('invoices')).status).toBe(401)
  })
  expect(ofKeys).toBeLessThanOrEqual(3 * 65_536)
  const reasons = service
    .logLines()
    .flatMap(({ reason, msg }) => (msg === 'a stored key cannot be accepted' ? [reason] : []))
  expect(reasons).toEqual(['is longer than 1,000 characters', 'scopes is longer than 65,535 characters'])
})
