import { expect, onTestFinished, test } from 'vitest'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'

/*
 * The product's team changes the type or the meaning of a column during traffic. The periodic comparison of the schema is out of
 * reach: each result itself has to say that it is not what was bound. An answer is right, or a 503.
 */

const throwaway = useThrowaway()

const schema = `
CREATE TABLE accounts (id INT PRIMARY KEY, hidden TINYINT NOT NULL);
CREATE TABLE api_keys (hash CHAR(64) PRIMARY KEY, account INT NOT NULL, revoked DATETIME NULL);
CREATE TABLE events (id INT PRIMARY KEY, account INT NOT NULL, hidden TINYINT NOT NULL);
CREATE TABLE guests (
  id VARCHAR(20) COLLATE utf8mb4_bin PRIMARY KEY, account INT NOT NULL, event INT NOT NULL, state VARCHAR(10) NOT NULL,
  name VARCHAR(40) NOT NULL, email VARCHAR(40) NOT NULL, arrived TINYINT NOT NULL, archived TINYINT NOT NULL,
  made DATETIME NOT NULL, changed DATETIME NOT NULL, KEY (account, changed, id), KEY (changed, id, event), KEY (event));
CREATE TABLE bills (
  id INT PRIMARY KEY, event INT NOT NULL, state VARCHAR(10) NOT NULL, cents DECIMAL(12, 0) NOT NULL, units DECIMAL(12, 2) NOT NULL,
  day DATE NOT NULL, made DATETIME NOT NULL, changed DATETIME NOT NULL, KEY (event, changed, id));
CREATE VIEW shown_bills AS SELECT id, event, state, cents AS total, day, made, changed, 0 AS archived FROM bills;
`
const made = '2026-01-02 10:00:00'
const rows = `
INSERT INTO accounts VALUES (1, 0);
INSERT INTO events VALUES (1, 1, 0), (2, 1, 1);
INSERT INTO guests VALUES
  ('a', 1, 1, 'OK', 'Guest a', 'a@example.com', 0, 0, '${made}', '2026-01-02 10:00:01'),
  ('B', 1, 1, 'OK', 'Guest B', 'b@example.com', 1, 0, '${made}', '2026-01-02 10:00:01'),
  ('c', 1, 1, 'OK', 'Guest c', 'c@example.com', 0, 1, '${made}', '2026-01-02 10:00:01'),
  ('D', 1, 1, 'OK', 'Guest D', 'd@example.com', 1, 0, '${made}', '2026-01-02 10:00:01'),
  ('e', 1, 1, 'OK', 'Guest e', 'e@example.com', 0, 0, '${made}', '2026-01-02 10:00:02');
INSERT INTO bills VALUES
  (1, 1, 'PAID', 11550, 115.50, '2026-01-02', '${made}', '2026-01-02 10:00:01'),
  (2, 1, 'PAID', 21550, 215.50, '2026-01-02', '${made}', '2026-01-02 10:00:02'),
  (3, 2, 'PAID', 31550, 315.50, '2026-01-02', '${made}', '2026-01-02 10:00:03')`
const times = { createdAt: 'made', updatedAt: 'changed' }
const account = { from: 'events', on: 'event', column: 'account' }
const registrations = {
  table: 'guests',
  workspace: 'account',
  archived: { column: 'archived', equals: 1 },
  fields: {
    ...{ id: 'id', eventId: 'event', status: 'state', name: 'name', email: 'email', checkedIn: 'arrived' },
    ...times,
  },
}
const mapping: Mapping = {
  apiKeys: {
    table: 'api_keys',
    hash: { column: 'hash', algorithm: 'sha256', encoding: 'hex' },
    workspace: 'account',
    scopes: { grant: ['registration.read', 'invoices.read'] },
    revokedAt: 'revoked',
  },
  registrations,
  invoices: {
    table: 'shown_bills',
    workspace: account,
    archived: [
      { from: 'events', on: 'event', column: 'hidden', equals: 1 },
      { column: 'archived', equals: 1 },
    ],
    eventId: 'event',
    fields: {
      ...{ id: 'id', number: 'id', status: 'state', total: { column: 'total', unit: 'minor' } },
      ...{ currency: { constant: 'EUR' }, issueDate: 'day', dueDate: null, ...times },
    },
  },
  neverRead: [],
}

/** The same with pages of registrations by the entries of an index. */
const byEntries: Mapping = { ...mapping, registrations: { ...registrations, workspace: account } }

const env = { SCHEMA_CHECK_SECONDS: '3600', AUDIT: 'warn' }
const since = '2026-01-02T10:00:01.500Z'
/** What is asked all the time, and the ids, totals and times of the right answer. */
const questions: readonly (readonly [path: string, query: Readonly<Record<string, string>>])[] = [
  ['registrations', {}],
  ['registrations', { updatedSince: since }],
  ['registrations', { eventId: '1', status: 'OK' }],
  ['registrations/a', {}],
  ['registrations/c', {}],
  ['invoices', {}],
  ['invoices', { eventId: '1' }],
  ['invoices/1', {}],
  ['invoices/3', {}],
]

