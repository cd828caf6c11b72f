import { expect, test } from 'vitest'
import { coalesce } from '../../../src/database/coalescing.js'
import type { Row, RunQuery, Statement } from '../../../src/database/statement.js'
import { createTestQueue } from '../../support/queue.js'

const toStatement = (sql: string, value: string): Statement => ({ sql, values: [value] })

/** Coalesces statements in a queue, in which none times out while a test lasts. */
function coalesceQueue(count: number, limit: number, run: RunQuery): RunQuery {
  const queue = createTestQueue(count, limit)
  return coalesce({
    hasSlot: queue.hasSlot,
    send: (statement, claim, onSent) =>
      queue.run(claim, () => {
        onSent()
        return run(statement)
      }),
  })
}

/** One slot, and a database that answers when the test calls `answer`. */
function start(limit = 10) {
  const sent: { sql: string; values: readonly unknown[]; answer: (rows: readonly Row[]) => void }[] = []
  const runQuery = coalesceQueue(
    1,
    limit,
    ({ sql, values }) =>
      new Promise((answer) => {
        sent.push({ sql, values, answer })
      }),
  )
  return { sent, runQuery }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('identical statements in the queue are sent once, and each request gets the rows', async () => {
  const { sent, runQuery } = start()
  void runQuery(toStatement('list', 'x'))
  const same = [runQuery(toStatement('list', 'a')), runQuery(toStatement('list', 'a'))]
  const other = runQuery(toStatement('list', 'b'))
  await settle()
  sent[0]!.answer([])
  await settle()
  sent[1]!.answer([{ id: 1 }])
  await settle()
  sent[2]!.answer([{ id: 2 }])
  expect(await Promise.all(same)).toEqual([[{ id: 1 }], [{ id: 1 }]])
  expect(await other).toEqual([{ id: 2 }])
  expect(sent.map(({ values }) => values[0])).toEqual(['x', 'a', 'b'])
})

test('a statement that was sent is not shared with a later request', async () => {
  const { sent, runQuery } = start()
  void runQuery(toStatement('list', 'a'))
  await settle()
  const later = runQuery(toStatement('list', 'a'))
  sent[0]!.answer([{ id: 'old' }])
  await settle()
  const last = runQuery(toStatement('list', 'a'))
  sent[1]!.answer([{ id: 'new' }])
  await settle()
  sent[2]!.answer([{ id: 'newest' }])
  expect(await later).toEqual([{ id: 'new' }])
  expect(await last).toEqual([{ id: 'newest' }])
})

test('while a slot is free every statement is sent', async () => {
  const sent: string[] = []
  const runQuery = coalesceQueue(2, 10, ({ sql }) => {
    sent.push(sql)
    return Promise.resolve([])
  })
  await Promise.all([runQuery(toStatement('a', 'x')), runQuery(toStatement('a', 'x'))])
  expect(sent).toHaveLength(2)
})

test('the same statement of another workspace is queued apart', async () => {
  const { sent, runQuery } = start()
  void runQuery(toStatement('clock', 'x'))
  const answers = ['A', 'B', 'A'].map((workspaceId) => runQuery(toStatement('clock', 'a'), { workspaceId }))
  for (const [at, id] of ['x', 'of A', 'of B'].entries()) {
    await settle()
    sent[at]!.answer([{ id }])
  }
  expect(await Promise.all(answers)).toEqual([[{ id: 'of A' }], [{ id: 'of B' }], [{ id: 'of A' }]])
  expect(sent).toHaveLength(3)
})

test('a rejected statement leaves nothing behind, and a request that shares a queued statement is not rejected', async () => {
  const { sent, runQuery } = start(1)
  void runQuery(toStatement('a', 'x'))
  const waits = runQuery(toStatement('a', 'y'))
  const joins = runQuery(toStatement('a', 'y'))
  await expect(runQuery(toStatement('a', 'z'))).rejects.toThrow('overloaded')
  await settle()
  sent[0]!.answer([])
  await settle()
  const again = runQuery(toStatement('a', 'z'))
  sent[1]!.answer([{ id: 'y' }])
  expect([await waits, await joins]).toEqual([[{ id: 'y' }], [{ id: 'y' }]])
  await settle()
  sent[2]!.answer([{ id: 'z' }])
  expect(await again).toEqual([{ id: 'z' }])
})

test('a shared statement is sent while at least one of its callers is connected', async () => {
  const { sent, runQuery } = start()
  void runQuery(toStatement('list', 'x'))
  const callers = [{ destroyed: false }, { destroyed: false }]
  const [first, second] = callers.map((caller) => runQuery(toStatement('list', 'a'), { caller }))
  const lone = { destroyed: false }
  const alone = runQuery(toStatement('list', 'b'), { caller: lone })
  callers[0]!.destroyed = true
  lone.destroyed = true
  sent[0]!.answer([])
  await settle()
  sent[1]!.answer([{ id: 1 }])
  expect(await Promise.all([first, second])).toEqual([[{ id: 1 }], [{ id: 1 }]])
  await expect(alone).rejects.toThrow('overloaded')
  expect(sent).toHaveLength(2)
})
