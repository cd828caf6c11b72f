import { beforeAll, expect, test } from 'vitest'
import type { Proposal } from '../../src/tools/init/propose.js'
import { runStatements, splitStatements } from '../product/index.js'
import { createOwnDatabase, proposeAt } from '../support/proposal.js'
import { useThrowaway } from '../support/service.js'

/*
 * A usual product, of which some columns look like something else: a key of a tenant that the newest rows lack, beside a
 * type of accounts; a status beside a city; guests of a person; a phone that ends with digits.
 */

const throwaway = useThrowaway()
const digits = (name: string): string =>
  `(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9) ${name}`

const statements = [
  'CREATE TABLE accounts (id INT PRIMARY KEY, name VARCHAR(80) NOT NULL)',
  'CREATE TABLE events (id INT PRIMARY KEY, title VARCHAR(80) NOT NULL, starts_at DATETIME NOT NULL, venue VARCHAR(80))',
  `CREATE TABLE registrations (id INT PRIMARY KEY, account_id INT, account_type VARCHAR(10) NOT NULL, event_id INT NOT NULL,
    name VARCHAR(80) NOT NULL, email VARCHAR(120) NOT NULL, city VARCHAR(60), country CHAR(2),
    state ENUM('pending','confirmed','cancelled') NOT NULL, checked_in_at DATETIME,
    created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL,
    FOREIGN KEY (account_id) REFERENCES accounts (id), FOREIGN KEY (event_id) REFERENCES events (id))`,
  `CREATE TABLE registration_guests (id INT PRIMARY KEY, registration_id INT NOT NULL, name VARCHAR(80) NOT NULL, email VARCHAR(120) NOT NULL,
    created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, FOREIGN KEY (registration_id) REFERENCES registrations (id))`,
  `CREATE TABLE bills (id INT PRIMARY KEY, account_id INT NOT NULL, contact_no VARCHAR(20) NOT NULL, line_total INT NOT NULL, total DECIMAL(10,2) NOT NULL,
    currency CHAR(3) NOT NULL, status ENUM('open','paid') NOT NULL, issue_date DATE NOT NULL, created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL,
    FOREIGN KEY (account_id) REFERENCES accounts (id))`,
  "INSERT INTO accounts VALUES (1, 'North'), (2, 'South')",
  "INSERT INTO events VALUES (1, 'Fair', '2026-05-01 09:00:00', 'Hall')",
  `INSERT INTO registrations SELECT n, IF(n < 400, 1 + n % 2, NULL), 'free', 1, CONCAT('Person ', n), CONCAT('p', n, '@example.com'), 'Oslo', 'NO',
    ELT(1 + n % 3, 'pending', 'confirmed', 'cancelled'), NULL, '2026-01-01 00:00:00', '2026-01-02 00:00:00'
    FROM (SELECT 1 + a.d + 10 * b.d + 100 * c.d AS n FROM ${digits('a')}, ${digits('b')}, ${digits('c')}) numbers`,
  "INSERT INTO registration_guests VALUES (1, 1, 'Guest', 'g@example.com', '2026-01-01 00:00:00', '2026-01-02 00:00:00')",
  "INSERT INTO bills VALUES (1, 1, '004791234511', 10, 10, 'NOK', 'open', '2026-01-01', '2026-01-01 00:00:00', '2026-01-02 00:00:00'), (2, 2, '004791234522', 20, 20, 'NOK', 'paid', '2026-01-01', '2026-01-01 00:00:00', '2026-01-02 00:00:00')",
  'ANALYZE TABLE accounts, events, registrations, registration_guests, bills',
]

let url: string
let proposal: Proposal
let mapping: Proposal['mapping']
beforeAll(async () => {
  url = await createOwnDatabase(throwaway, statements)
  proposal = await proposeAt(url)
  mapping = proposal.mapping
})

test('the registrations are the rows with a state, and not their guests', () => {
  expect(mapping).toMatchObject({
    registrations: { table: 'registrations', fields: { status: { column: 'state' } } },
  })
})

test('the tenant is that of all rows but the newest', () => {
  expect(mapping).toMatchObject({
    registrations: { workspace: 'account_id' },
    invoices: { workspace: 'account_id' },
  })
})

test('a phone is no number of an invoice, and no column of the proposal is forbidden', () => {
  expect(mapping).toMatchObject({ invoices: { table: 'bills', fields: { number: 'id', total: 'total' } } })
  const forbidden = JSON.stringify(mapping['neverRead'])
  expect(forbidden).toContain('bills.contact_no')
  for (const name of ['state', 'line_total', 'bills.*']) expect(forbidden).not.toContain(name)
})

test('a second proposal takes the table of keys that the first one had made', async () => {
  await runStatements(url, splitStatements(proposal.newKeyTable?.ddl ?? ''))
  const again = await proposeAt(url)
  expect(again.newKeyTable).toBeUndefined()
  expect(again.mapping).toEqual(mapping)
})
