import { describe, expect, test } from 'vitest'
import { checkEpoch } from '../../../../src/tools/check/check-epoch.js'
import { readMapping } from '../../../../src/mapping/read-mapping.js'
import { plainYaml, replacePart } from '../../../support/plain-mapping.js'

/** The mapping with some lines replaced. */
function edit(...changes: readonly (readonly [part: string, by: string])[]): string {
  return changes.reduce((yaml, [part, by]) => replacePart(yaml, part, by), plainYaml)
}

/** What replaces the plain mapping by another one: the rows of the table, and the findings as lines. */
function compare(before: string, after: string) {
  const { tables, findings } = checkEpoch(readMapping(before), readMapping(after))
  const rows = tables![0]!.rows.map(({ path, before: old, after: now, changes }) => [path, old, now, changes])
  return { rows, findings: findings.map(({ severity, problem, fix }) => `${severity}: ${problem}; ${fix}`) }
}

const inFields = (from: string, to: string): string => edit([from, to])
const words = inFields('status: reg_status', 'status: { column: reg_status, values: { 1: A, 2: B } }')

describe('the epoch must be raised for', () => {
  test.each([
    [
      'a status word',
      words,
      words.replace('2: B', '2: C'),
      'registrations.fields.status.values.2',
      '"B"',
      '"C"',
    ],
    [
      'words for the first time',
      plainYaml,
      words,
      'registrations.fields.status.values',
      null,
      '{"1":"A","2":"B"}',
    ],
    [
      'a unit',
      plainYaml,
      inFields('total: grand_total', 'total: { column: grand_total, unit: minor }'),
      'invoices.fields.total.unit',
      null,
      '"minor"',
    ],
    ['a zone', plainYaml, edit(['"+00:00"', 'Europe/Berlin']), 'timezone', '"+00:00"', '"Europe/Berlin"'],
    [
      'a condition',
      plainYaml,
      edit(['  invalidRows: skip', '  where: [{ column: kind, equals: 1 }]']),
      'registrations.where',
      null,
      '{"column":"kind","equals":1}',
    ],
    [
      'a record that is not archived any more',
      plainYaml,
      edit(['archived: { column: archived_at, is: set }\n  invalidRows', 'archived: []\n  invalidRows']),
      'registrations.archived',
      '{"column":"archived_at","is":"set"}',
      null,
    ],
    [
      'a constant',
      plainYaml,
      inFields('currency: currency_code', 'currency: { constant: SAR }'),
      'invoices.fields.currency.constant',
      null,
      '"SAR"',
    ],
  ])('%s', (_, before, after, path, old, now) => {
    const { rows, findings } = compare(before, after)
    expect(rows).toContainEqual([path, old, now, 'yes'])
    expect(findings).toEqual([expect.stringMatching(/^error: is 0 as before, .*; set it to 1$/)])
    expect(findings[0]).toContain(path)
    expect(compare(before, `epoch: 1\n${after}`).findings).toEqual([])
  })
})

test('another column or table may have the same values', () => {
  const { rows, findings } = compare(plainYaml, inFields('name: attendee_name', 'name: full_name'))
  expect(rows).toEqual([['registrations.fields.name.column', '"attendee_name"', '"full_name"', 'by values']])
  expect(findings).toEqual([
    'warning: is 0 as before, and records differ without updatedAt if other values are read by registrations.fields.name.column; set it to 1, unless the values are the same, as after a renamed column',
  ])
})

test('what no copy shows needs no epoch', () => {
  const section = plainYaml.slice(plainYaml.indexOf('invoices:\n'), plainYaml.indexOf('neverRead'))
  const edited = edit(
    ['scopes: { column: scopes, format: space }', 'scopes: { grant: [registration.read] }'],
    ['invalidRows: skip', 'invalidRows: fail'],
    ['neverRead:', 'heartbeat: { table: beats, column: ts }\nneverRead:'],
    [section, ''],
  )
  const { rows, findings } = compare(plainYaml, edited)
  expect([rows.map(([path, , , changes]) => [path, changes]), findings]).toEqual([
    [
      ['apiKeys.scopes.column', 'no'],
      ['apiKeys.scopes.format', 'no'],
      ['apiKeys.scopes.grant', 'no'],
      ['registrations.invalidRows', 'no'],
      ['invoices', 'no'],
      ['heartbeat', 'no'],
    ],
    [],
  ])
})

test('another form of the same is no difference', () => {
  const list = inFields('status: reg_status', 'status: { column: reg_status, values: [A, B] }')
  const pairs = inFields('status: reg_status', 'status: { values: { B: B, A: A }, column: reg_status }')
  expect(compare(list, pairs)).toEqual({ rows: [], findings: [] })
  const tests = (form: string): string =>
    edit(['archived: { column: archived_at, is: set }\n  invalidRows', `archived: ${form}\n  invalidRows`])
  const [one, other] = ['{ column: a, equals: 1 }', '{ column: b, is: set }']
  expect(
    compare(tests(`[${one}, ${other}]`), tests(`[${other}, { column: a, is: { equals: 1 } }]`)).rows,
  ).toEqual([])
})

test('a lower epoch is an error: copies ignore it', () => {
  expect(compare(`epoch: 3\n${plainYaml}`, `epoch: 2\n${plainYaml}`).findings).toEqual([
    'error: is 2, and copies that were read under 3 ignore a lower one; set it to 4',
  ])
})
