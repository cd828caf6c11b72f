import { expect, test } from 'vitest'
import type { Mapping } from '../product/mapping.js'
import { createClient } from '../support/client.js'
import { mapKeys } from '../support/key-table.js'
import { startService, useThrowaway } from '../support/service.js'

/*
 * Tables of every form that reads another one, whose keys differ by case only, and what happens when their columns are
 * changed while Vitrine serves: an answer is right, or a 503 that ends when the schema fits again.
 */

const throwaway = useThrowaway()

const exact = 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'
const inexact = 'VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci'
const schema = `
CREATE TABLE api_keys (key_hash CHAR(64) CHARACTER SET ascii PRIMARY KEY, account_id INT NOT NULL);
CREATE TABLE clients (
  id INT PRIMARY KEY, account_id INT NOT NULL, settings JSON NULL, opened DATE NOT NULL, changed DATETIME NOT NULL,
  KEY sync (account_id, changed));
CREATE TABLE bills (
  id ${exact} PRIMARY KEY, client_id INT NOT NULL, voided TINYINT NOT NULL, issued DATE NOT NULL, KEY of_client (client_id));
CREATE TABLE bill_lines (
  id INT PRIMARY KEY, bill_id ${inexact} NULL, net DECIMAL(12, 4) NOT NULL, KEY (bill_id));
CREATE TABLE refunds (id INT PRIMARY KEY, bill_id ${inexact} NOT NULL, at DATETIME NULL, KEY (bill_id));
`
const rows = `
INSERT INTO clients VALUES
  (1, 7, '{"currency": "SAR"}', '2026-01-01', '2026-03-01 10:00:00'),
  (2, 7, '{"currency": "KWD"}', '2026-02-01', '2026-03-01 10:00:00'), (3, 8, '{}', '2026-01-01', '2026-03-01 10:00:00');
INSERT INTO bills VALUES
  ('a', 1, 0, '2026-01-02'), ('A', 2, 0, '2026-01-02'), ('á', 1, 1, '2026-01-02'), ('b', 3, 0, '2026-01-02');
INSERT INTO bill_lines VALUES
  (1, 'a', 1.5), (2, 'A', 20.25), (3, 'a', 0.5), (4, 'á', 300), (5, 'b', 4000), (6, 'B', 5000), (7, NULL, 6000);
INSERT INTO refunds VALUES (1, 'A', '2026-03-01 10:00:00'), (2, 'b', NULL);
`
const invoices = {
  table: 'bills',
  workspace: { from: 'clients', on: 'client_id', column: 'account_id' },
  archived: [],
  eventId: null,
  fields: {
    id: 'id',
    number: { first: [{ from: 'clients', on: 'client_id', column: 'settings', json: '$.number' }, 'id'] },
    status: {
      when: [
        {
          from: 'refunds',
          on: 'id',
          key: 'bill_id',
          where: [{ column: 'at', is: 'set' }],
          is: 'set',
          then: 'REFUNDED',
        },
        { column: 'voided', equals: 1, then: 'VOID' },
      ],
      otherwise: 'ISSUED',
    },
    total: { from: 'bill_lines', key: 'bill_id', sum: ['net'] },
    currency: { from: 'clients', on: 'client_id', column: 'settings', json: '$.currency' },
    issueDate: 'issued',
    dueDate: null,
    createdAt: { from: 'clients', on: 'client_id', column: 'opened' },
    updatedAt: { from: 'clients', on: 'client_id', column: 'changed' },
  },
} satisfies Mapping['invoices']

const common = { issueDate: '2026-01-02', dueDate: null, updatedAt: '2026-03-01T10:00:00.000Z' }
const [january, february] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
const expected = [
  {
    id: 'A',
    number: 'A',
    status: 'REFUNDED',
    total: '20.250',
    currency: 'KWD',
    createdAt: february,
    ...common,
  },
  { id: 'a', number: 'a', status: 'ISSUED', total: '2.00', currency: 'SAR', createdAt: january, ...common },
  { id: 'á', number: 'á', status: 'VOID', total: '300.00', currency: 'SAR', createdAt: january, ...common },
]

