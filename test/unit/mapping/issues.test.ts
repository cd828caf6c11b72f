import { describe, expect, test } from 'vitest'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { resolveMapping } from '../../../src/mapping/resolve-mapping.js'
import { listIssues } from '../../support/issues.js'
import { changeSchema, plainYaml, replacePart } from '../../support/plain-mapping.js'
import type { PlainTable } from '../../support/plain-mapping.js'
import { buildSchema, buildTable } from '../../support/schema.js'
import { lookupTables, lookupYaml } from '../../support/ticket-mapping.js'

/* Every mistake of a mapping is an issue at its own place: what was found, and what is allowed instead. */

const lines = buildTable('lines', {
  ...{ bill: 'int', code: 'char(9) utf8mb4_bin', net: 'decimal(12,2)', rate: 'double' },
  ...{ most: 'decimal(43,30)', more: 'decimal(44,0)' },
})
const tables = { ...lookupTables, lines }

/** The issues of a file, or else those against its tables, as `path: found (allowed)`. */
function listTexts(text: string, schema = buildSchema(...Object.values(tables))): readonly string[] {
  return listIssues(() => resolveMapping(readMapping(text), schema)).map(
    ({ path, found, allowed }) => `${path}: ${found} (${allowed})`,
  )
}

/** Issues begin with these texts. */
function expectIssues(found: readonly string[], expected: readonly string[]): void {
  expect(found).toEqual(expected.map((text) => expect.stringContaining(text) as unknown))
  for (const [at, text] of expected.entries()) expect(found[at]?.startsWith(text)).toBe(true)
}

const r = 'registrations.fields'
const i = 'invoices.fields'
const gone = 'which does not exist or may not be read'
const test1 = '({ column, equals: value }'

