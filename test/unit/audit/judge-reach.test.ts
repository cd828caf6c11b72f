import { describe, expect, test } from 'vitest'
import { judgeReach } from '../../../src/audit/judge-reach.js'
import type { ReachableColumn, VisibleObject } from '../../../src/audit/privileges.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { plainYaml } from '../../support/plain-mapping.js'
import { buildPrivileges } from '../../support/privileges.js'

const mapping = readMapping(plainYaml)

const buildReached = (text: string, privileges: string): ReachableColumn => {
  const [table = '', column = ''] = text.split('.')
  return { table, column, privileges: privileges.split(','), expression: '' }
}

/** The findings of what is in reach, beside these grants, each as its severity, object and privilege. */
function judge(
  reach: { readonly columns?: readonly ReachableColumn[]; readonly objects?: readonly VisibleObject[] },
  grants: readonly string[] = [],
): readonly unknown[] {
  const privileges = buildPrivileges(grants, { reach: { columns: [], objects: [], schemas: [], ...reach } })
  return judgeReach(mapping, privileges, []).map(({ severity, object, privilege }) => [
    severity,
    object,
    privilege,
  ])
}

describe('a column in reach', () => {
  test('is no finding where it is mapped and only read', () => {
    expect(judge({ columns: [buildReached('invoices.Grand_Total', 'select')] })).toEqual([])
  })

  test('is an error where neverRead forbids it, whatever grant says so', () => {
    const secret = buildReached('invoices.einv_hash', 'select')
    for (const grants of [[], ['SELECT ON `shop`.*'], ['SELECT (`einv_hash`) ON `shop`.`invoices`']])
      expect(judge({ columns: [secret] }, grants)).toEqual([['error', 'invoices.einv_hash', 'SELECT']])
  })

  test('is an error of its own where no grant of the account gives the privilege', () => {
    expect(judge({ columns: [buildReached('users.name', 'select')] })).toEqual([
      ['error', 'users.name', 'SELECT'],
    ])
    expect(judge({ columns: [buildReached('invoices.id', 'select,update')] })).toEqual([
      ['error', 'invoices.id', 'UPDATE'],
    ])
  })

  test.each([
    'UPDATE ON `shop`.`invoices`',
    'UPDATE (`ID`) ON `shop`.`invoices`',
    'UPDATE ON `shop`.*',
    'ALL PRIVILEGES ON *.*',
  ])('is left to the finding of the grant that gives the privilege: %s', (grant) => {
    expect(judge({ columns: [buildReached('invoices.id', 'select,update')] }, [grant])).toEqual([])
  })

  test.each([
    'INSERT ON `shop`.`invoices`',
    'UPDATE (`number`) ON `shop`.`invoices`',
    'UPDATE ON `shop`.`users`',
    'UPDATE ON `other`.*',
  ])('is not left to a grant of something else: %s', (grant) => {
    expect(judge({ columns: [buildReached('invoices.id', 'select,update')] }, [grant])).toEqual([
      ['error', 'invoices.id', 'UPDATE'],
    ])
  })
})

describe('an object that can be seen', () => {
  const table = { database: 'other', name: 'users', sort: 'table' }

  test('is an error where no grant of the account explains it', () => {
    const routine = { database: 'shop', name: 'f', sort: 'function' }
    const schema = { database: 'other', name: '*', sort: 'schema' }
    const privilege = 'some privilege'
    expect(judge({ objects: [table, routine, schema] })).toEqual([
      ['error', '`other`.`users`', privilege],
      ['error', 'FUNCTION `shop`.`f`', privilege],
      ['error', '`other`.*', privilege],
    ])
  })

  test.each(['INSERT ON `other`.`users`', 'SELECT ON `oth%`.*', 'USAGE ON *.* WITH GRANT OPTION'])(
    'is left to the grant that explains it: %s',
    (grant) => {
      expect(judge({ objects: [table] }, [grant])).toEqual([])
    },
  )

  test.each(['USAGE ON *.*', 'REPLICATION CLIENT ON *.*', 'SELECT ON `other`.`orders`'])(
    'is not explained by %s',
    (grant) => {
      expect(judge({ objects: [table] }, [grant])).toHaveLength(1)
    },
  )
})
