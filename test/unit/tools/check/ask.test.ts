import { expect, test } from 'vitest'
import { answer } from '../../../../src/tools/check/ask.js'
import { databaseUnavailable } from '../../../../src/database/errors.js'
import type { Row, Statement } from '../../../../src/database/statement.js'
import { createWarning } from '../../../../src/finding.js'

const statement: Statement = { sql: 'select all', values: [] }
const question = {
  object: 'bills.cur',
  statement,
  evaluate: (rows: readonly Row[], isSampled: boolean) => [
    createWarning('bills.cur', `${rows.length} rows${isSampled ? ' of a sample' : ''}`, 'none'),
  ],
}
const late = databaseUnavailable(Object.assign(new Error('maximum time exceeded'), { errno: 3024 }))

test('a statement that the database does not answer in time is a warning with the reason, and the next is asked', async () => {
  const run = ({ sql }: Statement) =>
    sql === 'select all' ? Promise.reject(late) : Promise.resolve([{ n: 1 }])
  const other = { ...question, statement: { sql: 'select some', values: [] } }
  expect(await answer([question, other], run)).toEqual([
    expect.objectContaining({
      severity: 'warning',
      object: 'bills.cur',
      problem: 'could not be checked: maximum time exceeded',
    }),
    expect.objectContaining({ problem: '1 rows' }),
  ])
  const sampled = { ...question, sampled: other.statement }
  expect(await answer([sampled], run)).toEqual([expect.objectContaining({ problem: '1 rows of a sample' })])
})

test('any other error is none of the report', async () => {
  await expect(answer([question], () => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError)
})
