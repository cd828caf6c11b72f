import { describe, expect, test, vi } from 'vitest'
import type { QueryContext, Row, Statement } from '../../../src/database/statement.js'
import { Problem } from '../../../src/errors.js'
import { planItem } from '../../../src/query/item-sql.js'
import { createItemReader } from '../../../src/query/batching.js'
import { resolvePlain } from '../../support/plain-mapping.js'

const { table: source } = resolvePlain().invoices

interface Sent {
  readonly context: QueryContext | undefined
  readonly statement: Statement
  readonly answer: (...ids: readonly string[]) => void
  readonly fail: (error: unknown) => void
}

/** A reader over a database that answers when the test says so. */
function start(queueLimit = 1000) {
  const sent: Sent[] = []
  const read = createItemReader({
    runQuery: (statement, context) =>
      new Promise<readonly Row[]>((resolve, reject) => {
        const answer = (...ids: readonly string[]): void => {
          resolve(ids.map((id) => ({ id })))
        }
        sent.push({ statement, context, answer, fail: reject })
      }),
    bindQuery: undefined,
    queueLimit,
    createOverloaded: () => new Problem('overloaded', 'full'),
  })
  const ask = (id: string, workspaceId = 'W1', caller = { destroyed: false }): Promise<unknown> =>
    read({ workspaceId, id, plan: planItem(source, workspaceId, id)!, caller }).then(
      (row) => row?.['id'],
      (error: unknown) => error,
    )
  return { sent, ask }
}

