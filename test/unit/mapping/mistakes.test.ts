import { describe, expect, test } from 'vitest'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { listIssues } from '../../support/issues.js'
import { plainYaml, replacePart } from '../../support/plain-mapping.js'

const withRows = (where: string): string =>
  replacePart(plainYaml, 'invoices:\n', `invoices:\n  where: ${where}\n`)
const withStatus = (when: string): string =>
  replacePart(plainYaml, 'status: invoice_status', `status: { when: ${when}, otherwise: OTHER }`)

const listPaths = (text: string): readonly string[] =>
  listIssues(() => readMapping(text)).map(({ path }) => path)

test('each mistake in a list of conditions is an issue of its own item', () => {
  expect(listPaths(withRows('[{ column: type, equals: [a] }, { column: state, in: x }]'))).toEqual([
    'invoices.where.0.equals',
    'invoices.where.1.in',
  ])
  expect(
    listPaths(withStatus('[{ column: a, is: zero, then: VOID }, { column: b, in: [], then: PAID }]')),
  ).toEqual(['invoices.fields.status.when.0.is', 'invoices.fields.status.when.1.in'])
  expect(listPaths(withRows('[{ column: type, equal: 1 }, { column: state, is: none }]'))).toEqual([
    'invoices.where.0.equal',
    'invoices.where.1.is',
  ])
})

test.each([
  ['without an anchor', 'timezone: *none', 'timezone: "+00:00"', 'the alias *none'],
  ['before its anchor', 'timezone: *late', 'timezone: "+00:00"', 'the alias *late'],
  ['within its own anchor', 'neverRead: &own [*own]', 'neverRead:', 'the alias *own'],
])('an alias %s is an issue with its line', (_, by, part, found) => {
  const text =
    part === 'neverRead:'
      ? `${plainYaml.slice(0, plainYaml.indexOf(part))}${by}\n`
      : replacePart(plainYaml, part, by)
  const line = text.slice(0, text.indexOf(by)).split('\n').length
  expect(listIssues(() => readMapping(`${text}\nlast: &late 1\n`))).toEqual([
    { path: `line ${line}`, found, allowed: 'an alias of an anchor before it' },
  ])
})

test('a second document is an issue with its line', () => {
  const line = plainYaml.split('\n').length
  expect(listIssues(() => readMapping(`${plainYaml}---\ntimezone: "+00:00"\n`))).toEqual([
    {
      path: `line ${line}`,
      found: 'a second YAML document',
      allowed: 'one document: a mapping file is not divided by ---',
    },
  ])
  expect(listPaths(`---\n${plainYaml}`)).toEqual([])
})

test('aliases that multiply are an issue with a line', () => {
  const ten = (name: string): string => `[${Array.from({ length: 10 }, () => name).join(', ')}]`
  const text = `a: &a ${ten('x')}\nb: &b ${ten('*a')}\nc: &c ${ten('*b')}\n`
  expect(listIssues(() => readMapping(text))).toEqual([
    { path: 'line 3', found: 'aliases that repeat too many values', allowed: 'the values themselves' },
  ])
})

test('a value can be an alias of one before it', () => {
  const text = replacePart(
    replacePart(plainYaml, 'createdAt: created_at', 'createdAt: &made created_at'),
    'createdAt: created_at',
    'createdAt: *made',
  )
  expect(readMapping(text).invoices?.fields.createdAt).toBe('created_at')
})

test('an unknown name that is nearly a known one suggests it', () => {
  const [issue] = listIssues(() => readMapping(replacePart(plainYaml, '    issueDate:', '    isueDate:')))
  expect(issue).toMatchObject({ path: 'invoices.fields.issueDate', found: 'nothing' })
  const [, unknown] = listIssues(() => readMapping(replacePart(plainYaml, '    issueDate:', '    isueDate:')))
  expect(unknown?.allowed).toMatch(/; did you mean issueDate\?$/)
})

const withEmail = (email: string): readonly { readonly path: string; readonly allowed: string }[] =>
  listIssues(() => readMapping(replacePart(plainYaml, 'email: attendee_email', `email: ${email}`)))

