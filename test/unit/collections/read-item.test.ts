import { expect, test } from 'vitest'
import type { Row, RunStatement, Statement } from '../../../src/database/statement.js'
import { planRecord, readItem } from '../../../src/collections/record.js'
import type { Records } from '../../../src/collections/records.js'
import { readBy } from '../../support/binary-rows.js'
import { resolvePlain } from '../../support/plain-mapping.js'
import { buildInvoiceRow as buildRow } from '../../support/rows.js'

const collection = resolvePlain().invoices

/** Reads a record from a database that gives these rows. */
function read(
  id: string,
  rows: readonly Row[],
  sent: Statement<unknown>[] = [],
): Promise<Records | undefined> {
  const plan = planRecord(collection.table, 'W1', id)!
  const runQuery = ((statement) => {
    sent.push(statement)
    return Promise.resolve(readBy(statement.createReader!(), collection.table, rows))
  }) as RunStatement
  return readItem(runQuery, { collection, workspaceId: 'W1', id, plan })
}

test('a record is shown only where the stored id is the same text, whatever rows the collation gave', async () => {
  const rows = ['A', 'a ', null, 'b'].map((id) => buildRow(0, { id }))
  expect(await read('a', rows)).toBeUndefined()
  const found = await read('b', rows)
  expect(JSON.parse(found!.json.end().toString())).toMatchObject({ id: 'b' })
})

test('a record that comes twice cannot be shown', async () => {
  const rows = ['a', 'b', 'a', 'a'].map((id) => buildRow(0, { id }))
  const found = await read('a', rows)
  expect([found?.count, found?.invalid]).toEqual([
    0,
    [expect.objectContaining({ id: 'a', isRepeated: true })],
  ])
})

test('records of one workspace and collection are read by one statement, those of different ones never', async () => {
  const sent: Statement<unknown>[] = []
  for (const id of ['a', 'b', 'c', 'b']) await read(id, [], sent)
  const [first, ...others] = sent
  expect(new Set(sent.map(({ batch }) => batch?.key))).toEqual(new Set(['invoices W1']))
  const merged = first!.batch!.merge([first!, ...others])
  expect(merged.sql).toContain('where `id` in (?, ?, ?, ?) and `workspace_id` = ?')
  expect(merged.values).toEqual(['a', 'b', 'c', 'b', 'W1', 'W1'])
})
