import { expect, test } from 'vitest'
import { createOwnDatabase, proposeAt } from '../support/proposal.js'
import { useThrowaway } from '../support/service.js'

/* What the rows of a product say where no name does. */

const throwaway = useThrowaway()
const events = [
  'CREATE TABLE events (id INT PRIMARY KEY, title VARCHAR(80) NOT NULL, starts_at DATETIME NOT NULL)',
  "INSERT INTO events VALUES (1, 'Fair', '2026-05-01 09:00:00')",
]
/** Of creation and change. */
const times = "'2026-01-01 00:00:00', '2026-01-02 00:00:00'"

/** Values of settings, and the currency that is proposed for invoices without one. */
const settings = [
  { stored: { currency_code: 'EUR', currency_symbol: '€', currency_placement: 'top' }, proposed: 'EUR' },
  { stored: { default_currency: 'eur', language: 'USD' }, proposed: 'EUR' },
  { stored: { payments: '{"payments":{"currency": "SAR","position":"before"}}' }, proposed: 'SAR' },
  { stored: { config: 'a:1:{s:8:"currency";s:3:"USD";s:4:"sign";s:1:"$";}' }, proposed: 'USD' },
  { stored: { currency: '"NOK"' }, proposed: 'NOK' },
  { stored: { currency: 'EUR', event_currency: 'USD' }, proposed: undefined },
  { stored: { currency: 'ABC' }, proposed: undefined },
  { stored: { currency: '12' }, proposed: undefined },
] as const

test.each(settings)('the currency of the settings $stored is $proposed', async ({ stored, proposed }) => {
  const rows = Object.entries(stored).map(([key, value]) => `('${key}', '${value}')`)
  const url = await createOwnDatabase(throwaway, [
    `CREATE TABLE invoices (id INT PRIMARY KEY, number VARCHAR(20) NOT NULL, total DECIMAL(10,2) NOT NULL, status ENUM('open','paid') NOT NULL,
      issue_date DATE NOT NULL, created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL)`,
    "INSERT INTO invoices VALUES (1, 'A-1', 10, 'open', '2026-01-01', '2026-01-01 00:00:00', '2026-01-02 00:00:00')",
    'CREATE TABLE options (id INT PRIMARY KEY AUTO_INCREMENT, option_name VARCHAR(80) NOT NULL, option_value LONGTEXT NOT NULL)',
    `INSERT INTO options (option_name, option_value) VALUES ${rows.join(', ')}`,
  ])
  const { mapping, choices } = await proposeAt(url)
  const currency = proposed === undefined ? 'TODO' : { constant: proposed }
  expect(mapping).toMatchObject({ invoices: { fields: { currency } } })
  const choice = choices.find(({ path }) => path === 'invoices.fields.currency')
  if (proposed !== undefined) expect(choice?.undecided).toContain(`is ${proposed}, a setting in options,`)
})

test.each([
  ['s', 1_700_000_000],
  ['ms', 1_700_000_000_000],
  ['us', 1_700_000_000_000_000],
])('an integer time is read as %s where its rows have times of this length', async (epoch, value) => {
  const url = await createOwnDatabase(throwaway, [
    `CREATE TABLE invoices (id INT PRIMARY KEY, number VARCHAR(20) NOT NULL, total DECIMAL(10,2) NOT NULL, currency CHAR(3) NOT NULL,
      status ENUM('open','paid') NOT NULL, crt_ts BIGINT NOT NULL, upd_ts BIGINT UNSIGNED NOT NULL)`,
    `INSERT INTO invoices VALUES (1, 'A-1', 10, 'EUR', 'open', ${value}, ${value})`,
  ])
  const { mapping, choices } = await proposeAt(url)
  expect(mapping).toMatchObject({
    invoices: { fields: { createdAt: { column: 'crt_ts', epoch }, updatedAt: { column: 'upd_ts', epoch } } },
  })
  expect(choices.find(({ path }) => path === 'invoices.fields.updatedAt')?.undecided).toBeUndefined()
})

