import { describe, expect, test } from 'vitest'
import { expectIssues, listIssueTexts } from '../../support/issues.js'
import { changeSchema, plainSchema, plainYaml, replacePart } from '../../support/plain-mapping.js'
import { schemas, setOption, yamls } from '../../support/plain-mapping.js'
import { buildTable } from '../../support/schema.js'

/* Every mistake of a mapping is an issue at its own place: what was found, and what is allowed instead. */

const r = 'registrations.fields'
const i = 'invoices.fields'
const gone = 'which does not exist or may not be read'
const secret = 'which neverRead forbids'
const tests = '({ column, equals: value }'

/** A place, its option, and the issues; what begins with a point is below the place, and with an exclamation mark elsewhere. */
type Case = [place: string, option: string | undefined, ...issues: string[]]

function expectCase(yaml: string, schema: typeof plainSchema, [place, option, ...issues]: Case): void {
  const expected = issues.map((issue) => {
    if (issue.startsWith('!')) return issue.slice(1)
    return issue.startsWith('.') ? place + issue : `${place}: ${issue}`
  })
  expectIssues(listIssueTexts(setOption(yaml, place, option), schema), expected)
}

test.each<Case>([
  ['timezone', undefined],
  ['timezone', '"+15:00"', '"+15:00" (what DATETIME columns mean'],
  ['timezone', 'Europe/Berln', '"Europe/Berln" (what DATETIME columns mean'],
  ['apiKeys.hash.algorithm', 'md5', '"md5" (sha256, sha384 or sha512)'],
  ['apiKeys.hash.of', 'afterBar'],
  ['apiKeys.hash.of', 'x', '"x" (afterBar, where'],
  ['apiKeys.prefix', '"evk "', '"evk " (1 to 16 letters, digits, _ or -'],
  ['apiKeys.label', 'l', 'an unknown name (table, hash, workspace'],
  ['apiKeys.where', '[{ column: a }]', `.0: {"column":"a"} ${tests}`],
  ['apiKeys.where', '[{ column: a, equals: 1 }]', `workspace_api_keys.a, ${gone}`],
  ['apiKeys.scopes', '{ grant: [registration.read, invoices.read] }'],
  ['apiKeys.scopes', '{ column: scopes, format: json, all: "*" }'],
  ['apiKeys.scopes', '{ grant: [all] }', '.grant.0: "all" (registration.read or invoices.read)'],
  ['apiKeys.scopes', '{ grant: [] }', '.grant: [] (a value)'],
  ['apiKeys.scopes.format', 'tab', '"tab" (space, comma or json)'],
  ['invoices.table', undefined, 'nothing (the name of a table or view)'],
  ['registrations.invalidRows', 'no', '"no" (skip or fail)'],
  [`${r}.email`, '""', '"" (a column name without a dot'],
  [`${r}.email`, 'a.b', '"a.b" (a column name without a dot; a column of another table is {'],
  [`${r}.email`, '[a]', '["a"] (a column name, {'],
  [`${r}.email`, undefined, 'nothing (a column name, { from: TABLE, on:'],
  [`${r}.email`, '{ column: s, json: email }', '.json: "email" (a path to one value'],
  [`${r}.email`, '{ column: s, charset: utf8 }', '.charset: "utf8" (utf8-in-latin1, where'],
  [`${r}.email`, '{ first: [a] }', '.first: ["a"] (a list of 2 to 8 places'],
  [`${r}.email`, '{ first: [a, { first: [b, c] }] }', '.first.1: {"first":["b","c"]} (a column'],
  [`${r}.email`, '{ first: [a, { constant: x }, b] }', '.first.1.constant: x, and others behind'],
  [`${r}.mail`, 'attendee_email', 'an unknown name (id, eventId'],
  [`${i}.total`, 'true', 'true (a DECIMAL column, { column, unit: minor }'],
  [`${i}.total`, '{ column: t, unit: cents }', '.unit: "cents" (major or minor)'],
  [`${i}.currency`, '{ constant: sar }', '.constant: "sar" (an ISO 4217 code)'],
  [`${i}.currency`, '{ constant: ABC }', '.constant: ABC (a currency of ISO 4217)'],
  [`${r}.status`, '{ column: s, values: {} }', '.values: {} (stored value: public status)'],
  [`${r}.status`, '{ column: s, values: { 1: 2 } }', '.values.1: 2 (a public status)'],
  [`${r}.name`, '{ columns: [] }', '.columns: [] (a value)'],
  ['neverRead', '[]'],
  ['neverRead', 'x.y', '"x.y" (columns that must never be read'],
  ['neverRead', '[badge_*]', '.0: "badge_*" (table.column, with * as a wildcard)'],
  ['neverRead', undefined, 'nothing (columns that must never be read: table.column, with'],
  ['neverRead', '["*.attendee_email"]', `!${r}.email: event_registrations.attendee_email, ${secret}`],
  ['neverRead', '[EVENT_*.Reg_*]', `!${r}.status: event_registrations.reg_status, ${secret}`],
  ['neverRead', '[workspace_api_keys.key_hash]', '!apiKeys.hash: workspace_api_keys.key_hash, which'],
  ['registrations.archived.is', 'null', 'null'],
  ['registrations.archived', '{ column: a, equals: [a] }', '.equals: ["a"] (text, an integer, a boolean or'],
  ['registrations.archived', '{ column: a, in: [] }', '.in: [] (a list of values)'],
  ['registrations.archived', '{ column: a, equal: 1 }', '.equal: an unknown name (column, equals, not'],
  ['registrations.archived.equals', '1', `!registrations.archived: {"column":"archived_at","is":"set",`],
  [`${r}.checkedIn`, '{ from: createdAt }', '.from: "createdAt" (checkedInAt)'],
  [`${r}.checkedIn`, '{ constant: true }', '.constant: true (false)'],
  [`${r}.checkedIn`, '{ from: a, is: set }', '.on: nothing (a column name, or { from'],
  [`${r}.checkedIn`, '{ from: a, on: id }', `{"from":"a","on":"id"} ${tests}`],
  [`${r}.checkedIn`, '{ from: a, on: id, equals: 1 }', '.column: nothing (a column name of'],
  [`${r}.checkedInAt`, undefined, `!${r}.checkedIn: from: checkedInAt, which is not mapped`],
  [
    `${r}.updatedAt`,
    '{ from: a, on: b, column: c }',
    '{"from":"a","on":"b","column":"c"} (a column of the same',
  ],
  [`${r}.updatedAt`, '{ first: [a] }', '.first: ["a"] (two columns: the time'],
  [`${r}.updatedAt`, '{ first: [updated_at, attendee_name] }', 'event_registrations.attendee_name of type'],
  [
    'invoices.eventId',
    '{ table: l, invoice: i, event: e }',
    `.invoice: l.i, ${gone}`,
    `.event: l.e, ${gone}`,
  ],
])('in the plain file: %s as %s', (...row) => {
  expectCase(plainYaml, plainSchema, row)
})

