import { expect, test } from 'vitest'
import type { Row, Statement } from '../../../src/database/statement.js'
import { readItem } from '../../../src/query/read-item.js'
import { planRecord } from '../../../src/query/record.js'
import { resolvePlain } from '../../support/plain-mapping.js'

const { table } = resolvePlain().invoices

/** Reads a record from a database that gives these rows. */
function read(id: string, rows: readonly Row[], sent: Statement[] = []): Promise<readonly Row[] | undefined> {
  const plan = planRecord(table, 'W1', id)!
  const runQuery = (statement: Statement): Promise<readonly Row[]> => {
    sent.push(statement)
    return Promise.resolve(rows)
  }
  return readItem(runQuery, { collection: 'invoices', workspaceId: 'W1', id, plan })
}

test('a record is shown only where the stored id is the same text, whatever rows the collation gave', async () => {
  const rows = [{ id: 'A' }, { id: 'a ' }, { id: null }, { id: 'b' }]
  expect(await read('a', rows)).toBeUndefined()
  expect(await read('b', rows)).toEqual([{ id: 'b' }])
})

test('a record that comes twice has both rows', async () => {
  expect(await read('a', [{ id: 'a', at: 1 }, { id: 'b' }, { id: 'a', at: 2 }])).toEqual([
    { id: 'a', at: 1 },
    { id: 'a', at: 2 },
  ])
})

test('records of one workspace and collection are read by one statement, those of different ones never', async () => {
  const sent: Statement[] = []
  for (const id of ['a', 'b', 'c', 'b']) await read(id, [], sent)
  const [first, ...others] = sent
  expect(new Set(sent.map(({ batch }) => batch?.key))).toEqual(new Set(['invoices W1']))
  const merged = first!.batch!.merge([first!, ...others])
  expect(merged.sql).toContain('where `id` in (?, ?, ?, ?) and `workspace_id` = ?')
  expect(merged.values).toEqual(['a', 'b', 'c', 'b', 'W1', 'W1'])
})