test('letters and words for yes and no are flags, also where no row says yes', async () => {
  const url = await createOwnDatabase(throwaway, [
    ...events,
    `CREATE TABLE registrations (id INT PRIMARY KEY, event_id INT NOT NULL, name VARCHAR(80) NOT NULL, email VARCHAR(120) NOT NULL,
      attended CHAR(1), cancelled ENUM('no','yes') NOT NULL, deleted CHAR(1) NOT NULL, is_test CHAR(1) NOT NULL, declined CHAR(1) NOT NULL,
      created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, FOREIGN KEY (event_id) REFERENCES events (id))`,
    `INSERT INTO registrations VALUES (1, 1, 'A', 'a@example.com', 'S', 'yes', 'N', 'N', 'A', ${times}),
      (2, 1, 'B', 'b@example.com', 'N', 'no', 'N', 'Y', 'B', ${times}), (3, 1, 'C', 'c@example.com', NULL, 'no', 'N', 'N', 'C', ${times})`,
  ])
  const { mapping } = await proposeAt(url)
  expect(mapping).toMatchObject({
    registrations: {
      where: [{ column: 'is_test', equals: 'N' }],
      archived: { column: 'deleted', notEquals: 'N' },
      fields: {
        status: { when: [{ column: 'cancelled', equals: 'yes', then: 'CANCELLED' }], otherwise: 'CONFIRMED' },
        checkedIn: { column: 'attended', equals: 'S' },
      },
    },
  })
})

test('where no row says yes and some say nothing, only a yes deletes; an empty letter is no check-in', async () => {
  const url = await createOwnDatabase(throwaway, [
    ...events,
    `CREATE TABLE registrations (id INT PRIMARY KEY, event_id INT NOT NULL, name VARCHAR(80) NOT NULL, email VARCHAR(120) NOT NULL,
      attended CHAR(1), cancelled CHAR(1), cancelled_at DATETIME, attending TINYINT(1), deleted CHAR(1),
      created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, FOREIGN KEY (event_id) REFERENCES events (id))`,
    `INSERT INTO registrations VALUES (1, 1, 'A', 'a@example.com', NULL, NULL, '2026-01-02 00:00:00', 1, 'N', ${times}),
      (2, 1, 'B', 'b@example.com', NULL, NULL, NULL, 0, NULL, ${times}), (3, 1, 'C', 'c@example.com', NULL, NULL, NULL, NULL, NULL, ${times})`,
  ])
  const { mapping } = await proposeAt(url)
  expect(mapping).toMatchObject({
    registrations: {
      archived: { column: 'deleted', in: ['Y', 'S', 'J', 'O', 'T', '1'] },
      fields: {
        status: {
          when: [
            { column: 'cancelled_at', is: 'set', then: 'CANCELLED' },
            { column: 'attending', equals: 1, then: 'CONFIRMED' },
            { column: 'attending', equals: 0, then: 'DECLINED' },
          ],
          otherwise: 'PENDING',
        },
        checkedIn: { constant: false },
      },
    },
  })
})

test.each([
  ['VARCHAR(190)', 'email', 'content'],
  ['CHAR(36)', 'id', 'value'],
])('the keys %s of a table whose key has no such name are not read', async (type, key, value) => {
  const url = await createOwnDatabase(throwaway, [
    ...events,
    `CREATE TABLE registrations (id INT PRIMARY KEY, event_id INT NOT NULL, name VARCHAR(80) NOT NULL, email VARCHAR(120) NOT NULL,
      created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, FOREIGN KEY (event_id) REFERENCES events (id))`,
    `CREATE TABLE notes (${key} ${type} PRIMARY KEY, registration_id INT, ${value} TEXT)`,
    `INSERT INTO notes VALUES ('first_name', 1, 'A')`,
  ])
  expect(JSON.stringify((await proposeAt(url)).choices)).not.toContain('first_name')
})
