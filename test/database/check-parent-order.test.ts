import { expect, test } from 'vitest'
import type { Mapping } from '../product/mapping.js'
import { findSection, runCheck } from '../support/checking.js'
import { mapKeys } from '../support/key-table.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'

/* What `check` says of a product whose `updatedAt` is that of an order. */

const throwaway = useThrowaway()

const numbers = `(SELECT a.d + 10 * b.d + 100 * c.d AS n FROM digits a JOIN digits b JOIN digits c)`
const schema = `
CREATE TABLE digits (d INT PRIMARY KEY);
CREATE TABLE api_keys (key_hash CHAR(64) CHARACTER SET ascii PRIMARY KEY, account_id INT NOT NULL);
CREATE TABLE orders (
  id INT PRIMARY KEY, account_id INT NOT NULL, created DATETIME NOT NULL, changed DATETIME NOT NULL, KEY sync (account_id, changed));
CREATE TABLE seats (
  id INT PRIMARY KEY, order_id INT NOT NULL, event_id INT NOT NULL, state VARCHAR(10) NOT NULL, holder VARCHAR(20) NOT NULL,
  KEY of_order (order_id));
`
const rows = `
INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
INSERT INTO orders SELECT n, 1, '2026-01-01', '2026-01-02' + INTERVAL n MINUTE FROM ${numbers} numbers;
INSERT INTO seats SELECT n, n, IF(n = 0, 2, 1), 'open', 'x' FROM ${numbers} numbers;
`
const fromOrder = (column: string): object => ({ from: 'orders', on: 'order_id', column })
const mapping = {
  timezone: '+00:00',
  apiKeys: mapKeys('account_id', 'registration.read'),
  registrations: {
    table: 'seats',
    workspace: fromOrder('account_id'),
    archived: [],
    fields: {
      ...{ id: 'id', eventId: 'event_id', status: 'state', name: 'holder', email: 'holder' },
      ...{ checkedIn: { constant: false }, createdAt: fromOrder('created'), updatedAt: fromOrder('changed') },
    },
  },
  neverRead: ['*.secret'],
} as unknown as Mapping

test('lists are as cheap as their pages, filters have no index, and many rows of one time are named', async () => {
  const product = await throwaway.createProduct({ schema: { text: schema }, rows: { text: rows }, mapping })
  const { findings } = findSection(await runCheck(product), 'cost')
  const [filter, ...others] = findings.filter(({ object }) => object === 'seats')
  expect(others).toEqual([])
  expect(filter).toMatchObject({
    severity: 'warning',
    problem: expect.stringMatching(
      /^list by (?:eventId|status) reads .*; a rare value reads all 1,000 rows/,
    ) as string,
    fix: 'no index of this table helps: map another column, or ask callers not to use this filter',
  })

  await product.query("UPDATE orders SET changed = '2026-02-01' WHERE id < 900")
  const after = findSection(await runCheck(product), 'cost').findings
  expect(after.map(({ severity, problem }) => [severity, problem])).toContainEqual([
    'error',
    expect.stringMatching(/many rows in a row have the same updatedAt$/),
  ])
})

test.each([fromOrder('account_id'), { constant: '1' }])(
  'a seat whose order does not exist is no record, and no error where the workspace is %j',
  async (workspace) => {
    const registrations = { ...mapping.registrations!, workspace, invalidRows: 'fail' }
    const strict = { ...mapping, registrations } as unknown as Mapping
    const text = `${schema}CREATE INDEX changed ON orders (changed);`
    const product = await throwaway.createProduct({ schema: { text }, rows: { text: rows }, mapping: strict })
    await product.query('UPDATE seats SET order_id = 5000 WHERE id = 900')
    expect(findSection(await runCheck(product), 'sample').findings).toEqual([])
    const key = await product.mintKey({ workspace: '1', scopes: ['registration.read'] })
    const { get, crawl } = createClient(await startService(product), key)
    expect(await crawl('registrations', { limit: 100 })).toHaveLength(999)
    expect(await get('registrations/900')).toMatchObject({ status: 404 })
    expect(await get('registrations/901')).toMatchObject({ status: 200 })
  },
)
