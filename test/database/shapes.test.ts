import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Mapping } from '../product/mapping.js'
import { createClient } from '../support/client.js'
import { mapKeys } from '../support/key-table.js'
import { startService, useThrowaway } from '../support/service.js'

/* The examples of docs/product-team.md, "Shapes of other products", each over these tables. */

const throwaway = useThrowaway()

const schema = `
CREATE TABLE api_keys (key_hash CHAR(64) CHARACTER SET ascii PRIMARY KEY, account_id INT NOT NULL);
CREATE TABLE orders (
  id INT PRIMARY KEY, account_id INT NOT NULL, ordered_at DATETIME NOT NULL, changed_at DATETIME NOT NULL, refunded_at DATETIME NULL, secret VARCHAR(20) NOT NULL,
  event_id INT NULL, buyer VARCHAR(40) NULL, settings JSON NULL,
  KEY sync (account_id, changed_at));
CREATE TABLE tickets (
  id INT PRIMARY KEY, account_id INT NOT NULL, order_id INT NOT NULL, event_id VARCHAR(10) NULL, holder VARCHAR(40) NULL,
  email VARCHAR(60) NULL, state VARCHAR(20) NOT NULL, created_on DATE NOT NULL, made DATETIME NOT NULL,
  changed DATETIME NOT NULL, arrival_time TIME NULL, waiver_scan BLOB NULL, paid_in_year YEAR NULL, KEY sync (account_id, changed, id),
  KEY of_order (order_id));
CREATE TABLE checkins (
  id INT PRIMARY KEY, ticket_id INT NOT NULL, undone TINYINT NOT NULL, scanned_at DATETIME NOT NULL, KEY (ticket_id));
CREATE TABLE ticket_meta (
  meta_id INT PRIMARY KEY, ticket_id INT NOT NULL, meta_key VARCHAR(40) NOT NULL, meta_value TEXT NULL,
  KEY ticket_key (ticket_id, meta_key));
CREATE TABLE bills (
  id INT PRIMARY KEY, account_id INT NOT NULL, number VARCHAR(20) NOT NULL, state VARCHAR(20) NOT NULL, amount INT NOT NULL,
  issued DATE NOT NULL, made DATETIME NOT NULL, changed DATETIME NOT NULL, KEY sync (account_id, changed, id));
CREATE TABLE bill_lines (
  id INT PRIMARY KEY, bill_id INT NOT NULL, net DECIMAL(12, 4) NOT NULL, tax_cents INT NULL, voided TINYINT NOT NULL,
  note VARCHAR(20) NOT NULL, KEY (bill_id));
`
const rows = `
INSERT INTO orders VALUES
  (1, 7, '2026-03-01 10:00:00', '2026-03-06 10:00:00', NULL, 'x', 6, 'Layla', '{"contact": {"email": "layla@example.com", "phone": "1"}}'),
  (2, 7, '2026-03-02 10:00:00', '2026-03-06 09:00:00', '2026-03-05 00:00:00', 'x', NULL, NULL, '{"contact": {"email": 7}}'),
  (3, 8, '2026-03-01 10:00:00', '2026-03-06 08:00:00', NULL, 'x', 6, 'Other', NULL);
INSERT INTO tickets VALUES
  (1, 7, 1, '', NULL, '', 'Attended', '2026-03-01', '2026-03-01 10:00:00', '2026-03-03 10:00:00', '00:00:00', '', 0),
  (2, 7, 2, 6, '', NULL, 'Attended', '2026-07-01', '2026-03-01 10:00:00', '2026-03-03 10:00:01', NULL, NULL, 2026),
  (3, 7, 1, 5, 'Sara', 'sara@example.com', 'Booked', '2026-03-01', '2026-03-01 10:00:00', '2026-03-03 10:00:02', '-12:30:00', x'FF', NULL),
  (4, 8, 3, 5, 'Other', 'other@example.com', 'Booked', '2026-03-01', '2026-03-01 10:00:00', '2026-03-03 10:00:02', NULL, NULL, NULL);
INSERT INTO checkins VALUES
  (1, 1, 1, '2026-03-04 07:00:00'), (2, 1, 0, '2026-03-04 08:00:00'), (3, 1, 0, '2026-03-04 09:00:00'),
  (4, 2, 1, '2026-03-04 10:00:00');
INSERT INTO ticket_meta VALUES
  (1, 1, '_email', 'one@example.com'), (2, 2, '_email', 'two@example.com'), (3, 3, '_email', 'three@example.com'),
  (4, 1, '_phone', '123');
INSERT INTO bills SELECT id, account_id, CONCAT('B', id), 'open', 1, created_on, made, changed FROM tickets WHERE id < 4;
INSERT INTO bill_lines VALUES
  (1, 1, 10.1234, 150, 0, 'x'), (2, 1, 0.0066, 0, 0, 'x'), (3, 1, 99, 0, 1, 'x'), (4, 2, 5, 1, 0, 'x'), (5, 3, -1, 1, 0, 'x'),
  (6, 3, 1, -1, 0, 'x');
`
const mapping = {
  timezone: 'Europe/Berlin',
  apiKeys: mapKeys('account_id', 'registration.read', 'invoices.read'),
  registrations: {
    table: 'tickets',
    workspace: 'account_id',
    archived: [],
    fields: {
      ...{ id: 'id', eventId: 'order_id', status: 'state', name: 'state', email: 'state' },
      ...{ checkedIn: { constant: false }, createdAt: 'made', updatedAt: 'changed' },
    },
  },
  invoices: {
    table: 'bills',
    workspace: 'account_id',
    archived: [],
    eventId: null,
    fields: {
      ...{ id: 'id', number: 'number', status: 'state', total: 'amount', currency: { constant: 'SAR' } },
      ...{ issueDate: 'issued', dueDate: null, createdAt: 'made', updatedAt: 'changed' },
    },
  },
  neverRead: ['*.secret', 'bill_lines.note'],
} satisfies Mapping

