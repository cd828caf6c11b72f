import { describe, expect, test } from 'vitest'
import { takeBestAnswers } from '../../../../src/tools/init/answers.js'
import { propose } from '../../../../src/tools/init/propose.js'
import type { Proposal } from '../../../../src/tools/init/propose.js'
import { describeTables } from '../../../support/described.js'

/** The best proposal, where key-value tables have these keys. */
function proposeFor(
  tables: Readonly<Record<string, readonly string[]>>,
  keys: readonly string[] = [],
): Promise<Proposal> {
  return propose({
    description: describeTables(tables),
    content: {
      readCodes: () => Promise.resolve({ codes: [], isComplete: false, isWhole: true }),
      readTexts: () => Promise.resolve(keys),
      readCurrencies: () => Promise.resolve([]),
      readPaths: () => Promise.resolve([]),
      hasNull: () => Promise.resolve(false),
      readFilled: () => Promise.resolve(new Map()),
      hasRows: () => Promise.resolve(true),
      hasValue: () => Promise.resolve(true),
    },
    answers: takeBestAnswers,
  })
}

describe('a product of one table', () => {
  const passengers = [
    ...['id INT PRIMARY KEY', 'sailing_id INT NOT NULL', 'full_name VARCHAR(80) NOT NULL'],
    ...['email VARCHAR(80) NOT NULL', 'state VARCHAR(20) NOT NULL', 'created_at DATETIME NOT NULL'],
    'updated_at DATETIME NOT NULL',
  ]

  test('without a total is one of registrations, also where no name is that of an event', async () => {
    const { mapping, choices } = await proposeFor({ passengers })
    expect(Object.keys(mapping)).not.toContain('invoices')
    expect(mapping).toMatchObject({ registrations: { table: 'passengers', fields: { eventId: 'TODO' } } })
    const event = choices.find(({ path }) => path === 'registrations.fields.eventId')
    expect(event?.runnersUp.map(({ value }) => value)).toEqual(['sailing_id'])
  })
})

test('the number and the event of a key-value table are its rows', async () => {
  const tables = {
    invoices: [
      ...['id INT PRIMARY KEY', 'state VARCHAR(20) NOT NULL', 'currency CHAR(3) NOT NULL'],
      ...['issue_date DATE NOT NULL', 'created_at DATETIME NOT NULL', 'updated_at DATETIME NOT NULL'],
    ],
    invoice_meta: [
      ...['id INT PRIMARY KEY', 'invoice_id INT NOT NULL REFERENCES invoices'],
      ...['meta_key VARCHAR(80) NOT NULL', 'meta_value TEXT'],
    ],
  }
  const { mapping } = await proposeFor(tables, ['invoice_number', 'grand_total', 'event_id'])
  const lookup = (key: string): object => ({
    from: 'invoice_meta',
    on: 'id',
    key: 'invoice_id',
    where: [{ column: 'meta_key', equals: key }],
    column: 'meta_value',
  })
  expect(mapping['invoices']).toMatchObject({
    eventId: lookup('event_id'),
    fields: {
      number: lookup('invoice_number'),
      // No lookup reads an amount.
      total: 'TODO',
    },
  })
})

test('both collections name an index of one table once, and two indexes of it by two names', async () => {
  const times = ['created_at DATETIME NOT NULL', 'updated_at DATETIME NOT NULL']
  const tables = {
    accounts: ['id INT PRIMARY KEY', 'name VARCHAR(80)'],
    orders: [
      ...['id INT PRIMARY KEY', 'account_id INT NOT NULL REFERENCES accounts', 'status VARCHAR(20) NOT NULL'],
      ...['total DECIMAL(12,2) NOT NULL', 'currency CHAR(3) NOT NULL', 'invoice_number VARCHAR(20) NOT NULL'],
      ...['is_invoiced TINYINT NOT NULL', 'email VARCHAR(80) NOT NULL', ...times],
    ],
    tickets: [
      ...['id INT PRIMARY KEY', 'order_id INT NOT NULL REFERENCES orders', 'event_id INT NOT NULL'],
      ...['attendee_name VARCHAR(80) NOT NULL', 'attendee_email VARCHAR(80) NOT NULL'],
      'status VARCHAR(20) NOT NULL',
    ],
  }
  const { missingIndexes } = await proposeFor(tables)
  expect(missingIndexes.map(({ ddl }) => ddl)).toEqual([
    'CREATE INDEX `ix_vitrine_sync` ON `orders` (`account_id`, `updated_at`);',
    'CREATE INDEX `ix_vitrine_parent` ON `tickets` (`order_id`);',
    'CREATE INDEX `ix_vitrine_sync_2` ON `orders` (`account_id`, `is_invoiced`, `updated_at`, `id`);',
    'CREATE INDEX `ix_vitrine_link` ON `tickets` (`order_id`, `event_id`);',
  ])
})
