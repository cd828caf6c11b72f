import { describe, expect, test } from 'vitest'
import { takeBestAnswers } from '../../../../src/tools/init/answers.js'
import type { Codes } from '../../../../src/tools/init/content.js'
import type { Description } from '../../../../src/tools/description.js'
import { propose } from '../../../../src/tools/init/propose.js'
import type { Proposal } from '../../../../src/tools/init/propose.js'
import { describeTables } from '../../../support/described.js'

/** The best proposal for tables whose columns have these codes, and whose keys have these scopes. */
async function proposeBest(
  description: Description,
  codes: Readonly<Record<string, readonly string[]>> = {},
  scopes: readonly string[] = [],
): Promise<Proposal> {
  const readCodes = (found: readonly string[]): Codes => ({
    codes: found.map((code) => ({ code, rows: 1 })),
    isComplete: false,
    isWhole: true,
  })
  return propose({
    description,
    content: {
      readCodes: (table, column) => Promise.resolve(readCodes(codes[`${table.name}.${column.name}`] ?? [])),
      readTexts: () => Promise.resolve(scopes),
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

const invoice = [
  'id BIGINT PRIMARY KEY',
  'number VARCHAR(20) NOT NULL',
  'status VARCHAR(20) NOT NULL',
  'total DECIMAL(12,2) NOT NULL',
  'currency CHAR(3) NOT NULL',
  'issue_date DATE NOT NULL',
  'created_at TIMESTAMP NOT NULL',
  'updated_at TIMESTAMP NOT NULL',
]

/** Invoices with other columns in the place of some of these. */
function withColumns(...columns: readonly string[]): readonly string[] {
  const names = columns.map((line) => line.split(' ')[0])
  return [...invoice.filter((line) => !names.includes(line.split(' ')[0])), ...columns]
}

describe('a product of Rails', () => {
  const tables = describeTables({
    organizations: ['id BIGINT PRIMARY KEY', 'name VARCHAR(255) NOT NULL'],
    events: ['id BIGINT PRIMARY KEY', 'organization_id BIGINT NOT NULL REFERENCES organizations'],
    contacts: [
      'id BIGINT PRIMARY KEY',
      'organization_id BIGINT NOT NULL',
      'given_name VARCHAR(255)',
      'family_name VARCHAR(255)',
      'email VARCHAR(255)',
      'encrypted_password VARCHAR(255)',
      'phone VARCHAR(30)',
    ],
    registrations: [
      'id BIGINT PRIMARY KEY',
      'event_id BIGINT NOT NULL',
      'contact_id BIGINT NOT NULL',
      'aasm_state VARCHAR(20) NOT NULL',
      'checked_in_at DATETIME',
      'discarded_at DATETIME',
      'created_at DATETIME NOT NULL',
      'updated_at DATETIME NOT NULL',
    ],
    registration_answers: ['id BIGINT PRIMARY KEY', 'registration_id BIGINT NOT NULL', 'answer TEXT'],
  })

  test('is mapped with lookups over the event and the contact', async () => {
    const { mapping } = await proposeBest(tables, { 'registrations.aasm_state': ['confirmed', 'waiting'] })
    expect(mapping['registrations']).toEqual({
      table: 'registrations',
      workspace: { from: 'events', on: 'event_id', column: 'organization_id' },
      archived: { column: 'discarded_at', is: 'set' },
      fields: {
        id: 'id',
        eventId: 'event_id',
        status: { column: 'aasm_state', values: ['confirmed', 'waiting'], otherwise: 'OTHER' },
        name: { from: 'contacts', on: 'contact_id', columns: ['given_name', 'family_name'], separator: ' ' },
        email: { from: 'contacts', on: 'contact_id', column: 'email' },
        checkedIn: { from: 'checkedInAt' },
        checkedInAt: 'checked_in_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    })
    expect(mapping['invoices']).toBeUndefined()
  })

  test('needs an index for its pages', async () => {
    const { missingIndexes } = await proposeBest(tables)
    expect(missingIndexes.map(({ ddl }) => ddl)).toEqual([
      'CREATE INDEX `ix_vitrine_sync` ON `registrations` (`event_id`, `updated_at`, `id`);',
      'CREATE INDEX `ix_vitrine_workspace` ON `events` (`organization_id`);',
    ])
    expect(missingIndexes[0]?.estimatedBytes).toBeGreaterThan(1000 * 24)
  })
})

describe('the tenant', () => {
  test('is constant where nothing looks like one, which is to be verified', async () => {
    const { mapping, choices } = await proposeBest(describeTables({ invoices: invoice }))
    expect(mapping).toMatchObject({ invoices: { workspace: { constant: '1' } } })
    expect(choices.find(({ path }) => path === 'invoices.workspace')?.undecided).toContain('one tenant')
  })

  test('is the column that most tables have, and not the customer', async () => {
    const tables = describeTables({
      invoices: withColumns('client_id INT NOT NULL', 'company_id INT NOT NULL'),
      clients: ['id INT PRIMARY KEY', 'company_id INT NOT NULL'],
      payments: ['id INT PRIMARY KEY', 'company_id INT NOT NULL', 'invoice_id BIGINT NOT NULL'],
    })
    expect((await proposeBest(tables)).mapping).toMatchObject({ invoices: { workspace: 'company_id' } })
  })

  test('is the table that most tables lead to, whatever its name, which is to be verified', async () => {
    const tables = describeTables({
      invoices: withColumns('pier_id INT NOT NULL'),
      piers: ['id INT PRIMARY KEY', 'label VARCHAR(80)'],
      boats: ['id INT PRIMARY KEY', 'pier_id INT NOT NULL'],
      ropes: ['id INT PRIMARY KEY', 'pier_id INT NOT NULL'],
    })
    const { mapping, choices } = await proposeBest(tables)
    expect(mapping).toMatchObject({ invoices: { workspace: 'pier_id' } })
    expect(choices.find(({ path }) => path === 'invoices.workspace')?.undecided).toContain('a row of piers')
  })

  test('is no ledger account', async () => {
    const tables = describeTables({
      invoices: withColumns('account_id INT NOT NULL'),
      accounts: ['id INT PRIMARY KEY', 'opening_balance DECIMAL(12,2)'],
    })
    expect((await proposeBest(tables)).mapping).toMatchObject({ invoices: { workspace: { constant: '1' } } })
  })

  test('can have the name of a person, and is reached by the event', async () => {
    const tables = describeTables({
      invoices: withColumns('event_id INT NOT NULL'),
      events: ['id INT PRIMARY KEY', 'account_id INT NOT NULL', 'starts_at DATETIME'],
      accounts: ['id INT PRIMARY KEY', 'first_name VARCHAR(80)', 'last_name VARCHAR(80)'],
    })
    const workspace = { from: 'events', on: 'event_id', column: 'account_id' }
    expect((await proposeBest(tables)).mapping).toMatchObject({ invoices: { workspace } })
  })

  test('that the other collection has and this one does not reach is undecided, never constant', async () => {
    const tables = describeTables({
      invoices: withColumns('tenant_id INT NOT NULL'),
      attendees: [
        'id INT PRIMARY KEY',
        'event_id INT NOT NULL',
        'name VARCHAR(80)',
        'email VARCHAR(80)',
        'updated_at DATETIME',
      ],
      payments: ['id INT PRIMARY KEY', 'tenant_id INT NOT NULL'],
    })
    expect((await proposeBest(tables)).mapping).toMatchObject({
      registrations: { workspace: 'TODO' },
      invoices: { workspace: 'tenant_id' },
    })
  })
})

describe('the total', () => {
  test.each([
    ['total DECIMAL(12,2) NOT NULL', 'total'],
    ['total DOUBLE', { column: 'total', float: 4 }],
    ['total DOUBLE(8,2)', { column: 'total', float: 2 }],
    ['total BIGINT NOT NULL', { column: 'total', scale: 2 }],
    ["total BIGINT NOT NULL COMMENT 'in cents'", { column: 'total', unit: 'minor' }],
    ["total BIGINT NOT NULL COMMENT 'x 10000'", { column: 'total', scale: 4 }],
    ['total VARCHAR(20) NOT NULL', { column: 'total', text: 'decimal' }],
  ])('%s is %j', async (column, total) => {
    const { mapping } = await proposeBest(describeTables({ invoices: withColumns(column) }))
    expect(mapping).toMatchObject({ invoices: { fields: { total } } })
  })
})

describe('times', () => {
  test('of the last change that no column has say that they never move', async () => {
    const columns = invoice.filter((line) => !line.startsWith('updated_at'))
    const { mapping, choices } = await proposeBest(describeTables({ invoices: columns }))
    expect(mapping).toMatchObject({
      invoices: { fields: { updatedAt: { column: 'created_at', neverChanges: true } } },
    })
    expect(choices.find(({ path }) => path === 'invoices.fields.updatedAt')?.undecided).toContain(
      'not synced',
    )
  })
})

describe('the rows of a collection', () => {
  test('are those that are not archived, by every sign of it', async () => {
    const columns = withColumns(
      'is_deleted TINYINT(1) NOT NULL',
      'archived_at DATETIME',
      'trashed INT NOT NULL',
    )
    expect((await proposeBest(describeTables({ invoices: columns }))).mapping).toMatchObject({
      invoices: {
        archived: [
          { column: 'is_deleted', equals: 1 },
          { column: 'archived_at', is: 'set' },
          { column: 'trashed', notEquals: 0 },
        ],
      },
    })
  })
})

test('a registration of a person whom the product has deleted is archived, where the row itself has no such column', async () => {
  const columns = [
    'id INT PRIMARY KEY',
    'event_id INT NOT NULL',
    'contact_id INT NOT NULL',
    'updated_at DATETIME',
  ]
  const contacts = ['id INT PRIMARY KEY', 'name VARCHAR(80)', 'email VARCHAR(80)', 'deleted TINYINT NOT NULL']
  const propose = async (...own: readonly string[]): Promise<unknown> => {
    const { mapping } = await proposeBest(describeTables({ registrations: [...columns, ...own], contacts }))
    return (mapping['registrations'] as Record<string, unknown>)['archived']
  }
  expect(await propose()).toEqual({ from: 'contacts', on: 'contact_id', column: 'deleted', equals: 1 })
  expect(await propose('removed_at DATETIME')).toEqual({ column: 'removed_at', is: 'set' })
})

describe('the status', () => {
  test('is derived from flags and times where no column has it', async () => {
    const columns = [
      ...invoice.filter((line) => !line.startsWith('status')),
      'is_void TINYINT(1)',
      'paid_at DATETIME',
    ]
    expect((await proposeBest(describeTables({ invoices: columns }))).mapping).toMatchObject({
      invoices: {
        fields: {
          status: {
            when: [
              { column: 'is_void', equals: 1, then: 'VOID' },
              { column: 'paid_at', is: 'set', then: 'PAID' },
            ],
            otherwise: 'ISSUED',
          },
        },
      },
    })
  })

  test('of numbers has the words of the comment, or is to be verified', async () => {
    const explained = withColumns("status TINYINT NOT NULL COMMENT '0: draft, 1: paid, 2=void'")
    const codes = { 'invoices.status': ['0', '1'] }
    expect((await proposeBest(describeTables({ invoices: explained }), codes)).mapping).toMatchObject({
      invoices: {
        fields: {
          status: { column: 'status', values: { 0: 'DRAFT', 1: 'PAID', 2: 'VOID' }, otherwise: 'OTHER' },
        },
      },
    })
    const plain = await proposeBest(
      describeTables({ invoices: withColumns('status TINYINT NOT NULL') }),
      codes,
    )
    expect(plain.mapping).toMatchObject({ invoices: { fields: { status: 'status' } } })
    expect(plain.choices.find(({ path }) => path === 'invoices.fields.status')?.undecided).toContain(
      '0: WORD, 1: WORD',
    )
  })
})

describe('a table of keys', () => {
  const tables = describeTables({
    invoices: withColumns('tenant_id INT NOT NULL'),
    api_keys: ['id INT PRIMARY KEY', 'tenant_id INT NOT NULL', 'key_hash CHAR(64) NOT NULL', 'scopes TEXT'],
  })

  test.each([
    ['is used, with the format of its scopes', ['invoices.read,orders'], 'api_keys', 'comma'],
    ['with blank scopes shows no format', ['', ' '], 'api_keys', 'json'],
    ['with scopes of something else is not used', ['["orders:write"]'], 'vitrine_api_keys', 'space'],
  ])('%s', async (_, scopes, table, format) => {
    const { mapping } = await proposeBest(tables, {}, scopes)
    expect(mapping).toMatchObject({ apiKeys: { table, scopes: { column: 'scopes', format } } })
  })
})

test('what nothing fits is a TODO with what to decide', async () => {
  const columns = invoice.filter((line) => !line.startsWith('currency'))
  const { mapping, choices } = await proposeBest(describeTables({ invoices: columns }))
  expect(mapping).toMatchObject({ invoices: { fields: { currency: 'TODO' } } })
  expect(choices.find(({ path }) => path === 'invoices.fields.currency')?.undecided).toContain('currency')
})

test('a proposal for 500 tables ends', async () => {
  const tables = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [
      `module_${at}_items`,
      withColumns('tenant_id INT NOT NULL', `module_${at + 1}_item_id INT`),
    ]),
  )
  const described = describeTables({ ...tables, invoices: withColumns('tenant_id INT NOT NULL') })
  expect((await proposeBest(described)).mapping).toMatchObject({ invoices: { table: 'invoices' } })
})