/** Resolves after the promises that are settled now. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const idsOf = ({ values }: Statement): readonly unknown[] =>
  values.filter((value) => typeof value === 'string' && /^[a-z]\d*$/.test(value))

describe('single records', () => {
  test('are sent at once when no statement is running', () => {
    const { sent, ask } = start()
    void ask('a')
    expect(sent).toHaveLength(1)
    expect(sent[0]!.statement.sql).toContain('where `id` = ? and')
  })

  test('are all sent at once where none may wait', () => {
    const { sent, ask } = start(0)
    for (const id of ['a', 'b', 'c']) void ask(id)
    expect(sent).toHaveLength(3)
  })

  test('that arrive while a statement runs are read by one statement, each answered with its own row', async () => {
    const { sent, ask } = start()
    const first = ask('a')
    const others = ['b', 'c', 'd', 'b'].map((id) => ask(id))
    expect(sent).toHaveLength(1)
    sent[0]!.answer('a')
    expect(await first).toBe('a')
    expect(sent).toHaveLength(2)
    expect(sent[1]!.statement.sql).toContain('where `id` in (?, ?, ?, ?) and `workspace_id` = ?')
    expect(sent[1]!.statement.values).toEqual(['b', 'c', 'd', 'b', 'W1', 'W1'])
    sent[1]!.answer('d', 'b')
    expect(await Promise.all(others)).toEqual(['b', undefined, 'd', 'b'])
  })

  test('are never added to a statement that was sent before they arrived', async () => {
    const { sent, ask } = start()
    void ask('a')
    const before = ask('b')
    sent[0]!.answer('a')
    await settle()
    const after = ask('b')
    sent[1]!.answer('b')
    expect(await before).toBe('b')
    await settle()
    expect(sent).toHaveLength(3)
    sent[2]!.answer('b')
    expect(await after).toBe('b')
  })

  test('of different workspaces are never in one statement', async () => {
    const { sent, ask } = start()
    void ask('a', 'W1')
    for (const workspace of ['W2', 'W1', 'W2']) void ask('b', workspace)
    for (let at = 0; at < 3; at += 1) {
      sent[at]!.answer()
      await settle()
    }
    const workspaces = sent.map(({ statement }) =>
      statement.values.filter((value) => value === 'W1' || value === 'W2'),
    )
    expect(workspaces).toEqual([
      ['W1', 'W1'],
      ['W2', 'W2'],
      ['W1', 'W1'],
    ])
  })

  test('are read 64 at a time, and workspaces take turns', async () => {
    const { sent, ask } = start()
    void ask('a')
    for (let at = 0; at < 100; at += 1) void ask(`b${at}`)
    void ask('c', 'W2')
    for (let at = 0; at < 4; at += 1) {
      sent[at]!.answer()
      await settle()
    }
    expect(sent.map(({ statement }) => new Set(idsOf(statement)).size)).toEqual([1, 64, 1, 36])
  })

  test('are shown only where the stored id is the same text, whatever rows the collation gave', async () => {
    const { sent, ask } = start()
    void ask('x')
    const asked = [ask('a'), ask('b')]
    sent[0]!.answer()
    await settle()
    sent[1]!.answer('A', 'a ', 'B', 'b')
    expect(await Promise.all(asked)).toEqual([undefined, 'b'])
  })

  test('beyond the limit of the queue are rejected', async () => {
    const { ask } = start(1)
    void ask('a')
    void ask('b')
    expect(await ask('c')).toMatchObject({ code: 'overloaded' })
  })

  test('beyond the limit take the place of a request of a workspace that has more', async () => {
    const { sent, ask } = start(2)
    void ask('a')
    const kept = ask('b')
    const newest = ask('c')
    const other = ask('d', 'W2')
    expect(await newest).toMatchObject({ code: 'overloaded' })
    expect(await ask('e', 'W2')).toMatchObject({ code: 'overloaded' })
    for (const [at, id] of ['a', 'b', 'd'].entries()) {
      sent[at]!.answer(id)
      await settle()
    }
    expect([await kept, await other]).toEqual(['b', 'd'])
  })

  test('count for their workspace, alone and in a batch', async () => {
    const { sent, ask } = start()
    void ask('a', 'W1')
    for (const id of ['b', 'c']) void ask(id, 'W2')
    sent[0]!.answer('a')
    await settle()
    expect(sent.map(({ context }) => [context?.workspaceId, context?.table])).toEqual([
      ['W1', 'invoices'],
      ['W2', 'invoices'],
    ])
  })

  test('of disconnected callers are not read, and make room for others', async () => {
    const { sent, ask } = start(2)
    void ask('a')
    const gone = { destroyed: false }
    const left = [ask('b', 'W1', gone), ask('c', 'W2', gone)]
    gone.destroyed = true
    const next = ask('d', 'W2')
    for (const error of await Promise.all(left)) expect(error).toMatchObject({ code: 'overloaded' })
    const late = { destroyed: false }
    const latest = ask('e', 'W1', late)
    late.destroyed = true
    sent[0]!.answer('a')
    await settle()
    sent[1]!.answer('d')
    expect(await next).toBe('d')
    await settle()
    expect(await latest).toMatchObject({ code: 'overloaded' })
    expect(sent).toHaveLength(2)
  })

  test('all fail with the database, and one by one where a statement cannot be run', async () => {
    const { sent, ask } = start()
    void ask('x')
    const unlucky = [ask('a'), ask('b')]
    sent[0]!.answer()
    await settle()
    sent[1]!.fail(new Problem('database_unavailable', 'away'))
    for (const error of await Promise.all(unlucky))
      expect(error).toMatchObject({ code: 'database_unavailable' })
    await settle()
    void ask('y')
    const mixed = [ask('c'), ask('d')]
    sent[2]!.answer()
    await settle()
    sent[3]!.fail(new Error('Cannot convert'))
    await settle()
    sent[4]!.answer('c')
    sent[5]!.fail(new Error('Cannot convert'))
    expect(await mixed[0]).toBe('c')
    expect(await mixed[1]).toBeInstanceOf(Error)
  })

  test('wait no longer than 20 ms for a statement that hangs', async () => {
    vi.useFakeTimers()
    try {
      const { sent, ask } = start()
      void ask('a')
      const other = ask('b')
      await vi.advanceTimersByTimeAsync(19)
      expect(sent).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(sent).toHaveLength(2)
      sent[1]!.answer('b')
      expect(await other).toBe('b')
    } finally {
      vi.useRealTimers()
    }
  })
})

test('a record that comes twice is an error, and never one of the two', async () => {
  const { sent, ask } = start()
  const [alone, first, second] = [ask('R1'), ask('R1'), ask('R2')]
  sent[0]!.answer('R1', 'R1')
  expect(await alone).toMatchObject({ code: 'database_unavailable' })
  sent[1]!.answer('R1', 'R2', 'R2')
  expect(await first).toMatchObject({ code: 'database_unavailable' })
  expect(await second).toMatchObject({ code: 'database_unavailable' })
})
