import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { useThrowaway } from '../support/service.js'
import { findingsOf, listen, run } from '../support/verifying.js'

/* Rows that a product can hold and that verify has to expect: the service shows them as the contract says. */

const throwaway = useThrowaway()

const schema = `
CREATE TABLE api_keys (hash BINARY(32) PRIMARY KEY, tenant INT NOT NULL, scopes VARCHAR(80) NOT NULL);
CREATE TABLE people (
  id VARCHAR(40) COLLATE utf8mb4_bin PRIMARY KEY, tenant INT NOT NULL, event VARCHAR(40) NOT NULL,
  state VARCHAR(20) NULL, name VARCHAR(40) NOT NULL, created DATETIME(3) NOT NULL, changed DATETIME(3) NOT NULL,
  KEY (tenant, changed, id))`

const mapping: Mapping = {
  timezone: 'Europe/Berlin',
  apiKeys: {
    table: 'api_keys',
    hash: { column: 'hash', algorithm: 'sha256', encoding: 'binary' },
    workspace: 'tenant',
    scopes: { column: 'scopes', format: 'space' },
  },
  registrations: {
    table: 'people',
    workspace: 'tenant',
    archived: [],
    fields: {
      ...{ id: 'id', eventId: 'event', status: 'state', name: 'name', email: 'name' },
      ...{ checkedIn: { constant: false }, createdAt: 'created', updatedAt: 'changed' },
    },
  },
  neverRead: [],
}

interface Row {
  readonly id: string
  readonly changed: string
  readonly event?: string
  /** NULL, so that the row cannot be shown. */
  readonly state?: null
  readonly tenant?: number
}

/** The service before a table with these rows, and what verify finds. */
async function verifyRows(rows: readonly Row[], maxRequests = 800) {
  const [tenant, event, state] = [1, 'event', 'OPEN']
  const people = rows.map((row) => ({ tenant, event, state, name: 'A', created: row.changed, ...row }))
  const seeds = [keys.both, keys.other].map((key, at) => ({
    hash: createHash('sha256').update(key).digest(),
    tenant: at + 1,
    scopes: 'registration.read invoices.read',
  }))
  const definition = { schema: { text: schema }, rows: { api_keys: seeds, people }, mapping }
  const url = await listen(await throwaway.createProduct(definition))
  const report = await run(url, { keys: { key: keys.both, otherKey: keys.other }, maxRequests })
  const outcomes = new Map(report.guarantees.map(({ name, outcome }) => [name, outcome]))
  const reasons = report.guarantees.flatMap((one) => one.reasons)
  return { findings: findingsOf(report), outcomes, reasons }
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)
const pad = (number: number): string => String(number).padStart(3, '0')
const hidden = (count: number, changed: string, other: Partial<Row> = {}): readonly Row[] =>
  range(count).map((at) => ({ id: `${other.tenant ?? 1}-a${pad(at)}`, changed, state: null, ...other }))
const tenants = [1, 2] as const
const plain = (count: number, tenant = 1): readonly Row[] =>
  range(count).map((at) => ({
    id: `${tenant}-p${pad(at)}`,
    changed: `2026-03-${10 + (at % 18)} 10:00:00.${pad(at)}`,
    tenant,
  }))

test.each([12, 57, 120])(
  '%i rows that cannot be shown stand before records of the same instant',
  async (count) => {
    const changed = '2026-03-01 09:30:00.123'
    const tie = range(8).map((at) => ({ id: `b${at}`, changed }))
    const rows = [...hidden(count, changed), ...tie, ...plain(30), ...plain(5, 2)]
    const { findings, outcomes } = await verifyRows(rows)
    expect(findings).toEqual([])
    if (count === 12) expect(outcomes.get('crawls-agree')).toBe('held')
  },
)

test('records were changed in the hour that occurs twice', async () => {
  const rows = range(120).map((at) => ({
    id: pad((at * 7) % 120),
    // From 01:30 to 03:30.
    changed: `2025-10-26 0${1 + Math.floor((at + 30) / 60)}:${pad((at + 30) % 60).slice(1)}:00`,
    event: `e${at % 3}`,
  }))
  const { findings, outcomes } = await verifyRows([...rows, ...plain(5, 2)])
  expect(findings).toEqual([])
  expect(outcomes.get('updated-since')).toBe('held')
  expect(outcomes.get('filter-event')).toBe('held')
})

test('ids look like patterns, numbers and escapes', async () => {
  const ids = [
    '%',
    '%25',
    '99999999999999999999',
    '+',
    '{id}',
    '{key}',
    'a b',
    'é',
    '?',
    '#',
    '_',
    "'",
    '&',
    '%s',
  ]
  const rows = tenants.flatMap((tenant) => [
    ...plain(5, tenant),
    ...ids
      .slice(tenant === 1 ? 0 : 20)
      .map((id, at) => ({ id, tenant, changed: `2026-01-0${1 + (at % 9)} 10:00:00` })),
  ])
  const { findings } = await verifyRows(rows.map((row) => ({ ...row, event: row.id })))
  expect(findings).toEqual([])
})

test.each([1, 20])('ids and events are empty, the first of %i records among them', async (count) => {
  const rows = plain(count).map((row, at) => ({ ...row, event: at % 2 === 0 ? '' : 'event' }))
  const { findings } = await verifyRows([{ id: '', event: '', changed: '2026-01-01 10:00:00' }, ...rows])
  expect(findings).toEqual([])
})

test('the first page of each workspace is empty, because its rows cannot be shown', async () => {
  const rows = tenants.flatMap((tenant) => [
    ...hidden(130, '2026-01-01 10:00:00', { tenant }),
    ...plain(40, tenant),
  ])
  const { findings, outcomes, reasons } = await verifyRows(rows)
  expect(findings).toEqual([])
  expect(outcomes.get('isolation-records')).toBe('held')
  expect(reasons).not.toContain('registrations: one of the workspaces has no record')
})