/** By the heading of an example, what its fields are in the records 1, 2 and 3, or in the order of their own times. */
const expected: Readonly<Record<string, readonly object[]>> = {
  'A check-in in another table': [
    { checkedIn: true, checkedInAt: '2026-03-04T07:00:00.000Z' },
    { checkedIn: false, checkedInAt: null },
    { checkedIn: false, checkedInAt: null },
  ],
  'A check-in as a text value': [{ checkedIn: true }, { checkedIn: true }, { checkedIn: false }],
  'Times on the parent row only': [
    { id: '2', createdAt: '2026-03-02T09:00:00.000Z', updatedAt: '2026-03-06T08:00:00.000Z' },
    { id: '1', createdAt: '2026-03-01T09:00:00.000Z', updatedAt: '2026-03-06T09:00:00.000Z' },
    { id: '3', createdAt: '2026-03-01T09:00:00.000Z', updatedAt: '2026-03-06T09:00:00.000Z' },
  ],
  'A creation that is known as a day': [
    { createdAt: '2026-02-28T23:00:00.000Z' },
    { createdAt: '2026-06-30T22:00:00.000Z' },
    { createdAt: '2026-02-28T23:00:00.000Z' },
  ],
  'Text inside a JSON column': [
    { email: 'layla@example.com' },
    { email: '7' },
    { email: 'layla@example.com' },
  ],
  'A fallback column': [
    { name: 'Layla', email: 'layla@example.com', eventId: '6' },
    { name: 'Guest', email: '7', eventId: '6' },
    { name: 'Sara', email: 'sara@example.com', eventId: '5' },
  ],
  'A total that is the sum of lines': [{ total: '11.63' }, { total: '5.01' }, { total: '0.00' }],
  'A status that depends on another table': [
    { status: 'ATTENDED' },
    { status: 'REFUNDED' },
    { status: 'BOOKED' },
  ],
  'A value of any type that is set': [
    { checkedIn: true, status: 'PAID' },
    { checkedIn: false, status: 'UNSIGNED' },
    { checkedIn: true, status: 'OPEN' },
  ],
}

