import { expect, test } from 'vitest'
import type { Row, RunStatement } from '../../../src/database/statement.js'
import { createReadRecord } from '../../../src/collections/record.js'
import type { ReadRecord } from '../../../src/collections/record.js'
import type { Records } from '../../../src/collections/records.js'
import { resolveProduct } from '../../support/plain-mapping.js'
import { createTestCaller } from '../../support/scheduler-world.js'

const collection = resolveProduct('plain').invoices

/** The invoice of an id, as the driver returns it. */
function buildRow(id: string): Row {
  const given: Row = {
    ...{ id, number: 'INV-1', status: 'PAID', total: '115.5000', currency: 'SAR', issueDate: '2026-03-01' },
    ...{ createdAt: '2026-03-01 08:00:00.000', updatedAt: '2026-03-01 09:00:00.000' },
  }
  const cells = collection.table.projection.map(({ as }) => [as, given[as] ?? null] as const)
  return { ...Object.fromEntries(cells), workspace: 'W1' }
}

/** Reads records from a database with these rows. @param onStatement receives how many values each statement has */
function createReader(
  rows: readonly Row[],
  onStatement: (values: number) => void = () => undefined,
  fails: (values: number) => boolean = () => false,
): ReadRecord {
  const runQuery = (async (statement) => {
    onStatement(statement.values.length)
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (fails(statement.values.length)) throw new Error('rejected')
    const found = rows.filter(({ id }) => statement.values.includes(String(id)))
    return statement.toResult?.(found, statement.input as never) ?? found
  }) as RunStatement
  return createReadRecord(runQuery, 4)
}

function ask(readRecord: ReadRecord, id: string): Promise<Records> {
  return readRecord({ collection, workspaceId: 'W1', id, caller: createTestCaller(), isCompared: true })
}

function read(id: string, rows: readonly Row[]): Promise<Records> {
  return ask(createReader(rows), id)
}

test('a record that comes twice cannot be shown', async () => {
  const rows = ['a', 'a', 'a'].map(buildRow)
  const found = await read('a', rows)
  expect([found.count, found.invalid]).toEqual([0, [expect.objectContaining({ id: 'a' })]])
})

const abc = ['a', 'b', 'c'].map(buildRow)

test('records that are asked for during a statement are read by one, each by its own id, and one too many alone', async () => {
  const statements: number[] = []
  const readRecord = createReader(abc, (values) => statements.push(values))
  const lone = ask(readRecord, 'a')
  const joined = await Promise.all(['b', 'c', 'd', 'b', 'a'].map((id) => ask(readRecord, id)))
  await lone
  expect(statements).toHaveLength(3)
  expect(joined.map(({ count, json }) => [count, /"id":"(.)"/.exec(json)?.[1]])).toEqual([
    [1, 'b'],
    [1, 'c'],
    [0, undefined],
    [1, 'b'],
    [1, 'a'],
  ])
})

test('a record is read alone where the server rejects a statement of several', async () => {
  const lone = (await read('a', [buildRow('a')])).json
  const readRecord = createReader([buildRow('a')], undefined, (values) => values > 5)
  const [first, ...others] = await Promise.all(['a', 'a', 'a', 'a', 'a'].map((id) => ask(readRecord, id)))
  expect([first, ...others].map((found) => found?.json)).toEqual(Array(5).fill(lone))
})
