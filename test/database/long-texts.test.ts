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

/** A place of a text: its table, what fills it with a text, and the field that shows it. */
const places: readonly (readonly [table: string, set: (text: string) => string, field: string])[] = [
  ['people', (text) => `event = ${text}`, 'eventId'],
  ['people', (text) => `state = ${text}`, 'status'],
  ['people', (text) => `first = NULL, last = ${text}`, 'name'],
  ['people', (text) => `doc = json_object('mail', ${text})`, 'email'],
  ['people', (text) => `doc = NULL, raw = convert(cast(${text} as binary) using latin1)`, 'email'],
  ['bills', (text) => `doc = json_object('number', ${text})`, 'number'],
  ['bills', (text) => `doc = NULL, number = ${text}`, 'number'],
]

/** Rows of ordinary texts, whose ids are their numbers. */
async function create(count: number, sets: readonly string[]) {
  const numbers = Array.from({ length: count }, (_, at) => `('${at}', 1)`).join(', ')
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
  const others = ["number = '1', doc = NULL, event = ", 'amount = ', 'currency = '].map(
    (set, at) => `UPDATE bills SET ${set}${text} WHERE id = '${50 + at}'`,
  )
  const database = await create(60, [
    ...places.map(([table, set], at) => `UPDATE ${table} SET ${set(text)} WHERE id = '${at}'`),
    ...others,
    `INSERT INTO labels VALUES (2, ${text})`,
    "UPDATE bills SET label_id = 2 WHERE id = '53'",
    `UPDATE people SET first = repeat(' ', 100000), doc = repeat('no JSON', 20000) WHERE id = '59'`,
    `INSERT INTO api_keys VALUES ('${wide[0]}', ${text}, 'invoices.read'), ('${wide[1]}', 1, ${text})`,
  ])
  const service = await startService(database)
  const client = createClient(service, key.text)
  const longest = await measureLongest(async () => {
    for (const collection of ['registrations', 'invoices'])
      for (const query of [{ limit: 7 }, { eventId: '7' }, { status: 'OTHER' }])
        await client.crawl(collection, query)
    for (let id = 0; id < 60; id += 1) {
      await client.get(`registrations/${id}`)
      await client.get(`invoices/${id}`)
    }
    await runCheck(database)
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
