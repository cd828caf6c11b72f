import { expect, test } from 'vitest'
import { evaluateNullability, toSchemaFindings } from '../../../src/audit/evaluate-columns.js'
import type { Finding } from '../../../src/audit/finding.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { changeSchema, plainSchema, plainYaml } from '../../support/plain-mapping.js'
import { buildPrivileges } from '../../support/privileges.js'
import { buildSchema } from '../../support/schema.js'

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

const issues = [
  { path: 'invoices.fields.number', found: 'invoices.invoice_no, which is not there', allowed: 'a column' },
  { path: 'invoices.fields.total', found: 'invoices.grand_total, of type json', allowed: 'a number' },
]

test('a missing column is an error with its GRANT, and a column of another type is one without', () => {
  const schema = changeSchema([['invoices', 'invoice_no', undefined]])
  const fixes = (privileges?: ReturnType<typeof buildPrivileges>): readonly unknown[] =>
    toSchemaFindings(issues, mapping, { schema, privileges }).map(({ object, fix }) => [object, fix])
  expect(fixes(buildPrivileges([]))).toEqual([
    [
      'invoices.fields.number',
      'GRANT SELECT (`invoice_no`) ON `shop`.`invoices` TO `vitrine`@`%`; or correct the mapping, if there is no such column',
    ],
    ['invoices.fields.total', 'correct the mapping, or map a column of such a type'],
  ])
  expect(fixes()).toContainEqual(['invoices.fields.number', 'correct the mapping, or grant the column'])
})

test('a table without any readable column is one error with one GRANT', () => {
  const schema = buildSchema(...[...plainSchema.values()].filter(({ name }) => name !== 'invoices'))
  const [finding, ...others] = toSchemaFindings(issues, mapping, { schema, privileges: buildPrivileges([]) })
  expect(others).toEqual([])
  expect(finding).toMatchObject({ severity: 'error', object: 'invoices' })
  expect(finding!.problem).toContain('none of its 12 mapped columns')
  expect(finding!.fix).toMatch(/^GRANT SELECT \(`workspace_id`, .*`updated_at`\) ON `shop`\.`invoices` TO /)
})
