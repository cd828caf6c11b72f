import { describe, expect, test } from 'vitest'
import { SchemaError } from '../../../src/errors.js'
import type { ConfigIssue } from '../../../src/errors.js'
import { resolveMapping } from '../../../src/mapping/resolve-mapping.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { listIssues } from '../../support/issues.js'
import { resolvePlainWith, plainSchema, plainTables, plainYaml } from '../../support/plain-mapping.js'
import type { ColumnChange, PlainTable } from '../../support/plain-mapping.js'

function issuesWith(changes: readonly ColumnChange[], part = '', by = ''): readonly ConfigIssue[] {
  return listIssues(() => resolvePlainWith(changes, part, by))
}

describe('a column of a type that is read', () => {
  test.each<[PlainTable, string, string]>([
    ['registrations', 'id', 'varchar(36) utf8mb4_bin'],
    ['registrations', 'id', 'bigint'],
    ['registrations', 'id', 'bigint unsigned'],
    ['registrations', 'id', 'binary(16)'],
    ['registrations', 'reg_status', 'enum() utf8mb4_general_ci'],
    ['registrations', 'reg_status', 'tinyint'],
    ['registrations', 'attendee_name', 'text utf8mb4_general_ci'],
    ['registrations', 'checked_in_at', 'timestamp null'],
    ['registrations', 'archived_at', 'date null'],
    ['registrations', 'archived_at', 'float null'],
    ['invoices', 'grand_total', 'bigint'],
    ['invoices', 'issue_date', 'datetime'],
    ['invoices', 'issue_date', 'timestamp(6)'],
    ['invoices', 'invoice_no', 'int unsigned'],
    ['keys', 'scopes', 'json'],
  ])('is accepted: %s.%s as %s', (table, column, definition) => {
    expect(issuesWith([[table, column, definition]])).toEqual([])
  })

  test('is accepted as a boolean: BIT or an integer', () => {
    for (const definition of ['bit(1)', 'tinyint']) {
      expect(
        issuesWith([['registrations', 'checked_in', definition]], '{ from: checkedInAt }', 'checked_in'),
      ).toEqual([])
    }
  })
})

