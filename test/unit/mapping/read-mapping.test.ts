import { expect, test } from 'vitest'
import { readMapping } from '../../../src/mapping/load-configuration.js'
import { listIssues } from '../../support/issues.js'
import { plainYaml, replacePart } from '../../support/plain-mapping.js'
import { requireWhole } from '../../support/whole-mapping.js'

const zone = "timezone: '+00:00'"
const withValues = (values: string): string =>
  replacePart(plainYaml, 'status: reg_status', `status: { column: reg_status, values: ${values} }`)
/** The line of a part of a text. */
const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length

test('the stored values of a status are taken as they are written, whatever YAML would make of them', () => {
  const { status } = requireWhole(
    readMapping(withValues('{ 01: A, 1.0: B, TRUE: C, ~: D, 0x10: E, "x": F }')),
  ).registrations.fields
  expect(status).toEqual({
    column: 'reg_status',
    values: { '01': 'A', '1.0': 'B', TRUE: 'C', '~': 'D', '0x10': 'E', x: 'F' },
  })
})

const twice = replacePart(plainYaml, '    email: attendee_email', '    email: attendee_email\n    email: a2')
const ten = (name: string): string => `[${Array.from({ length: 10 }, () => name).join(', ')}]`
test.each([
  ['a name that stands twice', twice, lineOf(twice, 'email: a2'), 'Map keys must be unique'],
  [
    'a value that stands twice',
    withValues('{ 1: A, "1": B }'),
    lineOf(plainYaml, 'reg_status'),
    'Map keys must be unique',
  ],
  [
    'a second document',
    `${plainYaml}---\n${zone}\n`,
    plainYaml.split('\n').length,
    'Source contains multiple documents; please use YAML.parseAllDocuments()',
  ],
])('%s is an issue with its line', (_, text, line, found) => {
  expect(listIssues(() => readMapping(text))).toMatchObject([{ path: `line ${line}`, found }])
})

test.each([
  ['without an anchor', replacePart(plainYaml, zone, 'timezone: *none'), 'none'],
  ['before its anchor', `${replacePart(plainYaml, zone, 'timezone: *late')}\nlast: &late 1\n`, 'late'],
  ['within its own anchor', 'a: &a { b: *a }', 'circular'],
  ['of many values', `a: &a ${ten('x')}\nb: &b ${ten('*a')}\nc: &c ${ten('*b')}\n`, 'Excessive alias count'],
])('an alias %s is an issue', (_, text, found) => {
  expect(listIssues(() => readMapping(text))).toMatchObject([
    { path: '(root)', found: expect.stringContaining(found) as unknown },
  ])
})

test('every name that stands twice is named at once, and of a text that does not parse the first place', () => {
  const text = replacePart(
    replacePart(plainYaml, zone, `${zone}\n${zone}`),
    'neverRead:',
    'invoices: {}\nneverRead:',
  )
  expect(listIssues(() => readMapping(text))).toHaveLength(2)
  expect(listIssues(() => readMapping('a: b\n  - { c: 1 }\n  - { d: 2 }\n'))).toMatchObject([
    { path: 'line 1' },
  ])
})