const lines = buildTable('lines', {
  ...{ bill: 'int', code: 'char(9) utf8mb4_bin', net: 'decimal(12,2)', rate: 'double' },
  ...{ most: 'decimal(43,30)', more: 'decimal(44,0)' },
})
const byOrder = 'from: orders, on: order_id'
const ofLines = 'from: lines, key: bill'

test.each<Case>([
  [`${r}.email`, '{ from: buyers, on: order_id, column: email }', `buyers.email, ${gone}`],
  [`${r}.email`, `{ ${byOrder}, key: email, column: email }`, '.key: orders.email, which is not unique by'],
  [`${r}.email`, '{ from: orders, on: gone, column: email }', `.on: attendees.gone, ${gone}`],
  [
    `${r}.email`,
    '{ from: orders, on: seat, column: email }',
    '.on: seat of type varchar(255) for orders.id of',
  ],
  [
    `${r}.email`,
    `{ ${byOrder}, column: id }`,
    'orders.id of type int unsigned (CHAR, VARCHAR, TEXT or ENUM; f',
  ],
  [`${r}.email`, `{ ${byOrder} }`, '.column: nothing'],
  [`${r}.email`, `{ ${byOrder}, column: business_name }`, `orders.business_name, ${secret}`],
  [
    `${r}.email`,
    `{ ${byOrder}, key: business_name, column: email }`,
    `.key: orders.business_name, ${secret}`,
  ],
  [
    `${r}.email`,
    `{ ${byOrder}, where: [{ column: business_name, is: unset }], column: email }`,
    `.where: orders.business_name, ${secret}`,
  ],
  [
    `${r}.email`,
    '{ from: lines, on: order_id, key: bill, where: [{ column: code, equals: a }], column: code }',
    '.key: no primary key of whole columns in lines',
  ],
  [
    `${r}.email`,
    '{ column: private_reference_number, json: $.a }',
    `attendees.private_reference_number, ${secret}`,
  ],
  [
    `${r}.email`,
    `{ first: [seat, { ${byOrder}, column: business_name }] }`,
    `orders.business_name, ${secret}`,
  ],
  [`${i}.currency.on.on`, '{ from: orders, on: id, column: event_id }', '{'],
  ['registrations.archived', `{ ${byOrder}, column: gone, notIn: [1] }`, `orders.gone, ${gone}`],
  [
    'registrations.where',
    '[{ column: seat, in: [guest, 5] }]',
    '"5" for attendees.seat of type varchar(255) (a',
  ],
  [
    `${r}.status`,
    '{ when: [{ column: is_cancelled, equals: yes!, then: A }], otherwise: B }',
    '"yes!" for attendees.is_cancelled',
  ],
  [`${r}.status.otherwise`, undefined, 'nothing (a public status)'],
  [
    `${r}.createdAt`,
    'order_id',
    'attendees.order_id of type int unsigned (DATE, DATETIME or TIMESTAMP; for an',
  ],
  [
    `${i}.createdAt`,
    '{ column: created_at, epoch: s }',
    'orders.created_at of type timestamp (an integer type',
  ],
  [`${i}.status`, '{ from: order_statuses, on: order_status_id, column: name, values: [open] }'],
  [
    `${r}.checkedIn`,
    '{ column: private_reference_number, equals: a }',
    'attendees.private_reference_number, w',
  ],
  [`${r}.checkedIn`, `{ ${byOrder}, key: business_name, is: set }`, `.key: orders.business_name, ${secret}`],
  [`${i}.total`, '{ sum: [order_reference] }', 'orders.order_reference of type'],
  [`${i}.total`, '{ sum: [{ column: amount, scale: 4 }] }', 'orders.amount of type decimal'],
  [`${i}.total`, `{ ${ofLines}, sum: [net, most] }`],
  [
    `${i}.total`,
    `{ ${ofLines}, sum: [more] }`,
    'lines.more of type decimal(44,0) (a DECIMAL of at most 43 digits',
  ],
  [`${i}.total`, `{ ${ofLines}, sum: [rate] }`, 'lines.rate of type double (a DECIMAL or integer column'],
  [
    `${i}.total`,
    '{ from: lines, key: code, sum: [net] }',
    '.on: id of type int unsigned for lines.code of type',
  ],
  [`${i}.total`, '{ from: lines, key: gone, sum: [net] }', `.key: lines.gone, ${gone}`],
  [`${i}.total`, `{ ${ofLines}, sum: [] }`, '.sum: [] (a list of up to 8: a DECIMAL'],
  [`${i}.total`, '{ from: lines, sum: [net] }', '.key: nothing (the column of the table in `from`'],
  [
    `${i}.total`,
    `{ ${ofLines}, sum: [{ column: net, float: 2 }] }`,
    '.sum.0: {"column":"net","float":2} (a DECIM',
  ],
  [`${i}.total`, `{ ${ofLines}, sum: [net], column: net }`, '.column: an unknown name (from, key, on'],
  [`${i}.total`, '{ from: orders, key: id, sum: [business_name] }', `orders.business_name, ${secret}`],
  [
    `${i}.total`,
    '{ from: orders, key: id, on: invoice_xml, sum: [id] }',
    `.on: orders.invoice_xml, ${secret}`,
  ],
  [
    `${i}.total`,
    '{ from: orders, key: id, sum: [id], where: [{ column: invoice_xml, is: set }] }',
    `.where: orders.invoice_xml, ${secret}`,
  ],
])('in forms that read other tables: %s as %s', (...row) => {
  expectCase(yamls.ticketing, new Map([...schemas.ticketing, ['lines', lines]]), row)
})

