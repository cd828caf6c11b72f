import { expect, test } from 'vitest'
import {
  evaluateChangeTimes,
  evaluateNullability,
  toSchemaFindings,
} from '../../../src/audit/evaluate-columns.js'
import type { Finding } from '../../../src/audit/finding.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { changeSchema, plainSchema, plainYaml, replacePart } from '../../support/plain-mapping.js'
import { buildPrivileges } from '../../support/privileges.js'

const mapping = readMapping(plainYaml)
const toObjects = (findings: readonly Finding[]): readonly string[] => findings.map(({ object }) => object)

test('a column that can be NULL is a warning where the public field cannot be null', () => {
  expect(toObjects(evaluateNullability(mapping, plainSchema))).toEqual([])
  const schema = changeSchema([
    ['invoices', 'invoice_no', 'varchar(40) utf8mb4_bin null'],
    ['invoices', 'due_date', 'date null'],
  ])
  expect(evaluateNullability(mapping, schema)).toEqual([
    expect.objectContaining({
      severity: 'warning',
      object: 'invoices.invoice_no',
      problem: 'can be NULL, and invoices.number cannot: such a row cannot be shown',
    }),
  ])
})

test('a name of several columns is a warning only where all of them can be NULL', () => {
  const named = readMapping(
    replacePart(plainYaml, 'name: attendee_name', 'name: { columns: [attendee_name, last_name] }'),
  )
  const listObjects = (first: string): readonly string[] =>
    toObjects(
      evaluateNullability(
        named,
        changeSchema([
          ['registrations', 'attendee_name', `varchar(40) utf8mb4_bin${first}`],
          ['registrations', 'last_name', 'varchar(40) utf8mb4_bin null'],
        ]),
      ),
    )
  expect(listObjects('')).toEqual([])
  expect(listObjects(' null')).toEqual(['event_registrations.attendee_name', 'event_registrations.last_name'])
})

const issues = [
  { path: 'invoices.fields.number', found: 'invoices.invoice_no, which is not there', allowed: 'a column' },
  { path: 'invoices.fields.total', found: 'invoices.grand_total, of type json', allowed: 'a number' },
]

test('a missing column is an error with its GRANT, and a column of another type is one without', () => {
  const schema = changeSchema([['invoices', 'invoice_no', undefined]])
  const fixes = (privileges?: ReturnType<typeof buildPrivileges>): readonly unknown[] =>
    toSchemaFindings(issues, mapping, { schema, privileges, misspelled: [] }).map(({ object, fix }) => [
      object,
      fix,
    ])
  expect(fixes(buildPrivileges([]))).toEqual([
    [
      'invoices.fields.number',
      'GRANT SELECT (`invoice_no`) ON `shop`.`invoices` TO `vitrine`@`%`; or correct the mapping, if there is no such column',
    ],
    ['invoices.fields.total', 'correct the mapping, or map a column of such a type'],
  ])
  expect(fixes()).toContainEqual(['invoices.fields.number', 'correct the mapping, or grant the column'])
})

test.each([
  ['updatedAt: Created_At', 'updatedAt: { column: "Created_At", neverChanges: true }'],
  [
    'updatedAt: { column: created_at, epoch: ms }',
    'updatedAt: { column: "created_at", epoch: ms, neverChanges: true }',
  ],
])('%s beside createdAt: created_at is an error with the line that fixes it', (line, fix) => {
  const changed = (yaml: string): string => replacePart(plainYaml, 'updatedAt: updated_at', yaml)
  expect(evaluateChangeTimes(mapping)).toEqual([])
  const [finding, ...others] = evaluateChangeTimes(readMapping(changed(line)))
  expect(others).toEqual([])
  expect(finding).toMatchObject({ severity: 'error', object: 'registrations.fields.updatedAt' })
  expect(finding?.fix.endsWith(`: ${fix}`)).toBe(true)
  expect(evaluateChangeTimes(readMapping(changed(fix)))).toEqual([])
})

test('a column that refers to a looked-up row is a warning where it can be NULL, with the name of the field', () => {
  const looked = readMapping(
    replacePart(plainYaml, 'email: attendee_email', 'email: { from: people, on: person_id, column: email }'),
  )
  const schema = changeSchema([['registrations', 'person_id', 'int(11) null']])
  expect(evaluateNullability(looked, schema).map(({ object, problem }) => [object, problem])).toEqual([
    [
      'event_registrations.person_id',
      'can be NULL, and registrations.email cannot: such a row cannot be shown',
    ],
  ])
})
