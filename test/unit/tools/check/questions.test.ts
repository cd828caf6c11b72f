import { expect, test } from 'vitest'
import { attempt } from '../../../../src/tools/check/findings.js'
import { readAll } from '../../../../src/tools/check/rows-sql.js'
import { databaseUnavailable } from '../../../../src/database/errors.js'
import { toStatement, sql } from '../../../../src/database/sql.js'
import type { Row, Statement } from '../../../../src/database/statement.js'
import type { ResolvedTable } from '../../../../src/collections/resolved-table.js'

const late = databaseUnavailable(Object.assign(new Error('maximum time exceeded'), { errno: 3024 }))

test('a question that the database does not answer in time is a warning with the reason, and any other error is none', async () => {
  expect(await attempt('bills.cur', () => Promise.reject(late))).toEqual([
    expect.objectContaining({
      severity: 'warning',
      object: 'bills.cur',
      problem: 'could not be checked: maximum time exceeded',
    }),
  ])
  await expect(attempt('bills.cur', () => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError)
})

const column = (name: string) => ({ column: { name, kind: 'integer' } })
const table = {
  name: 'bills',
  id: column('id'),
  updatedAt: column('touched'),
  workspace: column('owner'),
  ...{ projection: [], where: [], archived: [], eventId: undefined },
} as unknown as ResolvedTable

test('where all rows of a table reach the time limit, the newest ones are read', async () => {
  const asked: string[] = []
  const run = ({ sql: text }: Statement): Promise<readonly Row[]> => {
    asked.push(text)
    return asked.length === 1 ? Promise.reject(late) : Promise.resolve([{ n: 1 }])
  }
  const read = await readAll(table, (rows) => toStatement(sql`select count(*) from ${rows}`), run)
  expect(read).toEqual({ rows: [{ n: 1 }], isPart: true })
  expect(asked).toEqual([
    'select count(*) from `bills`',
    'select count(*) from (select `owner`, `id`, `touched` from `bills` order by `bills`.`id` desc limit ?) as `bills`',
  ])
})
