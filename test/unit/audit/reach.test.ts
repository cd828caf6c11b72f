import { describe, expect, test } from 'vitest'
import { evaluateReach } from '../../../src/audit/evaluate-reach.js'
import { readVisible } from '../../../src/audit/reach.js'
import type { Reach, ReachableColumn } from '../../../src/audit/reach.js'
import type { Row } from '../../../src/database/statement.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { plainYaml } from '../../support/plain-mapping.js'
import { buildPrivileges } from '../../support/privileges.js'

const mapping = readMapping(plainYaml)

const buildReached = (text: string, privileges: string): ReachableColumn => {
  const [table = '', column = ''] = text.split('.')
  return { table, column, privileges: privileges.split(','), expression: '' }
}

/** The findings of what is in reach, with these grants, each as its severity, object and privilege. */
function evaluate(rest: Partial<Reach>, grants: readonly string[] = []): readonly unknown[] {
  const reach = { columns: [], objects: [], histograms: [], schemas: [], ...rest }
  const findings = evaluateReach(mapping, { privileges: buildPrivileges(grants), reach }, [])
  return findings.map(({ severity, object, privilege }) => [severity, object, privilege])
}

describe('a column in reach', () => {
  test('is no finding where it is mapped and only read', () => {
    expect(evaluate({ columns: [buildReached('invoices.Grand_Total', 'select')] })).toEqual([])
  })

  test('is an error where neverRead forbids it, with any grant', () => {
    const secret = buildReached('invoices.einv_hash', 'select')
    for (const grants of [[], ['SELECT ON `shop`.*'], ['SELECT (`einv_hash`) ON `shop`.`invoices`']])
      expect(evaluate({ columns: [secret] }, grants)).toEqual([['error', 'invoices.einv_hash', 'SELECT']])
  })

  test('is an error of its own where no grant of the account gives the privilege', () => {
    expect(evaluate({ columns: [buildReached('users.name', 'select')] })).toEqual([
      ['error', 'users.name', 'SELECT'],
    ])
    expect(evaluate({ columns: [buildReached('invoices.id', 'select,update')] })).toEqual([
      ['error', 'invoices.id', 'UPDATE'],
    ])
  })

  test.each([
    'UPDATE ON `shop`.`invoices`',
    'UPDATE (`ID`) ON `shop`.`invoices`',
    'UPDATE ON `shop`.*',
    'ALL PRIVILEGES ON *.*',
  ])('has no finding of its own beside the grant that gives the privilege: %s', (grant) => {
    expect(evaluate({ columns: [buildReached('invoices.id', 'select,update')] }, [grant])).toEqual([])
  })

  test.each([
    'INSERT ON `shop`.`invoices`',
    'UPDATE (`number`) ON `shop`.`invoices`',
    'UPDATE ON `shop`.`users`',
    'UPDATE ON `other`.*',
  ])('has a finding of its own beside a grant of something else: %s', (grant) => {
    expect(evaluate({ columns: [buildReached('invoices.id', 'select,update')] }, [grant])).toEqual([
      ['error', 'invoices.id', 'UPDATE'],
    ])
  })
})

type ByRole = Readonly<Record<string, readonly Row[]>>

const buildColumnRow = (column: string, privileges: string): Row => ({
  table: 'invoices',
  column,
  privileges,
  expression: null,
})
const roles = [
  { role: '`a`', grantable: false, revocable: true },
  { role: '`b`', grantable: false, revocable: true },
]

/** Reads the reach where each statement that sets roles gives these columns; with the statements that were run. */
async function read(
  columns: ByRole,
  isMariaDb: boolean,
): Promise<{ readonly reach: Omit<Reach, 'schemas'>; readonly set: readonly string[] }> {
  const set: string[] = []
  const reach = await readVisible(
    ({ sql }) => {
      if (sql.startsWith('set role')) set.push(sql)
      const isColumns = sql.includes('information_schema.columns')
      return Promise.resolve(isColumns ? (columns[set.at(-1) ?? ''] ?? []) : [])
    },
    { database: 'shop', roles, isMariaDb },
  )
  return { reach, set }
}

test('a column is in reach by every privilege that any role gives', async () => {
  const { reach, set } = await read(
    {
      'set role none': [buildColumnRow('id', 'insert')],
      'set role `a`': [buildColumnRow('id', 'insert,select')],
      'set role `b`': [buildColumnRow('id', 'insert'), buildColumnRow('number', 'update')],
    },
    true,
  )
  expect(set).toEqual(['set role none', 'set role `a`', 'set role `b`'])
  expect(reach.columns).toMatchObject([
    { column: 'id', privileges: ['insert', 'select'] },
    { column: 'number', privileges: ['update'] },
  ])
})

test('the reach in MySQL is read once with all roles, and once with none', async () => {
  const { reach, set } = await read({ 'set role all': [buildColumnRow('id', 'select')] }, false)
  expect(set).toEqual(['set role none', 'set role all'])
  expect(reach.columns).toMatchObject([{ column: 'id', privileges: ['select'] }])
})
