import { describe, test, expect } from 'vitest'
import { expectIssues, listIssueTexts } from '../../support/issues.js'
import { changeSchema, plainYaml, replacePart } from '../../support/plain-mapping.js'
import type { PlainTable } from '../../support/plain-mapping.js'
import { buildSchema, buildTable } from '../../support/schema.js'
import { lookupTables, lookupYaml } from '../../support/ticket-mapping.js'

const lines = buildTable('lines', {
  ...{ bill: 'int', code: 'char(9) utf8mb4_bin', net: 'decimal(12,2)', rate: 'double' },
  ...{ most: 'decimal(43,30)', more: 'decimal(44,0)' },
})
const lookupSchema = buildSchema(...Object.values({ ...lookupTables, lines }))

const r = 'registrations.fields'
const i = 'invoices.fields'
const gone = 'which does not exist or may not be read'

describe('in forms that read other tables', () => {
  const email = 'email: { from: orders, on: order_id, column: email }'
  const total =
    'total: { sum: [net, { column: tax, scale: 4 }, { column: fee, float: 2 }], nullIsZero: true }'
  const flag = 'checkedIn: { constant: false }'
  const secret = 'which neverRead forbids'
  const sum = (option: string): [string, string] => [total, `total: ${option}`]

  test.each<[part: string, by: string, ...issues: string[]]>([
    [email, 'email: { from: buyers, on: order_id, column: email }', `${r}.email: buyers.email, ${gone}`],
    [
      email,
      'email: { from: orders, on: order_id, key: email, column: email }',
      `${r}.email.key: orders.email, which is not unique by itself`,
    ],
    [email, 'email: { from: orders, on: gone, column: email }', `${r}.email.on: tickets.gone, ${gone}`],
    [
      email,
      'email: { from: orders, on: kind, column: email }',
      `${r}.email.on: kind of type varchar(20) for orders.id of type bigint unsigned`,
    ],
    [
      email,
      'email: { from: orders, on: order_id, column: id }',
      `${r}.email: orders.id of type bigint unsigned (CHAR, VARCHAR, TEXT or ENUM; for a reference`,
    ],
    [email, 'email: { from: orders, on: order_id }', `${r}.email.column: nothing`],
    [email, 'email: { from: orders, on: order_id, column: secret }', `${r}.email: orders.secret, ${secret}`],
    [
      email,
      'email: { from: orders, on: order_id, key: secret_id, column: email }',
      `${r}.email.key: orders.secret_id, ${secret}`,
    ],
    [
      email,
      'email: { from: orders, on: order_id, where: [{ column: secret, is: unset }], column: email }',
      `${r}.email.where: orders.secret, ${secret}`,
    ],
    [
      email,
      'email: { from: tokens, on: order_id, key: account_id, where: [{ column: digest, equals: a }], column: digest }',
      `${r}.email.key: no primary key of whole columns in tokens`,
    ],
    [email, 'email: { column: secret, json: $.a }', `${r}.email: tickets.secret, ${secret}`],
    [
      email,
      'email: { first: [kind, { from: orders, on: order_id, column: secret }] }',
      `${r}.email: orders.secret, ${secret}`,
    ],
    [
      '{ from: clients, on: client_id, column: currency_id }',
      '{ from: clients, on: { from: bills, on: id, column: client_id }, column: currency_id }',
      `${i}.currency.on.on: {`,
    ],
    [
      '{ column: deleted_at, is: set }',
      '{ from: orders, on: order_id, column: gone, notIn: [1] }',
      `registrations.archived: orders.gone, ${gone}`,
    ],
    [
      'in: [guest, staff]',
      'in: [guest, 5]',
      'registrations.where: "5" for tickets.kind of type varchar(20) (a value',
    ],
    [
      '{ column: is_cancelled, equals: 1,',
      '{ column: is_cancelled, equals: yes!,',
      `${r}.status: "yes!" for tickets.is_cancelled`,
    ],
    ['      otherwise: OPEN\n', '', `${r}.status.otherwise: nothing (a public status)`],
    [
      '{ column: created, epoch: s }',
      'created',
      `${r}.createdAt: tickets.created of type int (DATE, DATETIME or TIMESTAMP; for an integer since 1970, { column, epoch: s }`,
    ],
    [
      'createdAt: created_at',
      'createdAt: { column: created_at, epoch: s }',
      `${i}.createdAt: bills.created_at of type timestamp (an integer type; for another one`,
    ],
    ['values: { open: ISSUED, paid: PAID }', 'values: [open]', ...[]],
    [flag, 'checkedIn: { column: secret, equals: a }', `${r}.checkedIn: tickets.secret, ${secret}`],
    [
      flag,
      'checkedIn: { from: orders, on: order_id, key: secret_id, is: set }',
      `${r}.checkedIn.key: orders.secret_id, ${secret}`,
    ],
    ['sum: [net,', 'sum: [bill_no,', `${i}.total: bills.bill_no of type`],
    ['{ column: tax, scale: 4 }', '{ column: net, scale: 4 }', `${i}.total: bills.net of type decimal`],
    [
      '{ column: fee, float: 2 }',
      'fee',
      `${i}.total: bills.fee of type double (a DECIMAL column, { column, unit: minor }`,
    ],
    [...sum('{ from: lines, key: bill, sum: [net, most] }')],
    [
      ...sum('{ from: lines, key: bill, sum: [more] }'),
      `${i}.total: lines.more of type decimal(44,0) (a DECIMAL of at most 43 digits`,
    ],
    [
      ...sum('{ from: lines, key: bill, sum: [rate] }'),
      `${i}.total: lines.rate of type double (a DECIMAL or integer column`,
    ],
    [
      ...sum('{ from: lines, key: code, sum: [net] }'),
      `${i}.total.on: id of type int for lines.code of type char(9)`,
    ],
    [...sum('{ from: lines, key: gone, sum: [net] }'), `${i}.total.key: lines.gone, ${gone}`],
    [...sum('{ from: lines, key: bill, sum: [] }'), `${i}.total.sum: [] (a list of up to 8: a DECIMAL`],
    [...sum('{ from: lines, sum: [net] }'), `${i}.total.key: nothing (the column of the table in \`from\``],
    [
      ...sum('{ from: lines, key: bill, sum: [{ column: net, float: 2 }] }'),
      `${i}.total.sum.0: {"column":"net","float":2} (a DECIMAL or`,
    ],
    [
      ...sum('{ from: lines, key: bill, sum: [net], column: net }'),
      `${i}.total.column: an unknown name (from, key, on`,
    ],
    [...sum('{ from: orders, key: id, sum: [secret] }'), `${i}.total: orders.secret, ${secret}`],
    [
      ...sum('{ from: orders, key: id, on: secret_id, sum: [id] }'),
      `${i}.total.on: bills.secret_id, ${secret}`,
    ],
    [
      ...sum('{ from: orders, key: id, sum: [id], where: [{ column: secret, is: set }] }'),
      `${i}.total.where: orders.secret, ${secret}`,
    ],
  ])('%s as %s', (part, by, ...issues) => {
    expectIssues(listIssueTexts(replacePart(lookupYaml, part, by), lookupSchema), issues)
  })
})

