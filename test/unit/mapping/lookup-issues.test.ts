import { describe, expect, test } from 'vitest'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { resolveMapping } from '../../../src/mapping/resolve-mapping.js'
import type { ConfigIssue } from '../../../src/errors.js'
import { listIssues } from '../../support/issues.js'
import { lookupSchema, lookupTables, lookupYaml } from '../../support/ticket-mapping.js'
import { replacePart } from '../../support/plain-mapping.js'
import { buildColumn, buildSchema } from '../../support/schema.js'

function change(...changes: readonly (readonly [part: string, by: string])[]): string {
  return changes.reduce((text, [part, by]) => replacePart(text, part, by), lookupYaml)
}

/** The issues of the file, or else those against the schema. */
function issuesOf(...changes: readonly (readonly [part: string, by: string])[]): readonly ConfigIssue[] {
  return listIssues(() => resolveMapping(readMapping(change(...changes)), lookupSchema))
}

const email = '{ from: orders, on: order_id, column: email }'

describe('a lookup is an issue', () => {
  test.each<[string, string, string, Partial<ConfigIssue>]>([
    [
      'from a table that does not exist',
      email,
      '{ from: buyers, on: order_id, column: email }',
      {
        path: 'registrations.fields.email',
        found: 'buyers.email, which does not exist or may not be read',
      },
    ],
    [
      'by a column that is not unique',
      email,
      '{ from: orders, on: order_id, key: email, column: email }',
      { path: 'registrations.fields.email.key', found: 'orders.email, which is not unique by itself' },
    ],
    [
      'by a column that does not exist',
      email,
      '{ from: orders, on: ticket_id, column: email }',
      { path: 'registrations.fields.email.on' },
    ],
    [
      'between columns of different types',
      email,
      '{ from: orders, on: kind, column: email }',
      {
        path: 'registrations.fields.email.on',
        found: 'kind of type varchar(20) for orders.id of type bigint unsigned',
      },
    ],
    [
      'to a column that is not text',
      email,
      '{ from: orders, on: order_id, column: id }',
      { path: 'registrations.fields.email', found: 'orders.id of type bigint unsigned' },
    ],
    [
      'to a column of neverRead',
      email,
      '{ from: orders, on: order_id, column: secret }',
      { path: 'registrations.fields.email', found: 'orders.secret, which neverRead forbids' },
    ],
    [
      'by a key of neverRead',
      email,
      '{ from: orders, on: order_id, key: secret_id, column: email }',
      { path: 'registrations.fields.email.key', found: 'orders.secret_id, which neverRead forbids' },
    ],
    [
      'to a column of neverRead, in a test',
      '{ column: parent_id, equals: null }',
      '{ from: orders, on: order_id, column: secret, is: set }',
      { path: 'registrations.where', found: 'orders.secret, which neverRead forbids' },
    ],
    [
      'to a column that is missing, in a test',
      '{ column: deleted_at, is: set }',
      '{ from: orders, on: order_id, column: gone, notIn: [1] }',
      {
        path: 'registrations.archived',
        found: 'orders.gone, which does not exist or may not be read',
      },
    ],
    [
      'with where, by a test of a column of neverRead',
      email,
      '{ from: orders, on: order_id, where: [{ column: secret, is: unset }], column: email }',
      { path: 'registrations.fields.email.where', found: 'orders.secret, which neverRead forbids' },
    ],
    [
      'with where, in a table without a primary key',
      email,
      '{ from: tokens, on: order_id, key: account_id, where: [{ column: digest, equals: a }], column: digest }',
      { path: 'registrations.fields.email.key', found: 'no primary key of whole columns in tokens' },
    ],
    [
      'without its column',
      email,
      '{ from: orders, on: order_id }',
      { path: 'registrations.fields.email.column', found: 'nothing' },
    ],
    [
      'more than two deep',
      '{ from: clients, on: client_id, column: currency_id }',
      '{ from: clients, on: { from: bills, on: id, column: client_id }, column: currency_id }',
      { path: 'invoices.fields.currency.on.on' },
    ],
  ])('%s', (_what, part, by, issue) => {
    expect(issuesOf([part, by])).toEqual([expect.objectContaining(issue)])
  })

  test('where the table has no primary key of one column, and the mapping names none', () => {
    const orders = { ...lookupTables.orders, indexes: [{ name: 'PRIMARY', columns: ['id', 'email'] }] }
    const schema = buildSchema(...Object.values({ ...lookupTables, orders }))
    expect(listIssues(() => resolveMapping(readMapping(lookupYaml), schema))).toContainEqual(
      expect.objectContaining({
        path: 'registrations.fields.email.key',
        found: 'no primary key of one column in orders',
      }),
    )
  })
})