/** What the examples of key-value tables show. */
const emails = ['one@example.com', 'two@example.com', 'three@example.com'].map((email) => ({ email }))

const page = readFileSync('docs/product-team.md', 'utf8')
const [, part = ''] = /### Shapes of other products\n(.*?)\n### /su.exec(page) ?? []

/** The examples of the page by their headings. */
function readExamples(): ReadonlyMap<string, Readonly<Record<string, never>>> {
  const found = [...part.matchAll(/\*\*(.*?)[.:]\*\*(?:(?!\*\*).)*?```yaml\n(.*?)```/gsu)]
  return new Map(found.map(([, name = '', text = '']) => [name, parse(text) as Record<string, never>]))
}

const examples = readExamples()

test('every example of the page is run, and each row of its table has one', () => {
  expect([...examples.keys()]).toEqual(Object.keys(expected))
  const rows = [...part.matchAll(/^\| .* \| ([^|]*?) +\|$/gmu)].slice(2).map(([, name = '']) => name)
  expect(rows.toSorted()).toEqual([...examples.keys(), '[Key-value tables](#key-value-tables)'].toSorted())
})

describe.each([...examples])('%s', (name, fields) => {
  test('is served by a user with the grants of that mapping, in lists, filters and records', async () => {
    const collection = 'total' in fields ? 'invoices' : 'registrations'
    const section = {
      ...mapping[collection],
      // The row that has the time has the workspace too.
      ...('updatedAt' in fields
        ? { workspace: { from: 'orders', on: 'order_id', column: 'account_id' } }
        : {}),
    }
    const product = await throwaway.createProduct({
      schema: { text: schema },
      rows: { text: rows },
      mapping: { ...mapping, [collection]: { ...section, fields: { ...section.fields, ...fields } } },
    })
    // It refuses to start where the user may read more, or less.
    const service = await startService(product)
    const client = createClient(
      service,
      await product.mintKey({ workspace: '7', scopes: mapping.apiKeys.scopes.grant }),
    )
    const list = await client.crawl(collection, { limit: 2 })
    expect(list).toMatchObject(expected[name] ?? [])
    expect(list).toHaveLength(3)
    for (const record of list) {
      expect(JSON.parse((await client.get(`${collection}/${String(record['id'])}`)).text)).toEqual(record)
      for (const filter of collection === 'invoices' ? ['status'] : ['status', 'eventId']) {
        const filtered = await client.crawl(collection, { [filter]: String(record[filter]) })
        expect(filtered).toEqual(list.filter((other) => other[filter] === record[filter]))
      }
    }
  })
})

describe('a key-value table', () => {
  const [, keyValues = ''] = /### Key-value tables\n(.*?)\n### /su.exec(page) ?? []
  const [, lookup = ''] = /```yaml\n(.*?)```/su.exec(keyValues) ?? []
  const [, view = ''] = /```sql\n(.*?)```/su.exec(keyValues) ?? []

  test.each([
    ['by a lookup', '', parse(lookup) as { readonly email: never }, 'tickets'],
    ['by a view, without a privilege on the table', view, { email: 'email', name: 'email' }, 'shown_tickets'],
  ])('is read %s', async (_, more, fields, table) => {
    const { registrations } = mapping
    const product = await throwaway.createProduct({
      schema: { text: `${schema}${more}` },
      rows: { text: rows },
      mapping: {
        ...mapping,
        registrations: {
          ...registrations,
          table,
          fields: { ...registrations.fields, eventId: 'event_id', ...fields, id: 'id' },
        },
      },
    })
    await product.query('UPDATE tickets SET event_id = 5')
    const service = await startService(product)
    const client = createClient(
      service,
      await product.mintKey({ workspace: '7', scopes: mapping.apiKeys.scopes.grant }),
    )
    expect(await client.crawl('registrations')).toMatchObject(emails)
    const grants = await product.query(`SHOW GRANTS FOR '${new URL(product.readUrl).username}'@'%'`)
    expect(JSON.stringify(grants).includes('meta_value')).toBe(table === 'tickets')
  })
})
