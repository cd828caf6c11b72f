import { describe, expect, test } from 'vitest'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { resolveMapping } from '../../../src/mapping/resolve-mapping.js'
import type { ConfigIssue } from '../../../src/errors.js'
import { listIssues } from '../../support/issues.js'
import { lookupSchema, lookupTables, lookupYaml } from '../../support/ticket-mapping.js'
import { replacePart } from '../../support/plain-mapping.js'
import { buildColumn, buildSchema, buildTable } from '../../support/schema.js'

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
  test('has neither resource', () => {
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

describe('a time of change of the parent row', () => {
  const own = 'updatedAt: { column: changed, epoch: ms }'
  const workspace = 'workspace: { from: events, on: event_id, column: account_id }'
  const parent = 'updatedAt: { from: orders, on: order_id, column: changed }'
  const orders = buildTable(
    'orders',
    {
      ...{ id: 'bigint unsigned', first_name: 'text utf8mb4_bin', last_name: 'text utf8mb4_bin' },
      ...{
        email: 'text utf8mb4_bin',
        account_id: 'bigint',
        changed: 'datetime',
        code: 'char(9) utf8mb4_bin',
      },
    },
    { PRIMARY: ['id'], uq_code: ['code'], sync: ['account_id', 'changed'] },
  )
  const tickets = { ...lookupTables.tickets }
  const indexed = {
    ...tickets,
    indexes: [...tickets.indexes, { name: 'o', uniqueOn: undefined, columns: ['order_id'] }],
  }
  const issuesOver = (
    tables: Partial<typeof lookupTables>,
    ...changes: readonly (readonly [part: string, by: string])[]
  ): readonly ConfigIssue[] =>
    listIssues(() =>
      resolveMapping(
        readMapping(change([own, parent], ...changes)),
        buildSchema(...Object.values({ ...lookupTables, orders, tickets: indexed, ...tables })),
      ),
    )
  const ofOrder = 'workspace: { from: orders, on: order_id, column: account_id }'

  test('is read where both indexes exist, with the workspace of the same row', () => {
    expect(issuesOver({}, [workspace, ofOrder])).toEqual([])
  })

  test.each<[string, Partial<typeof lookupTables>, string, string, string]>([
    [
      'without an index of the parent rows',
      { orders: { ...orders, indexes: orders.indexes.slice(0, 2) } },
      ofOrder,
      'orders.changed, by which no index of orders has the order of lists',
      'CREATE INDEX `ix_vitrine_sync` ON `orders` (`account_id`, `changed`)',
    ],
    [
      'for one workspace, without an index of the time',
      {},
      "workspace: { constant: 'a' }",
      'orders.changed, by which no index of orders has the order of lists',
      'CREATE INDEX `ix_vitrine_sync` ON `orders` (`changed`)',
    ],
    [
      'without an index of the rows',
      { tickets },
      ofOrder,
      'orders.changed, by which no index of tickets has the order of lists',
      'CREATE INDEX `ix_vitrine_sync` ON `tickets` (`order_id`)',
    ],
    [
      'with a workspace elsewhere',
      {},
      workspace,
      'orders.changed, but a workspace that is no column of orders',
      'workspace: { from: orders, on: order_id, column: COLUMN }',
    ],
  ])('%s is an issue that names what is missing', (_, tables, by, found, allowed) => {
    expect(issuesOver(tables, [workspace, by])).toEqual([
      { path: 'registrations.fields.updatedAt', found, allowed: expect.stringContaining(allowed) as string },
    ])
  })

  test('by a column of another collation is an issue', () => {
    const byCode = ', on: kind, key: code, column:'
    const issues = issuesOver(
      {},
      [workspace, ofOrder.replace(', on: order_id, column:', byCode)],
      [parent, parent.replace(', on: order_id, column:', byCode)],
    )
    expect(issues).toMatchObject([
      { found: 'orders.changed by tickets.kind of another collation than orders.code' },
    ])
  })
})

describe('neverRead holds for every form', () => {
  const total =
    'total: { sum: [net, { column: tax, scale: 4 }, { column: fee, float: 2 }], nullIsZero: true }'
  const flag = 'checkedIn: { constant: false }'
  const paid = '{ column: paid_at, is: set, then: PAID }'
  const created = 'createdAt: { column: created, epoch: s }'
  const changed = 'updatedAt: { column: changed, epoch: ms }'

  test.each([
    [total, 'total: { from: orders, key: id, sum: [secret] }', '', 'orders.secret'],
    [
      total,
      'total: { from: orders, key: id, sum: [id, { column: secret, unit: minor }] }',
      '',
      'orders.secret',
    ],
    [total, 'total: { from: orders, key: secret_id, sum: [id] }', '.key', 'orders.secret_id'],
    [total, 'total: { from: orders, key: id, on: secret_id, sum: [id] }', '.on', 'bills.secret_id'],
    [
      total,
      'total: { from: orders, key: id, sum: [id], where: [{ column: secret, is: set }] }',
      '.where',
      'orders.secret',
    ],
    [flag, 'checkedIn: { column: secret, equals: a }', '', 'tickets.secret'],
    [flag, 'checkedIn: { from: orders, on: order_id, key: secret_id, is: set }', '.key', 'orders.secret_id'],
    [
      flag,
      'checkedIn: { from: orders, on: order_id, where: [{ column: secret, is: set }], is: set }',
      '.where',
      'orders.secret',
    ],
    [`email: ${email}`, 'email: { column: secret, json: $.a }', '', 'tickets.secret'],
    [
      `email: ${email}`,
      'email: { from: orders, on: order_id, column: secret, json: $.a }',
      '',
      'orders.secret',
    ],
    [
      `email: ${email}`,
      'email: { first: [kind, { from: orders, on: order_id, column: secret }] }',
      '',
      'orders.secret',
    ],
    [paid, '{ from: orders, on: order_id, column: secret, is: set, then: PAID }', '', 'orders.secret'],
    [created, 'createdAt: { from: orders, on: order_id, column: secret }', '', 'orders.secret'],
    [changed, 'updatedAt: { from: orders, on: order_id, column: secret }', '', 'orders.secret'],
    [
      changed,
      'updatedAt: { from: orders, on: order_id, key: secret_id, column: id }',
      '.key',
      'orders.secret_id',
    ],
  ])('%s as %s', (part, by, place, found) => {
    const section = by.startsWith('total') ? 'invoices' : 'registrations'
    const field = by.startsWith('{') ? 'status' : by.slice(0, by.indexOf(':'))
    expect(issuesOf([part, by])).toMatchObject([
      { path: `${section}.fields.${field}${place}`, found: `${found}, which neverRead forbids` },
    ])
  })
})

describe('lines that cannot be summed', () => {
  const total =
    'total: { sum: [net, { column: tax, scale: 4 }, { column: fee, float: 2 }], nullIsZero: true }'
  const lines = (option: string, definition = 'decimal(12,2)'): readonly ConfigIssue[] => {
    const rows = buildTable('lines', {
      bill: 'int',
      code: 'char(9) utf8mb4_bin',
      net: definition,
      rate: 'double',
    })
    const schema = buildSchema(...Object.values({ ...lookupTables, rows }))
    return listIssues(() => resolveMapping(readMapping(change([total, `total: ${option}`])), schema))
  }

  test.each([
    ['{ from: gone, key: a, sum: [b] }', '.key', 'gone.a, which does not exist or may not be read'],
    ['{ from: lines, key: gone, sum: [net] }', '.key', 'lines.gone, which does not exist or may not be read'],
    ['{ from: lines, key: code, sum: [net] }', '.on', 'id of type int for lines.code of type char(9)'],
    [
      '{ from: lines, key: bill, on: gone, sum: [net] }',
      '.on',
      'bills.gone, which does not exist or may not be read',
    ],
    ['{ from: lines, key: bill, sum: [code] }', '', 'lines.code of type char(9)'],
    ['{ from: lines, key: bill, sum: [rate] }', '', 'lines.rate of type double'],
    ['{ from: lines, key: bill, sum: [{ column: net, scale: 2 }] }', '', 'lines.net of type decimal(12,2)'],
    [
      '{ from: lines, key: bill, sum: [net], where: [{ column: net, equals: a }] }',
      '.where',
      'lines.net of type decimal(12,2)',
    ],
  ])('%s is an issue', (option, place, found) => {
    expect(lines(option)[0]).toMatchObject({ path: `invoices.fields.total${place}`, found })
  })

  test('a DECIMAL whose sum could overflow is an issue, and one that could not is none', () => {
    expect(lines('{ from: lines, key: bill, sum: [net] }', 'decimal(43,30)')).toEqual([])
    expect(lines('{ from: lines, key: bill, sum: [net] }', 'decimal(44,0)')).toEqual([
      {
        path: 'invoices.fields.total',
        found: 'lines.net of type decimal(44,0)',
        allowed: 'a DECIMAL of at most 43 digits: sums of others can overflow',
      },
    ])
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