describe('a column that cannot be read truthfully is refused', () => {
  const moneyIssue = (type: string): ConfigIssue => ({
    path: 'invoices.fields.total',
    found: `invoices.grand_total of type ${type}`,
    allowed: 'DECIMAL, an integer type',
  })

  test.each(['float', 'double', 'varchar(20) ascii_bin'])('as money: %s', (definition) => {
    const type = definition.replace(' ascii_bin', '')
    const hint = definition.startsWith('varchar')
      ? '; for decimal text, { column: grand_total, text: decimal }'
      : '; for a rounded amount, { column: grand_total, float: 2 }, with the number of decimals'
    const issue = moneyIssue(type)
    expect(issuesWith([['invoices', 'grand_total', definition]])).toEqual([
      { ...issue, allowed: `${issue.allowed}${hint}` },
    ])
  })

  test.each<[PlainTable, string, string, string]>([
    ['invoices', 'updated_at', 'date', 'DATETIME, TIMESTAMP'],
    ['invoices', 'updated_at', 'bigint', 'DATETIME, TIMESTAMP'],
    ['invoices', 'issue_date', 'varchar(10) ascii_bin', 'DATE, DATETIME, TIMESTAMP'],
    ['invoices', 'currency_code', 'int', 'CHAR, VARCHAR, TEXT or ENUM'],
    ['registrations', 'attendee_name', 'json', 'CHAR, VARCHAR, TEXT or ENUM'],
    ['registrations', 'reg_status', 'decimal(3,0)', 'CHAR, VARCHAR, TEXT or ENUM, an integer type'],
    ['registrations', 'id', 'double', 'CHAR, VARCHAR, TEXT or ENUM, an integer type, BINARY(16)'],
    ['keys', 'key_hash', 'binary(32)', 'CHAR, VARCHAR, TEXT or ENUM'],
    ['keys', 'scopes', 'int', 'CHAR, VARCHAR, TEXT or ENUM, JSON'],
    ['keys', 'expires_at', 'date null', 'DATETIME, TIMESTAMP'],
  ])('%s.%s as %s', (table, column, definition, allowed) => {
    const issues = issuesWith([[table, column, definition]])
    expect(issues).toHaveLength(1)
    expect(issues[0]?.found).toContain(`${plainTables[table].name}.${column} of type `)
    expect(issues[0]?.allowed).toContain(allowed)
  })

  test.each(['binary(15)', 'binary(32)', 'varbinary(255)'])('as an identifier: %s', (definition) => {
    expect(issuesWith([['invoices', 'id', definition]])).toEqual([
      {
        path: 'invoices.fields.id',
        found: `invoices.id of type ${definition}`,
        allowed: 'BINARY(16) for a UUID; else text or an integer',
      },
    ])
  })

  test('as a UUID: text', () => {
    expect(issuesWith([], 'id: id\n    number', 'id: { column: id, as: uuid }\n    number')).toEqual([
      {
        path: 'invoices.fields.id',
        found: 'invoices.id of type char(26) as uuid',
        allowed: 'BINARY(16) for a UUID; else text or an integer',
      },
    ])
  })

  test.each([
    ['sha256', 'binary(31)', 'BINARY(32)'],
    ['sha256', 'binary(33)', 'BINARY(32)'],
    ['sha384', 'binary(32)', 'BINARY(48)'],
    ['sha512', 'varbinary(63)', 'BINARY(64)'],
  ])('as a digest of %s: %s', (algorithm, definition, allowed) => {
    const issues = issuesWith(
      [['keys', 'key_hash', definition]],
      'sha256, encoding: hex',
      `${algorithm}, encoding: binary`,
    )
    expect(issues).toEqual([
      { path: 'apiKeys.hash', found: `workspace_api_keys.key_hash of type ${definition}`, allowed },
    ])
  })

  test.each([
    ['sha256', 'binary(32)'],
    ['sha256', 'varbinary(64)'],
    ['sha512', 'binary(64)'],
  ])('but a digest of %s in %s is whole', (algorithm, definition) => {
    expect(
      issuesWith(
        [['keys', 'key_hash', definition]],
        'sha256, encoding: hex',
        `${algorithm}, encoding: binary`,
      ),
    ).toEqual([])
  })
})

describe('a column or table that is not there', () => {
  test('is named with its place in the mapping', () => {
    expect(issuesWith([['registrations', 'attendee_email', undefined]])).toEqual([
      {
        path: 'registrations.fields.email',
        found: 'event_registrations.attendee_email, which does not exist or may not be read',
        allowed: 'a column that the database user may read',
        missing: { table: 'event_registrations', column: 'attendee_email' },
      },
    ])
  })

  test('is reported together with everything else that is wrong', () => {
    const issues = issuesWith([
      ['keys', 'key_hash', undefined],
      ['registrations', 'workspace_id', undefined],
      ['registrations', 'archived_at', undefined],
      ['invoices', 'grand_total', 'double'],
      ['invoices', 'issue_date', undefined],
      ['invoices', 'event_id', undefined],
    ])
    expect(issues.map(({ path }) => path).sort()).toEqual([
      'apiKeys.hash',
      'invoices.eventId',
      'invoices.fields.issueDate',
      'invoices.fields.total',
      'registrations.archived',
      'registrations.workspace',
    ])
  })

  test('is reported for every column of a table that is missing', () => {
    const schema = new Map([...plainSchema].filter(([name]) => name !== 'invoices'))
    const issues = listIssues(() => resolveMapping(readMapping(plainYaml), schema))
    expect(issues).toHaveLength(12)
    expect(() => resolveMapping(readMapping(plainYaml), schema)).toThrow(SchemaError)
  })

  test('is named in a link table too', () => {
    const link = 'eventId: { table: links, invoice: i, event: e }\n  fields'
    expect(issuesWith([], 'eventId: event_id\n  fields', link).map(({ path }) => path)).toEqual([
      'invoices.eventId.invoice',
      'invoices.eventId.event',
    ])
  })
})