describe('in the types of columns', () => {
  test.each<[place: string, column: string, type: string | undefined, issue?: string]>([
    [`${r}.id`, 'event_registrations.id', 'bigint unsigned'],
    [`${r}.id`, 'event_registrations.id', 'uuid'],
    [`${r}.id`, 'event_registrations.id', 'inet6'],
    [
      `${r}.id`,
      'event_registrations.id',
      'double',
      '(CHAR, VARCHAR, an integer type or BINARY(16) for a UUID)',
    ],
    [
      `${r}.id`,
      'event_registrations.id',
      "enum('c','b')",
      '(text, an integer or BINARY(16) for a UUID; no ENUM',
    ],
    [`${r}.status`, 'event_registrations.reg_status', "enum('a') utf8mb4_general_ci"],
    [`${r}.name`, 'event_registrations.attendee_name', 'blob', '(CHAR, VARCHAR, TEXT'],
    ['registrations.archived', 'event_registrations.archived_at', 'float null'],
    [`${i}.id`, 'invoices.id', 'binary(15)', '(BINARY(16) for a UUID; else text or an'],
    [`${i}.total`, 'invoices.grand_total', 'bigint'],
    [`${i}.total`, 'invoices.grand_total', 'double', '(a DECIMAL column, {'],
    [`${i}.issueDate`, 'invoices.issue_date', 'timestamp(6)'],
    [`${i}.issueDate`, 'invoices.issue_date', undefined],
    [`${i}.updatedAt`, 'invoices.updated_at', 'date', '(DATETIME or TIMESTAMP; for'],
    [`${i}.currency`, 'invoices.currency_code', 'int', '(CHAR, VARCHAR, TEXT'],
    ['apiKeys.scopes', 'workspace_api_keys.scopes', 'json'],
    ['apiKeys.scopes', 'workspace_api_keys.scopes', 'int', '(CHAR, VARCHAR, TEXT or JSON)'],
    ['apiKeys.hash', 'workspace_api_keys.key_hash', 'binary(32)', '(CHAR or VARCHAR'],
    ['apiKeys.hash', 'workspace_api_keys.key_hash', 'char(40) ascii_bin', '(a text column of at'],
  ])('%s: %s as %s', (place, column, type, issue) => {
    const [table = '', name = ''] = column.split('.')
    const found = listIssueTexts(plainYaml, changeSchema([[table, name, type]]))
    const plainType = type?.replace(/ \w+_\w+$/, '')
    if (type === undefined)
      expectIssues(found, [`${place}: ${column}, ${gone} (a column that the database user`])
    else expectIssues(found, issue === undefined ? [] : [`${place}: ${column} of type ${plainType} ${issue}`])
  })

  test.each([
    ['"1 "', 'tinyint', '"1 " for'],
    ['"yes"', 'bit(1)', '"yes" for'],
    ['"yes"', 'varchar(8) ascii_bin', undefined],
    ['1', 'varchar(8) ascii_bin', '"1" for'],
    ['"LIVE"', "enum('live','put''away')", undefined],
    ['"putaway"', "enum('live','put''away')", '"putaway" for'],
  ])('the mark of archived %s in %s', (value, type, found) => {
    const yaml = setOption(plainYaml, 'registrations.archived', `{ column: archived_at, equals: ${value} }`)
    const issues = listIssueTexts(yaml, changeSchema([['event_registrations', 'archived_at', type]]))
    expectIssues(issues, found === undefined ? [] : [`registrations.archived: ${found}`])
  })

  test('the stored values of a status: text on a number, another spelling, NULL', () => {
    const values = 'status: { column: reg_status, values: { 1: A, x: B, 01: C, null: D } }'
    const yaml = replacePart(plainYaml, 'status: reg_status', values)
    const issues = listIssueTexts(yaml, changeSchema([['event_registrations', 'reg_status', 'tinyint']]))
    expectIssues(
      issues,
      ['"x" for', '"01" for', '"null" for'].map((found) => `${r}.status.values: ${found}`),
    )
    expect(issues[2]).toContain('NULL, which is no value, has the test { column, is: unset }')
  })
})

test('all of them together, what is left open first', () => {
  const changes = [
    ['currency: currency_code', 'currency: TODO # of all invoices'],
    ['column: archived_at', "column: 'TODO: the column'"],
    ['format: space', 'format: tabs'],
  ] as const
  const text = changes.reduce((whole, [part, by]) => replacePart(whole, part, by), plainYaml)
  expectIssues(listIssueTexts(text, plainSchema), [
    'registrations.archived.column: TODO: the column (a column name',
    `${i}.currency: TODO: of all invoices (a column name`,
    'apiKeys.scopes.format: "tabs"',
  ])
})

test('a file without a collection, or that is no section', () => {
  const text = `${plainYaml.slice(0, plainYaml.indexOf('registrations:\n'))}neverRead: []\n`
  expectIssues(listIssueTexts(text, plainSchema), ['registrations: nothing, and no invoices either'])
  for (const other of ['', '[]', 'just text', '5'])
    expect(listIssueTexts(other, plainSchema)[0]).toMatch(/^\(root\): /)
})