test('a name with a dot is an issue that names the lookup', () => {
  const [issue] = issuesOf([email, 'orders.email'])
  expect(issue).toEqual({
    path: 'registrations.fields.email',
    found: '"orders.email"',
    allowed:
      'a column name without a dot; a column of another table is { from: TABLE, on: COLUMN, column: COLUMN }',
  })
})

describe('a mapping that contradicts itself', () => {
  test('has neither collection', () => {
    const text = `${lookupYaml.slice(0, lookupYaml.indexOf('registrations:\n  table'))}neverRead: []\n`
    expect(listIssues(() => readMapping(text))).toEqual([
      {
        path: 'registrations',
        found: 'nothing, and no invoices either',
        allowed: 'a section registrations, a section invoices, or both',
      },
    ])
  })

  test.each<[string, string, string, string]>([
    ['has cases without otherwise', '      otherwise: OPEN\n', '', 'registrations.fields.status.otherwise'],
    ['sums text', 'sum: [net,', 'sum: [bill_no,', 'invoices.fields.total'],
    [
      'sums nothing',
      'sum: [net, { column: tax, scale: 4 }, { column: fee, float: 2 }]',
      'sum: []',
      'invoices.fields.total.sum',
    ],
    [
      'has a scale for a DECIMAL',
      '{ column: tax, scale: 4 }',
      '{ column: net, scale: 4 }',
      'invoices.fields.total',
    ],
    [
      'tests a number with text',
      '{ column: is_cancelled, equals: 1,',
      '{ column: is_cancelled, equals: yes!,',
      'registrations.fields.status',
    ],
    ['tests text with a number', 'in: [guest, staff]', 'in: [guest, 5]', 'registrations.where'],
    ['tests nothing', 'in: [guest, staff]', 'in: []', 'registrations.where.0.in'],
    [
      'reads an integer as a date',
      '{ column: created, epoch: s }',
      'created',
      'registrations.fields.createdAt',
    ],
    [
      'reads a date as an integer',
      'createdAt: created_at',
      'createdAt: { column: created_at, epoch: s }',
      'invoices.fields.createdAt',
    ],
    [
      'has a check-in that is always true',
      '{ constant: false }',
      '{ constant: true }',
      'registrations.fields.checkedIn.constant',
    ],
    [
      'has text for the order of lists',
      '{ column: changed, epoch: ms }',
      '{ from: orders, on: order_id, column: email }',
      'registrations.fields.updatedAt',
    ],
  ])('%s', (_what, part, by, path) => {
    expect(issuesOf([part, by]).map((issue) => issue.path)).toEqual(path.split(' '))
  })

  test('reports all of it together', () => {
    expect(
      issuesOf(
        [email, '{ from: buyers, on: order_id, column: email }'],
        ['{ column: created, epoch: s }', 'created'],
        ['sum: [net,', 'sum: [bill_no,'],
      ).map(({ path }) => path),
    ).toEqual(['registrations.fields.email', 'registrations.fields.createdAt', 'invoices.fields.total'])
  })
})

test('the option that would accept a column is named', () => {
  const allowedFor = (part: string, by: string): string | undefined => issuesOf([part, by])[0]?.allowed
  expect(allowedFor('{ column: created, epoch: s }', 'created')).toContain('{ column: created, epoch: s }')
  expect(allowedFor('{ column: fee, float: 2 }', 'fee')).toContain('{ column: fee, float: 2 }')
  const currency =
    '{ from: currencies, on: { from: clients, on: client_id, column: currency_id }, column: code }'
  expect(allowedFor(currency, 'client_id')).toContain('{ from: TABLE, on: COLUMN, column: COLUMN }')
})

test('a code that a status cannot have is an issue', () => {
  const bills = lookupTables.statuses
  const columns = new Map(bills.columns).set('name', buildColumn('name', 'int'))
  const schema = buildSchema(...Object.values({ ...lookupTables, statuses: { ...bills, columns } }))
  expect(listIssues(() => resolveMapping(readMapping(lookupYaml), schema)).map(({ path }) => path)).toEqual([
    'invoices.fields.status.values',
    'invoices.fields.status.values',
  ])
})