async function ask(client: Client): Promise<readonly string[]> {
  const answers = await Promise.all(questions.map(([path, query]) => client.get(path, query)))
  return answers.map(({ status, body, text }) =>
    status === 200
      ? JSON.stringify('data' in body ? body.data : body)
      : status === 404
        ? '404'
        : `${status} ${text}`,
  )
}

const guest = (change: string): string => `ALTER TABLE guests ${change}`
const view = (cells: string): string =>
  `CREATE OR REPLACE VIEW shown_bills AS SELECT id, event, state, ${cells}, day, made, changed FROM bills`
const text = (table: string, column: string): readonly string[] => [
  `ALTER TABLE ${table} MODIFY ${column} VARCHAR(5) NOT NULL`,
  `UPDATE ${table} SET ${column} = IF(${column} = '1', 'true', 'false')`,
]

interface Change {
  readonly what: string
  readonly sql: readonly string[]
  /** Which of the two is served afterwards; it was so before. */
  readonly served: readonly string[]
}
const [both, onlyGuests, onlyBills] = [
  ['registrations', 'invoices'],
  ['registrations'],
  ['invoices'],
] as const

const changes: readonly Change[] = [
  { what: 'archived: a number that becomes text', sql: text('guests', 'archived'), served: onlyBills },
  {
    what: 'archived by lookup: a number that becomes text',
    sql: text('events', 'hidden'),
    served: onlyGuests,
  },
  {
    what: 'a time of change that has fractions',
    sql: [
      guest('MODIFY changed DATETIME(3) NOT NULL'),
      "UPDATE guests SET changed = '2026-01-02 10:00:01.700' WHERE id = 'a'",
    ],
    served: both,
  },
  {
    what: 'cents that become units',
    sql: ['ALTER TABLE bills MODIFY cents DECIMAL(12, 2) NOT NULL', 'UPDATE bills SET cents = cents / 100'],
    served: onlyGuests,
  },
  {
    what: 'two amounts that exchange their names',
    sql: ['ALTER TABLE bills RENAME COLUMN cents TO was, RENAME COLUMN units TO cents'],
    served: onlyGuests,
  },
  { what: 'a view with another amount', sql: [view('units AS total, 0 AS archived')], served: onlyGuests },
  {
    what: 'a view with another test',
    sql: [view("cents AS total, IF(id = 2, 'true', 'false') AS archived")],
    served: onlyGuests,
  },
  {
    what: 'a key of a lookup that becomes text',
    sql: ['ALTER TABLE events MODIFY id VARCHAR(9) NOT NULL'],
    served: onlyGuests,
  },
  {
    what: 'a signed number that becomes unsigned',
    sql: ['ALTER TABLE bills MODIFY event INT UNSIGNED NOT NULL'],
    served: both,
  },
  { what: 'a wider number', sql: [guest('MODIFY event BIGINT NOT NULL')], served: both },
  { what: 'wider text', sql: [guest('MODIFY name VARCHAR(80) NOT NULL')], served: both },
  { what: 'another character set', sql: [guest('CONVERT TO CHARACTER SET latin1')], served: both },
]

const served = changes.flatMap((change) => {
  const own = { ...change, path: 'by the workspace', mapped: mapping }
  return change.sql[0]?.includes(' guests ') === true
    ? [own, { ...change, path: 'by entries', mapped: byEntries }]
    : [own]
})

test.each(served)('pages $path, $what: each answer is right or a 503', async ({ sql, served, mapped }) => {
  const product = await throwaway.createProduct({
    schema: { text: schema },
    rows: { text: rows },
    mapping: mapped,
  })
  const key = await product.mintKey({ workspace: '1', scopes: ['registration.read', 'invoices.read'] })
  const open = async () => {
    const service = await startService(product, { env, entriesMax: 1 })
    // With the sessions of every test at once, the server has too many.
    onTestFinished(() => service.close())
    return createClient(service, key)
  }
  const client = await open()
  const before = await ask(client)
  expect(before.filter((answer) => answer.startsWith('5'))).toEqual([])
  let isOver = false
  const seen: (readonly string[])[] = []
  const callers = [1, 2, 3].map(async () => {
    while (!isOver) seen.push(await ask(client))
  })
  await runStatements(product.adminUrl, sql)
  const behind = await ask(client)
  isOver = true
  await Promise.all(callers)
  // Where the mapping means the same as before, what a new process shows is right.
  const after = served.length < 2 ? before : await ask(await open())
  const right = questions.map(([path], at) => {
    const isServed = served.some((one) => path.startsWith(one))
    return { during: isServed ? [before[at], after[at]] : [before[at]], behind: isServed ? [after[at]] : [] }
  })
  const listWrong = (answers: readonly string[], when: 'during' | 'behind') =>
    answers.flatMap((answer, at) =>
      answer.startsWith('503 ') || right[at]?.[when].includes(answer) ? [] : [[questions[at], answer]],
    )
  expect(seen.length).toBeGreaterThan(1)
  expect(seen.flatMap((answers) => listWrong(answers, 'during'))).toEqual([])
  expect(listWrong(behind, 'behind')).toEqual([])
  const statuses = await Promise.all(both.map(async (path) => (await client.get(path)).status))
  expect(statuses).toEqual(both.map((path) => (served.includes(path) ? 200 : 503)))
})