describe('in the types of columns', () => {
  const id = 'CHAR, VARCHAR, an integer type or BINARY(16) for a UUID)'

  test.each<[table: PlainTable, column: string, type: string | undefined, ...issues: string[]]>([
    ['registrations', 'id', 'bigint unsigned'],
    ['registrations', 'id', 'uuid'],
    ['registrations', 'id', 'inet6'],
    ['registrations', 'reg_status', "enum('a') utf8mb4_general_ci"],
    ['registrations', 'archived_at', 'float null'],
    ['invoices', 'grand_total', 'bigint'],
    ['invoices', 'issue_date', 'timestamp(6)'],
    ['keys', 'scopes', 'json'],
    ['registrations', 'id', 'double', `${r}.id: event_registrations.id of type double (${id}`],
    [
      'registrations',
      'id',
      "enum('c','b')",
      `${r}.id: event_registrations.id of type enum('c','b') (text, an integer or BINARY(16) for a UUID; no ENUM`,
    ],
    [
      'invoices',
      'id',
      'binary(15)',
      `${i}.id: invoices.id of type binary(15) (BINARY(16) for a UUID; else text or an`,
    ],
    [
      'invoices',
      'updated_at',
      'date',
      `${i}.updatedAt: invoices.updated_at of type date (DATETIME or TIMESTAMP; for`,
    ],
    [
      'invoices',
      'grand_total',
      'double',
      `${i}.total: invoices.grand_total of type double (a DECIMAL column, {`,
    ],
    [
      'invoices',
      'currency_code',
      'int',
      `${i}.currency: invoices.currency_code of type int (CHAR, VARCHAR, TEXT`,
    ],
    [
      'invoices',
      'issue_date',
      undefined,
      `${i}.issueDate: invoices.issue_date, ${gone} (a column that the database user`,
    ],
    [
      'keys',
      'key_hash',
      'binary(32)',
      'apiKeys.hash: workspace_api_keys.key_hash of type binary(32) (CHAR or VARCHAR',
    ],
    [
      'keys',
      'key_hash',
      'char(40) ascii_bin',
      'apiKeys.hash: workspace_api_keys.key_hash of type char(40) (a text column of at',
    ],
    [
      'keys',
      'scopes',
      'int',
      'apiKeys.scopes: workspace_api_keys.scopes of type int (CHAR, VARCHAR, TEXT or JSON)',
    ],
  ])('%s.%s as %s', (table, column, type, ...issues) => {
    expectIssues(listIssueTexts(plainYaml, changeSchema([[table, column, type]])), issues)
  })

  test.each([
    ['"1 "', 'tinyint', '"1 " for'],
    ['"yes"', 'bit(1)', '"yes" for'],
    ['"yes"', 'varchar(8) ascii_bin', undefined],
    ['1', 'varchar(8) ascii_bin', '"1" for'],
    ['"LIVE"', "enum('live','put''away')", undefined],
    ['"putaway"', "enum('live','put''away')", '"putaway" for'],
  ])('the mark of archived %s in %s', (value, type, found) => {
    const text = replacePart(plainYaml, 'is: set', `equals: ${value}`)
    const issues = listIssueTexts(text, changeSchema([['registrations', 'archived_at', type]]))
    expectIssues(issues, found === undefined ? [] : [`registrations.archived: ${found}`])
  })

  test('the stored values of a status: text on a number, another spelling, NULL', () => {
    const values = 'status: { column: reg_status, values: { 1: A, x: B, 01: C, null: D } }'
    const text = replacePart(plainYaml, 'status: reg_status', values)
    const issues = listIssueTexts(text, changeSchema([['registrations', 'reg_status', 'tinyint']]))
    const places = ['"x" for', '"01" for', '"null" for'].map((found) => `${r}.status.values: ${found}`)
    expectIssues(issues, places)
    expect(issues[2]).toContain('the test { column: reg_status, is: unset } holds for NULL')
  })
})
