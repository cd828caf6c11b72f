import { expect, test } from 'vitest'
import { readReach } from '../../../src/audit/read-reach.js'
import type { Reach } from '../../../src/audit/privileges.js'
import type { Row } from '../../../src/database/statement.js'

type ByRole = Readonly<Record<string, readonly Row[]>>

const buildColumn = (column: string, privileges: string): Row => ({
  table: 'invoices',
  column,
  privileges,
  expression: null,
})
const roles = [
  { role: '`a`', grantable: false },
  { role: '`b`', grantable: false },
]

/** What is in reach where each role, set by its statement, brings these columns; with the statements that set roles. */
async function read(
  columns: ByRole,
  isMariaDb: boolean,
): Promise<{ readonly reach: Reach; readonly set: readonly string[] }> {
  const set: string[] = []
  const reach = await readReach(
    ({ sql }) => {
      if (sql.startsWith('set role')) set.push(sql)
      const isColumns = sql.includes('information_schema.columns')
      return Promise.resolve(isColumns ? (columns[set.at(-1) ?? ''] ?? []) : [])
    },
    { database: 'shop', roles, isMariaDb },
  )
  return { reach, set }
}

test('a column is in reach by every privilege that any role brings', async () => {
  const { reach, set } = await read(
    {
      'set role none': [buildColumn('id', 'insert')],
      'set role `a`': [buildColumn('id', 'insert,select')],
      'set role `b`': [buildColumn('id', 'insert'), buildColumn('number', 'update')],
    },
    true,
  )
  expect(set).toEqual(['set role none', 'set role `a`', 'set role `b`'])
  expect(reach.columns).toMatchObject([
    { column: 'id', privileges: ['insert', 'select'] },
    { column: 'number', privileges: ['update'] },
  ])
})

test('MySQL is asked once with all roles, and once with none', async () => {
  const { reach, set } = await read({ 'set role all': [buildColumn('id', 'select')] }, false)
  expect(set).toEqual(['set role none', 'set role all'])
  expect(reach.columns).toMatchObject([{ column: 'id', privileges: ['select'] }])
})