describe('in the plain file', () => {
  const scopes = '{ column: scopes, format: space }'
  const never = 'neverRead:\n  - event_registrations.badge_*\n  - invoices.einv_*'

  test.each<[part: string, by: string, ...issues: string[]]>([
    ['timezone: "+00:00"\n', ''],
    [scopes, '{ grant: [registration.read, invoices.read] }'],
    [scopes, '{ column: scopes, format: json, all: "*" }'],
    ['encoding: hex', 'encoding: hex, of: afterBar'],
    [never, 'neverRead: []'],
    ['"+00:00"', '"+15:00"', 'timezone: "+15:00" (what DATETIME columns mean'],
    ['"+00:00"', 'Europe/Berln', 'timezone: "Europe/Berln" (what DATETIME columns mean'],
    ['algorithm: sha256', 'algorithm: md5', 'apiKeys.hash.algorithm: "md5" (sha256, sha384 or sha512)'],
    ['encoding: hex', 'encoding: hex, of: x', 'apiKeys.hash.of: "x" (afterBar, where'],
    ['  prefix: evk_', '  prefix: "evk "', 'apiKeys.prefix: "evk " (1 to 16 letters, digits, _ or -'],
    ['  prefix:', '  label: l\n  prefix:', 'apiKeys.label: an unknown name (table, hash, workspace'],
    ['  prefix:', '  where: [{ column: a }]\n  prefix:', `apiKeys.where.0: {"column":"a"} ${test1}`],
    [
      '  prefix:',
      '  where: [{ column: a, equals: 1 }]\n  prefix:',
      `apiKeys.where: workspace_api_keys.a, ${gone}`,
    ],
    [scopes, '{ grant: [all] }', 'apiKeys.scopes.grant.0: "all" (registration.read or invoices.read)'],
    [scopes, '{ grant: [] }', 'apiKeys.scopes.grant: [] (a value)'],
    ['format: space', 'format: tab', 'apiKeys.scopes.format: "tab" (space, comma or json)'],
    ['  table: invoices\n', '', 'invoices.table: nothing (the name of a table or view)'],
    ['invalidRows: skip', 'invalidRows: no', 'registrations.invalidRows: "no" (skip or fail)'],
    ['attendee_email', '""', `${r}.email: "" (a column name without a dot`],
    [
      'attendee_email',
      'a.b',
      `${r}.email: "a.b" (a column name without a dot; a column of another table is {`,
    ],
    ['attendee_email', '[a]', `${r}.email: ["a"] (a column name, {`],
    ['    email: attendee_email\n', '', `${r}.email: nothing (a column name, { from: TABLE, on:`],
    [
      '    issueDate:',
      '    isueDate:',
      `${i}.issueDate: nothing`,
      `${i}.isueDate: an unknown name (id, number`,
    ],
    ['grand_total', 'true', `${i}.total: true (a DECIMAL column, { column, unit: minor }`],
    ['grand_total', '{ column: t, unit: cents }', `${i}.total.unit: "cents" (major or minor)`],
    ['currency_code', '{ constant: sar }', `${i}.currency.constant: "sar" (an ISO 4217 code)`],
    ['currency_code', '{ constant: ABC }', `${i}.currency.constant: ABC (a currency of ISO 4217)`],
    ['reg_status', '{ column: s, values: {} }', `${r}.status.values: {} (stored value: public status)`],
    ['reg_status', '{ column: s, values: { 1: 2 } }', `${r}.status.values.1: 2 (a public status)`],
    ['attendee_name', '{ columns: [] }', `${r}.name.columns: [] (a value)`],
    [never, 'neverRead: x.y', 'neverRead: "x.y" (columns that must never be read'],
    [never, 'neverRead: [badge_*]', 'neverRead.0: "badge_*" (table.column, with * as a wildcard)'],
    [
      `${never}\n`,
      '',
      'neverRead: nothing (columns that must never be read: table.column, with * as a wildcard; [] for none)',
    ],
    ['is: set', 'is: null', 'registrations.archived.is: null'],
    ['is: set', 'equals: [a]', 'registrations.archived.equals: ["a"] (text, an integer, a boolean or null)'],
    ['is: set', 'in: []', 'registrations.archived.in: [] (a list of values)'],
    ['is: set', 'equal: 1', 'registrations.archived.equal: an unknown name (column, equals, notEquals'],
    [
      'is: set',
      'is: set, equals: 1',
      `registrations.archived: {"column":"archived_at","is":"set","equals":1} ${test1}`,
    ],
    ['{ from: checkedInAt }', '{ from: createdAt }', `${r}.checkedIn.from: "createdAt" (checkedInAt)`],
    ['{ from: checkedInAt }', '{ constant: true }', `${r}.checkedIn.constant: true (false)`],
    ['{ from: checkedInAt }', '{ from: a, is: set }', `${r}.checkedIn.on: nothing (a column name, or { from`],
    ['{ from: checkedInAt }', '{ from: a, on: id }', `${r}.checkedIn: {"from":"a","on":"id"} ${test1}`],
    [
      '{ from: checkedInAt }',
      '{ from: a, on: id, equals: 1 }',
      `${r}.checkedIn.column: nothing (a column name of`,
    ],
    ['    checkedInAt: checked_in_at\n', '', `${r}.checkedIn: from: checkedInAt, which is not mapped`],
    ['attendee_email', '{ column: s, json: email }', `${r}.email.json: "email" (a path to one value`],
    ['attendee_email', '{ column: s, charset: utf8 }', `${r}.email.charset: "utf8" (utf8-in-latin1, where`],
    ['attendee_email', '{ first: [a] }', `${r}.email.first: ["a"] (a list of 2 to 8 places`],
    [
      'attendee_email',
      '{ first: [a, { first: [b, c] }] }',
      `${r}.email.first.1: {"first":["b","c"]} (a column`,
    ],
    [
      'attendee_email',
      '{ first: [a, { constant: x }, b] }',
      `${r}.email.first.1.constant: x, and others behind`,
    ],
    [
      'updatedAt: updated_at',
      'updatedAt: { from: a, on: b, column: c }',
      `${r}.updatedAt: {"from":"a","on":"b","column":"c"} (a column of the same table: with a time of another table`,
    ],
    [
      'updatedAt: updated_at',
      'updatedAt: { first: [a] }',
      `${r}.updatedAt.first: ["a"] (two columns: the time`,
    ],
    [
      'updatedAt: updated_at',
      'updatedAt: { first: [updated_at, attendee_name] }',
      `${r}.updatedAt: event_registrations.attendee_name of type varchar`,
    ],
    [
      'neverRead:',
      'neverRead:\n  - "*.attendee_email"',
      `${r}.email: event_registrations.attendee_email, which neverRead`,
    ],
    [
      'neverRead:',
      'neverRead:\n  - EVENT_*.Reg_*',
      `${r}.status: event_registrations.reg_status, which neverRead`,
    ],
    [
      'neverRead:',
      'neverRead:\n  - workspace_api_keys.key_hash',
      'apiKeys.hash: workspace_api_keys.key_hash, which',
    ],
    [
      'eventId: event_id\n  fields',
      'eventId: { table: l, invoice: i, event: e }\n  fields',
      `invoices.eventId.invoice: l.i, ${gone}`,
      `invoices.eventId.event: l.e, ${gone}`,
    ],
  ])('%s as %s', (part, by, ...issues) => {
    expectIssues(listTexts(replacePart(plainYaml, part, by), changeSchema([])), issues)
  })

  test('all of them together, what is left open first', () => {
    const changes = [
      ['currency: currency_code', 'currency: TODO # of all invoices'],
      ['column: archived_at', "column: 'TODO: the column'"],
      ['format: space', 'format: tabs'],
    ] as const
    const text = changes.reduce((whole, [part, by]) => replacePart(whole, part, by), plainYaml)
    expectIssues(listTexts(text), [
      'registrations.archived.column: TODO: the column (a column name',
      `${i}.currency: TODO: of all invoices (a column name`,
      'apiKeys.scopes.format: "tabs"',
    ])
  })

  test('a file without a collection, or that is no section', () => {
    const text = `${plainYaml.slice(0, plainYaml.indexOf('registrations:\n'))}neverRead: []\n`
    expectIssues(listTexts(text), ['registrations: nothing, and no invoices either'])
    for (const other of ['', '[]', 'just text', '5']) expect(listTexts(other)[0]).toMatch(/^\(root\): /)
  })
})

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
    expectIssues(listTexts(replacePart(lookupYaml, part, by)), issues)
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
    expectIssues(listTexts(plainYaml, changeSchema([[table, column, type]])), issues)
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
    const issues = listTexts(text, changeSchema([['registrations', 'archived_at', type]]))
    expectIssues(issues, found === undefined ? [] : [`registrations.archived: ${found}`])
  })

  test('the stored values of a status: text on a number, another spelling, NULL', () => {
    const values = 'status: { column: reg_status, values: { 1: A, x: B, 01: C, null: D } }'
    const text = replacePart(plainYaml, 'status: reg_status', values)
    const issues = listTexts(text, changeSchema([['registrations', 'reg_status', 'tinyint']]))
    const places = ['"x" for', '"01" for', '"null" for'].map((found) => `${r}.status.values: ${found}`)
    expectIssues(issues, places)
    expect(issues[2]).toContain('the test { column: reg_status, is: unset } holds for NULL')
  })
})
