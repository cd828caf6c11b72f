import { describe, expect, test } from 'vitest'
import type { ConfigIssue } from '../../../src/errors.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { resolveMapping } from '../../../src/mapping/resolve-mapping.js'
import { listIssues } from '../../support/issues.js'
import { replacePart } from '../../support/plain-mapping.js'
import { buildSchema, buildTable } from '../../support/schema.js'
import { lookupSchema, lookupTables, lookupYaml } from '../../support/ticket-mapping.js'

/* What cannot be served of the forms that read other tables for times, sums and tests. */

const email = '{ from: orders, on: order_id, column: email }'
const total = 'total: { sum: [net, { column: tax, scale: 4 }, { column: fee, float: 2 }], nullIsZero: true }'

function change(...changes: readonly (readonly [part: string, by: string])[]): string {
  return changes.reduce((text, [part, by]) => replacePart(text, part, by), lookupYaml)
}

function issuesOf(...changes: readonly (readonly [part: string, by: string])[]): readonly ConfigIssue[] {
  return listIssues(() => resolveMapping(readMapping(change(...changes)), lookupSchema))
}

describe('neverRead holds for every form', () => {
  const flag = 'checkedIn: { constant: false }'
  const paid = '{ column: paid_at, is: set, then: PAID }'
  const created = 'createdAt: { column: created, epoch: s }'

  test.each([
    [total, 'total: { from: orders, key: id, sum: [secret] }', '', 'orders.secret'],
    [
      total,
      'total: { from: orders, key: id, sum: [id, { column: secret, unit: minor }] }',
      '',
      'orders.secret',
    ],
    [total, 'total: { from: orders, key: secret_id, sum: [id] }', '.key', 'orders.secret_id'],
    [total, 'total: { from: orders, key: id, on: secret_id, sum: [id] }', '.on', 'bills.secret_id'],
    [
      total,
      'total: { from: orders, key: id, sum: [id], where: [{ column: secret, is: set }] }',
      '.where',
      'orders.secret',
    ],
    [flag, 'checkedIn: { column: secret, equals: a }', '', 'tickets.secret'],
    [flag, 'checkedIn: { from: orders, on: order_id, key: secret_id, is: set }', '.key', 'orders.secret_id'],
    [
      flag,
      'checkedIn: { from: orders, on: order_id, where: [{ column: secret, is: set }], is: set }',
      '.where',
      'orders.secret',
    ],
    [`email: ${email}`, 'email: { column: secret, json: $.a }', '', 'tickets.secret'],
    [
      `email: ${email}`,
      'email: { from: orders, on: order_id, column: secret, json: $.a }',
      '',
      'orders.secret',
    ],
    [
      `email: ${email}`,
      'email: { first: [kind, { from: orders, on: order_id, column: secret }] }',
      '',
      'orders.secret',
    ],
    [paid, '{ from: orders, on: order_id, column: secret, is: set, then: PAID }', '', 'orders.secret'],
    [created, 'createdAt: { from: orders, on: order_id, column: secret }', '', 'orders.secret'],
  ])('%s as %s', (part, by, place, found) => {
    const section = by.startsWith('total') ? 'invoices' : 'registrations'
    const field = by.startsWith('{') ? 'status' : by.slice(0, by.indexOf(':'))
    expect(issuesOf([part, by])).toMatchObject([
      { path: `${section}.fields.${field}${place}`, found: `${found}, which neverRead forbids` },
    ])
  })

  test('is one issue, however many cases of the status test it', () => {
    const twice = ['A', 'B'].map((word) => `{ column: secret, equals: ${word}, then: ${word} }`)
    expect(issuesOf([paid, twice.join('\n        - ')])).toHaveLength(1)
  })
})

describe('lines that cannot be summed', () => {
  const lines = (option: string, definition = 'decimal(12,2)'): readonly ConfigIssue[] => {
    const rows = buildTable('lines', {
      bill: 'int',
      code: 'char(9) utf8mb4_bin',
      net: definition,
      rate: 'double',
    })
    const schema = buildSchema(...Object.values({ ...lookupTables, rows }))
    return listIssues(() => resolveMapping(readMapping(change([total, `total: ${option}`])), schema))
  }

  test.each([
    ['{ from: gone, key: a, sum: [b] }', '.key', 'gone.a, which does not exist or may not be read'],
    ['{ from: lines, key: gone, sum: [net] }', '.key', 'lines.gone, which does not exist or may not be read'],
    ['{ from: lines, key: code, sum: [net] }', '.on', 'id of type int for lines.code of type char(9)'],
    [
      '{ from: lines, key: bill, on: gone, sum: [net] }',
      '.on',
      'bills.gone, which does not exist or may not be read',
    ],
    ['{ from: lines, key: bill, sum: [code] }', '', 'lines.code of type char(9)'],
    ['{ from: lines, key: bill, sum: [rate] }', '', 'lines.rate of type double'],
    ['{ from: lines, key: bill, sum: [{ column: net, scale: 2 }] }', '', 'lines.net of type decimal(12,2)'],
    [
      '{ from: lines, key: bill, sum: [net], where: [{ column: net, equals: a }] }',
      '.where',
      'lines.net of type decimal(12,2)',
    ],
  ])('%s is an issue', (option, place, found) => {
    expect(lines(option)[0]).toMatchObject({ path: `invoices.fields.total${place}`, found })
  })

  test('a DECIMAL whose sum could overflow is an issue, and one that could not is none', () => {
    expect(lines('{ from: lines, key: bill, sum: [net] }', 'decimal(43,30)')).toEqual([])
    expect(lines('{ from: lines, key: bill, sum: [net] }', 'decimal(44,0)')).toEqual([
      {
        path: 'invoices.fields.total',
        found: 'lines.net of type decimal(44,0)',
        allowed: 'a DECIMAL of at most 43 digits: sums of others can overflow',
      },
    ])
  })
})