const rename = (table: string, from: string): readonly [string, string] => [
  `ALTER TABLE ${table} RENAME COLUMN ${from} TO gone`,
  `ALTER TABLE ${table} RENAME COLUMN gone TO ${from}`,
]
const modify = (table: string, column: string, to: string, from: string): readonly [string, string] => [
  `ALTER TABLE ${table} MODIFY ${column} ${to}`,
  `ALTER TABLE ${table} MODIFY ${column} ${from}`,
]

test('is served truthfully or not at all while columns of its forms change', async () => {
  const product = await throwaway.createProduct({
    schema: { text: schema },
    rows: { text: rows },
    mapping: {
      apiKeys: mapKeys('account_id', 'invoices.read'),
      timezone: '+00:00',
      invoices,
      neverRead: [],
    },
  })
  const service = await startService(product, { env: { SCHEMA_CHECK_SECONDS: '3600' } })
  const key = await product.mintKey({ workspace: '7', scopes: ['invoices.read'] })
  const client = createClient(service, key)
  const changes: readonly (readonly [string, string])[] = [
    rename('bill_lines', 'net'),
    rename('refunds', 'at'),
    rename('clients', 'settings'),
    rename('clients', 'opened'),
    rename('clients', 'changed'),
    modify('bill_lines', 'net', 'VARCHAR(20) NOT NULL', 'DECIMAL(12, 4) NOT NULL'),
    modify('bill_lines', 'net', 'DOUBLE NOT NULL', 'DECIMAL(12, 4) NOT NULL'),
    modify('bill_lines', 'bill_id', `${exact} NULL`, `${inexact} NULL`),
    modify('clients', 'settings', 'TEXT NULL', 'JSON NULL'),
    modify('clients', 'opened', 'DATETIME NOT NULL', 'DATE NOT NULL'),
    modify('clients', 'changed', 'TIMESTAMP NOT NULL', 'DATETIME NOT NULL'),
    ['DROP INDEX sync ON clients', 'CREATE INDEX sync ON clients (account_id, changed)'],
    ['DROP INDEX of_client ON bills', 'CREATE INDEX of_client ON bills (client_id)'],
  ]
  const ask = async (): Promise<unknown> => {
    const list = await client.get('invoices', { limit: 2 })
    const next =
      list.status === 200 ? await client.get('invoices', { cursor: list.body.meta.cursor ?? '' }) : list
    const one = await client.get('invoices/A')
    return next.status === 200 && one.status === 200
      ? { list: [...list.body.data, ...next.body.data], one: JSON.parse(one.text) as unknown }
      : [list.status, next.status, one.status].find((status) => status !== 200)
  }
  const right = { list: expected, one: expected[0] }
  // MariaDB can look for a renamed column in the CHECK of its JSON while another session opens the table.
  const alter = (sql: string): Promise<void> =>
    expect
      .poll(() =>
        product.query(sql).then(
          () => 'altered',
          (error: unknown) => String(error),
        ),
      )
      .toBe('altered')
  expect(await ask()).toEqual(right)
  for (const [change, undo] of changes) {
    await alter(change)
    for (const _ of [1, 2]) expect([503, right], change).toContainEqual(await ask())
    await alter(undo)
    await expect.poll(ask, { message: undo }).toEqual(right)
  }
  // A text that is no JSON makes its own record invalid, where the server has no type for JSON.
  await alter('ALTER TABLE clients MODIFY settings TEXT NULL')
  await product.query("UPDATE clients SET settings = '{' WHERE id = 2")
  for (const _ of [1, 2]) expect([503, 404]).toContain(await ask())
  await product.query(`UPDATE clients SET settings = '{"currency": "KWD"}' WHERE id = 2`)
  await alter('ALTER TABLE clients MODIFY settings JSON NULL')
  await expect.poll(ask).toEqual(right)
})
