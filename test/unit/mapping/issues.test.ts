import { describe, expect, test } from 'vitest'
import { expectIssues, listIssueTexts } from '../../support/issues.js'
import { plainSchema, plainYaml, replacePart } from '../../support/plain-mapping.js'

/* Every mistake of a mapping is an issue at its own place: what was found, and what is allowed instead. */

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
    expectIssues(listIssueTexts(replacePart(plainYaml, part, by), plainSchema), issues)
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
})