describe('a value of the mapping that its column cannot hold is refused', () => {
  // Compared with another text, a number counts as 0: archived records would be shown.
  test.each(['"true"', '"yes"', '"1 "', '""'])('as a mark of archived on a number: %s', (value) => {
    for (const type of ['tinyint', 'bit(1)']) {
      const issues = issuesWith([['registrations', 'archived_at', type]], 'is: set', `equals: ${value}`)
      expect(issues.map((issue) => issue.path)).toEqual(['registrations.archived'])
    }
    expect(
      issuesWith([['registrations', 'archived_at', 'varchar(8) ascii_bin']], 'is: set', `equals: ${value}`),
    ).toEqual([])
  })

  test.each(['true', '1', '01'])(
    'as a mark of archived on a text: %s without quotes, which YAML makes something else of',
    (value) => {
      const text: ColumnChange = ['registrations', 'archived_at', 'varchar(8) ascii_bin']
      expect(issuesWith([text], 'is: set', `equals: ${value}`)[0]?.allowed).toContain('text in quotes')
      expect(issuesWith([text], 'is: set', `equals: "${value}"`)).toEqual([])
    },
  )

  test('as a stored status: text on a number, or what is written otherwise', () => {
    const change = 'status: { column: reg_status, values: { 1: A, x: B, 01: C } }'
    const issues = issuesWith([['registrations', 'reg_status', 'tinyint']], 'status: reg_status', change)
    expect(issues.map(({ path, found }) => [path, found.slice(0, 4)])).toEqual([
      ['registrations.fields.status.values', '"x" '],
      ['registrations.fields.status.values', '"01"'],
    ])
  })

  test('as a stored status: NULL, which a case of when accepts', () => {
    const change = 'status: { column: reg_status, values: { null: NONE, 1: A }, otherwise: B }'
    const issues = issuesWith([['registrations', 'reg_status', 'tinyint']], 'status: reg_status', change)
    expect(issues).toEqual([
      {
        path: 'registrations.fields.status.values',
        found: '"null" for event_registrations.reg_status of type tinyint',
        allowed:
          'a stored value, which NULL is not; the test { column: reg_status, is: unset } holds for NULL, in a status as a case of when',
      },
    ])
  })

  test('as a hash: a column too short for it', () => {
    expect(issuesWith([['keys', 'key_hash', 'char(40) ascii_bin']])).toEqual([
      {
        path: 'apiKeys.hash',
        found: 'workspace_api_keys.key_hash of type char(40)',
        allowed: 'a text column of at least 64 characters',
      },
    ])
  })

  test.each(['enum', 'set'])('as an id: the type %s, which has two orders', (type) => {
    expect(issuesWith([['registrations', 'id', `${type}('c','b','a')`]])).toEqual([
      {
        path: 'registrations.fields.id',
        found: `event_registrations.id of type ${type}('c','b','a')`,
        allowed: 'text, an integer or BINARY(16) for a UUID; no ENUM or SET',
      },
    ])
  })

  test('of a list must be among its labels, since a mistyped one would archive nothing', () => {
    const column: ColumnChange = ['registrations', 'archived_at', "enum('live','put''away')"]
    const faultsOf = (label: string): readonly ConfigIssue[] =>
      issuesWith([column], 'is: set', `equals: "${label}"`)
    expect(faultsOf("put'away")).toEqual([])
    expect(faultsOf('LIVE')).toEqual([])
    expect(faultsOf('putaway')[0]?.found).toMatch(
      /^"putaway" for registrations\.archived_at|event_registrations/,
    )
  })
})
