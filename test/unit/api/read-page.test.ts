import { expect, test } from 'vitest'
import { readPage } from '../../../src/api/list.js'
import { parseListQuery } from '../../../src/collections/list-query.js'
import type { Row, RunStatement, Statement } from '../../../src/database/statement.js'
import { createTestCaller } from '../../support/scheduler-world.js'
import { resolveProduct } from '../../support/plain-mapping.js'

const { registrations } = resolveProduct('plain')
const heartbeat = { table: 'heartbeat', column: 'ts' }
const collection = { ...registrations, table: { ...registrations.table, heartbeat } }
const query = parseListQuery('', { collection: 'registrations', workspaceId: 'W1', statuses: undefined })

/** Reads a page from a database with these answers, one after the other. What pages prove is in test/database/heartbeat.test.ts. */
async function read(...answers: readonly (readonly Row[])[]) {
  const asked: string[] = []
  const runQuery = (<Result>({ sql, toResult, input }: Statement<Result>) => {
    const rows = answers[asked.length] ?? []
    asked.push(sql)
    return Promise.resolve(toResult === undefined ? (rows as Result) : toResult(rows, input as never))
  }) as RunStatement
  const { proof } = await readPage(runQuery, {
    collection,
    workspaceId: 'W1',
    query,
    context: { caller: createTestCaller() },
  })
  return { asked, proof }
}

const beats = '2026-03-01 09:30:00.000000 1 ["2026-03-01 09:29:50"]'
const complete = { seconds: Date.UTC(2026, 2, 1, 9, 29, 50) / 1000, micros: 0 }

test('a page that was empty, and is not any more where the heartbeat is read, is read again', async () => {
  const { asked, proof } = await read([], [], [{ id: 'R1', beats, workspace: 'W1' }])
  expect([asked[2], proof?.complete]).toEqual([asked[0], complete])
})
