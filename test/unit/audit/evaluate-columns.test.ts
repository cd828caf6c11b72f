import { expect, test } from 'vitest'
import { evaluateChangeTimes, toSchemaFindings } from '../../../src/audit/evaluate-columns.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { changeSchema, plainYaml, replacePart } from '../../support/plain-mapping.js'
import { buildPrivileges } from '../../support/privileges.js'

const mapping = readMapping(plainYaml)

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
