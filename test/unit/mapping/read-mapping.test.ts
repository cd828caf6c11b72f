import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { listIssues } from '../../support/issues.js'
import { plainYaml, replacePart } from '../../support/plain-mapping.js'
import { requireWhole } from '../../support/whole-mapping.js'

type Change = readonly [part: string, by: string]

function change(...changes: readonly Change[]): string {
  return changes.reduce((text, [part, by]) => replacePart(text, part, by), plainYaml)
}

describe('a mapping', () => {
  test('of the plain product is read as it is written', () => {
    expect(readMapping(plainYaml)).toMatchObject({
      timezone: '+00:00',
      apiKeys: {
        hash: { column: 'key_hash', algorithm: 'sha256', encoding: 'hex' },
        scopes: { column: 'scopes', format: 'space' },
        prefix: 'evk_',
      },
      registrations: {
        archived: { column: 'archived_at', is: 'set' },
        fields: { checkedIn: { from: 'checkedInAt' } },
      },
      invoices: { eventId: 'event_id', fields: { total: 'grand_total' } },
      neverRead: ['event_registrations.badge_*', 'invoices.einv_*'],
    })
  })

  test.each<[string, ...Change[]]>([
    ['one granted scope', ['{ column: scopes, format: space }', '{ grant: [registration.read] }']],
    [
      'both scopes granted',
      ['{ column: scopes, format: space }', '{ grant: [registration.read, invoices.read] }'],
    ],
    ['archived in the first form', ['is: set', 'is: { equals: 1 }']],
    ['a total in major units', ['total: grand_total', 'total: { column: t, unit: major }']],
    [
      'nothing that is never read',
      ['neverRead:\n  - event_registrations.badge_*\n  - invoices.einv_*', 'neverRead: []'],
    ],
  ])('may have %s', (_what, ...changes) => {
    expect(listIssues(() => readMapping(change(...changes)))).toEqual([])
  })

  test('without a timezone or a rule for rows has the usual ones', () => {
    const mapping = readMapping(change(['timezone: "+00:00"\n', ''], ['  invalidRows: skip\n', '']))
    expect(mapping.timezone).toBe('+00:00')
    expect(mapping.registrations?.invalidRows ?? 'skip').toBe('skip')
  })
})

describe('the shape of a mapping', () => {
  test('is refused with every issue at once: path, what was found, what is allowed', () => {
    const text = change(
      ['"+00:00"', '"+3"'],
      ['algorithm: sha256', 'algorithm: md5'],
      ['  prefix: evk_', '  prefix: "evk "'],
      ['invalidRows: skip', 'invalidRows: ignore'],
      ['    email: attendee_email\n', ''],
      ['    number: invoice_no', '    number: invoice_no\n    phone: attendee_phone'],
      ['    issueDate: issue_date', '    issueDate: 5'],
    )
    expect(listIssues(() => readMapping(text))).toEqual(
      expect.arrayContaining([
        {
          path: 'timezone',
          found: '"+3"',
          allowed: expect.stringContaining('such as "+03:00", or the name of a zone') as unknown,
        },
        { path: 'apiKeys.hash.algorithm', found: '"md5"', allowed: 'sha256, sha384 or sha512' },
        {
          path: 'apiKeys.prefix',
          found: '"evk "',
          allowed: expect.stringContaining('1 to 16 letters, digits, _ or -') as unknown,
        },
        { path: 'registrations.invalidRows', found: '"ignore"', allowed: 'skip or fail' },
        {
          path: 'registrations.fields.email',
          found: 'nothing',
          allowed: expect.stringContaining(
            '{ from: TABLE, on: COLUMN, key: COLUMN, column: COLUMN }',
          ) as unknown,
        },
        {
          path: 'invoices.fields.phone',
          found: 'an unknown name',
          allowed: 'id, number, status, total, currency, issueDate, dueDate, createdAt, updatedAt',
        },
        {
          path: 'invoices.fields.issueDate',
          found: '5',
          allowed: expect.stringMatching(/^a column name, \{ column, epoch: s \| ms \| us \}/) as unknown,
        },
      ]),
    )
    expect(listIssues(() => readMapping(text))).toHaveLength(7)
  })

  test.each<[string, string, Change]>([
    ['an unknown section', 'webhooks', ['apiKeys:', 'webhooks: {}\napiKeys:']],
    ['an unknown name of keys', 'apiKeys.label', ['  prefix:', '  label: label\n  prefix:']],
    ['a wrong offset', 'timezone', ['"+00:00"', '"+15:00"']],
    ['an unquoted encoding', 'apiKeys.hash.encoding', ['encoding: hex', 'encoding: HEX']],
    [
      'a scope that is none',
      'apiKeys.scopes.grant.0',
      ['{ column: scopes, format: space }', '{ grant: [all] }'],
    ],
    ['no scope at all', 'apiKeys.scopes.grant', ['{ column: scopes, format: space }', '{ grant: [] }']],
    ['a format that is none', 'apiKeys.scopes.format', ['format: space', 'format: tab']],
    ['an empty column name', 'registrations.fields.email', ['attendee_email', '""']],
    ['a column name beyond 64 letters', 'registrations.fields.email', ['attendee_email', 'e'.repeat(65)]],
    ['a list for a column', 'registrations.fields.email', ['attendee_email', '[a]']],
    ['another form of archived', 'registrations.archived.is', ['is: set', 'is: null']],
    ['no public words', 'registrations.fields.status.values', ['reg_status', '{ column: s, values: {} }']],
    [
      'a public word that is no text',
      'registrations.fields.status.values.1',
      ['reg_status', '{ column: s, values: { 1: 2 } }'],
    ],
    ['a name without parts', 'registrations.fields.name.columns', ['attendee_name', '{ columns: [] }']],
    [
      'another source of checkedIn',
      'registrations.fields.checkedIn.from',
      ['from: checkedInAt', 'from: createdAt'],
    ],
    ['a unit that is none', 'invoices.fields.total.unit', ['grand_total', '{ column: t, unit: cents }']],
    [
      'a currency in small letters',
      'invoices.fields.currency.constant',
      ['currency_code', '{ constant: sar }'],
    ],
    ['a pattern without a table', 'neverRead.0', ['event_registrations.badge_*', 'badge_*']],
    [
      'neverRead that is no list',
      'neverRead',
      ['neverRead:\n  - event_registrations.badge_*\n  - invoices.einv_*', 'neverRead: x.y'],
    ],
  ])('is refused for %s', (_what, path, changed) => {
    const issues = listIssues(() => readMapping(change(changed)))
    expect(issues.map((issue) => issue.path)).toEqual([path])
    expect(issues[0]?.found).not.toBe('')
    expect(issues[0]?.allowed).not.toBe('')
  })

  test.each(['table: workspace_api_keys', 'table: event_registrations', 'table: invoices'])(
    'is refused without %s',
    (part) => {
      const issues = listIssues(() => readMapping(change([`  ${part}\n`, ''])))
      expect(issues).toMatchObject([{ found: 'nothing', allowed: 'the name of a table or view' }])
    },
  )

  test('is refused without a section', () => {
    const text = plainYaml.slice(0, plainYaml.indexOf('neverRead'))
    expect(listIssues(() => readMapping(text)).map(({ path }) => path)).toEqual(['neverRead'])
  })

  test('names every form where a choice has none that was meant', () => {
    expect(listIssues(() => readMapping(change(['total: grand_total', 'total: true'])))).toEqual([
      {
        path: 'invoices.fields.total',
        found: 'true',
        allowed: expect.stringMatching(
          /^a DECIMAL column, .*unit: minor.*scale: 2.*float: 2.*sum: \[part…\], nullIsZero: true \}, or \{ from: TABLE, key: COLUMN, sum: \[part…\] \}/,
        ) as unknown,
      },
    ])
  })

  test('is refused with a very long value cut', () => {
    const [issue] = listIssues(() => readMapping(change(['"+00:00"', 'x'.repeat(500)])))
    expect(issue?.found).toHaveLength(120)
  })

  test.each([
    ['', 'null'],
    ['[]', '[]'],
    ['just text', '"just text"'],
    ['5', '5'],
  ])('is refused for a file that is no section: %o', (text, found) => {
    const [issue] = listIssues(() => readMapping(text))
    expect(issue).toMatchObject({ path: '(root)', found })
  })
})