test.each([
  [
    'a path that does not begin at the document',
    '{ column: settings, json: email }',
    '.json',
    '$."e-mail"[0]',
  ],
  ['a path to several values', '{ column: settings, json: "$.*" }', '.json', 'a path to one value'],
  ['one place alone', '{ first: [a] }', '.first', 'a list of 2 to 8 places'],
  ['a first in a first', '{ first: [a, { first: [b, c] }] }', '.first.1', '{ from: TABLE, on: COLUMN'],
  [
    'what stands behind a constant',
    '{ first: [a, { constant: x }, b] }',
    '.first.1.constant',
    'a constant as the last one',
  ],
])('%s is an issue', (_, option, path, allowed) => {
  expect(withEmail(option)).toMatchObject([
    { path: `registrations.fields.email${path}`, allowed: expect.stringContaining(allowed) as unknown },
  ])
})

const issuesWith = (part: string, by: string): readonly string[] =>
  listIssues(() => readMapping(replacePart(plainYaml, part, by))).map(
    ({ path, found, allowed }) => `${path}: ${found} (${allowed})`,
  )

describe('a mistake in the sum of lines', () => {
  test.each([
    ['{ from: lines, key: bill_id }', 'sum: nothing (a list of up to 8: a DECIMAL or integer column'],
    ['{ from: lines, sum: [net] }', 'key: nothing (the column of the table in `from`'],
    ['{ from: lines, key: bill_id, sum: [] }', 'sum: [] (a list of up to 8: a DECIMAL'],
    ['{ from: lines, key: bill_id, sum: net }', 'sum: "net" (a list of up to 8: a DECIMAL'],
    [
      '{ from: lines, key: bill_id, sum: [{ column: net, float: 2 }] }',
      'sum.0: {"column":"net","float":2} (a DECIMAL or integer column',
    ],
    [
      '{ from: lines, key: bill_id, sum: [net], where: { column: a, equals: 1 } }',
      'where: {"column":"a","equals":1} (a list of tests',
    ],
    ['{ from: lines, key: bill_id, sum: [net], where: [] }', 'where: [] (a list of tests'],
    [
      '{ from: lines, key: bill_id, on: { from: a, on: b, column: c }, sum: [net] }',
      'on: {"from":"a","on":"b","column":"c"} (a column name',
    ],
    ['{ from: lines, key: bill_id, sum: [net], nullIsZero: 1 }', 'nullIsZero: 1 (true or false)'],
    [
      '{ from: lines, key: bill_id, sum: [net], column: net }',
      'column: an unknown name (from, key, on, where, sum, nullIsZero)',
    ],
    [
      '{ from: lines, key: lines.bill_id, sum: [net] }',
      'key: "lines.bill_id" (the column of the table in `from` that has the value of `on`, without a dot)',
    ],
  ])('%s is one issue at its place', (option, issue) => {
    const issues = issuesWith('total: grand_total', `total: ${option}`)
    expect(issues).toEqual([expect.stringContaining(`invoices.fields.total.${issue}`)])
  })
})

describe('a mistake in a test of whether there is a row', () => {
  test.each([
    [
      '{ from: checkins, on: id, key: ticket_id }',
      ': {"from":"checkins","on":"id","key":"ticket_id"} ({ column, equals: value }',
    ],
    [
      '{ from: checkins, on: id, equals: 1 }',
      '.column: nothing (a column name of the table in `from`',
    ],
    [
      '{ from: checkins, on: id, is: set, equals: 1 }',
      '.column: nothing (a column name of the table in `from`',
    ],
    [
      '{ column: state, equals: 1, in: [2] }',
      ': {"column":"state","equals":1,"in":[2]} ({ column, equals: value }',
    ],
    ['{ from: checkins, on: id, is: yes }', '.is: "yes" (set: the column is not NULL; or unset)'],
    ['{ from: checkins, is: set }', '.on: nothing (a column name, or { from, on: COLUMN'],
    ['{ from: checkedInAtt }', '.from: "checkedInAtt" (checkedInAt)'],
    ['{ constant: true }', '.constant: true (false)'],
  ])('%s is one issue at its place', (option, issue) => {
    const issues = issuesWith('checkedIn: { from: checkedInAt }', `checkedIn: ${option}`)
    expect(issues).toEqual([expect.stringContaining(`registrations.fields.checkedIn${issue}`)])
  })
})