describe('the YAML of a mapping', () => {
  test('is refused with a name that stands twice, and its line', () => {
    const text = change(['    email: attendee_email', '    email: attendee_email\n    email: attendee_phone'])
    const line = text.slice(0, text.indexOf('email: attendee_phone')).split('\n').length
    expect(listIssues(() => readMapping(text))).toEqual([
      { path: `line ${line}`, found: 'the name email twice', allowed: 'each name once' },
    ])
  })

  test('is refused with every broken place at once', () => {
    const text = change(
      ['timezone: "+00:00"', 'timezone: "+00:00"\ntimezone: "+01:00"'],
      ['neverRead:', 'invoices: {}\nneverRead:'],
    )
    expect(listIssues(() => readMapping(text))).toHaveLength(2)
  })

  test('is refused where it does not parse', () => {
    expect(listIssues(() => readMapping('apiKeys: [')).length).toBeGreaterThan(0)
  })
})

describe('the stored values of a status', () => {
  const withValues = (values: string): string =>
    readFileSync('config/mapping.yaml', 'utf8').replace(
      'status: reg_status',
      `status: { column: reg_status, values: ${values} }`,
    )

  test('are taken as they are written, whatever YAML would make of them', () => {
    const { status } = requireWhole(
      readMapping(withValues('{ 01: A, 1.0: B, TRUE: C, ~: D, 0x10: E, "x": F }')),
    ).registrations.fields
    expect(status).toEqual({
      column: 'reg_status',
      values: { '01': 'A', '1.0': 'B', TRUE: 'C', '~': 'D', '0x10': 'E', x: 'F' },
    })
  })

  test('stand there once each', () => {
    expect(listIssues(() => readMapping(withValues('{ 1: A, "1": B }')))).toEqual([
      { path: 'line 20', found: 'the name 1 twice', allowed: 'each name once' },
    ])
  })
})

test('a TODO is an issue with its place and what to decide, beside all other issues', () => {
  const text = change(
    ['currency: currency_code', 'currency: TODO # the currency of all invoices'],
    ['column: archived_at', "column: 'TODO: the column'"],
    ['scopes: { column: scopes, format: space }', 'scopes: { column: scopes, format: tabs }'],
  )
  const issues = listIssues(() => readMapping(text))
  expect(issues).toContainEqual({
    path: 'invoices.fields.currency',
    found: 'TODO: the currency of all invoices',
    allowed: expect.stringContaining('a column name') as string,
  })
  expect(issues.map(({ path }) => path)).toEqual([
    'registrations.archived.column',
    'invoices.fields.currency',
    'apiKeys.scopes.format',
  ])
})
