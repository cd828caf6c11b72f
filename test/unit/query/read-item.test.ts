import { describe, expect, test, vi } from 'vitest'
import type { QueryContext, Row, Statement } from '../../../src/database/statement.js'
import { Problem } from '../../../src/errors.js'
import { planRecord } from '../../../src/query/record.js'
import { createItemReader } from '../../../src/query/read-item.js'
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
  })
  const ask = (id: string, workspaceId = 'W1', socket = { destroyed: false }): Promise<unknown> =>
    read({ workspaceId, id, plan: planRecord(source, workspaceId, id)!, socket }).then(
      (rows) => (rows === undefined || rows.length === 1 ? rows?.[0]['id'] : rows.map(({ id }) => id)),
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

  test('of different workspaces are never in one statement, and do not wait for each other', () => {
    const { sent, ask } = start()
    for (const workspace of ['W1', 'W2', 'W1', 'W2']) void ask('b', workspace)
    expect(sent.map(({ context }) => [context?.workspaceId, context?.table])).toEqual([
      ['W1', 'invoices'],
      ['W2', 'invoices'],
    ])
  })

  test('are read 64 at a time', async () => {
    const { sent, ask } = start()
    void ask('a')
    for (let at = 0; at < 100; at += 1) void ask(`b${at}`)
    for (let at = 0; at < 3; at += 1) {
      sent[at]!.answer()
      await settle()
    }
    expect(sent.map(({ statement }) => new Set(idsOf(statement)).size)).toEqual([1, 64, 36])
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

  test('beyond the limit of the queue are read by statements of their own', () => {
    for (const [queueLimit, statements] of [
      [0, 3],
      [1, 2],
    ] as const) {
      const { sent, ask } = start(queueLimit)
      for (const id of ['a', 'b', 'c']) void ask(id)
      expect(sent).toHaveLength(statements)
    }
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

test('a record that comes twice has both rows, alone and in a batch', async () => {
  const { sent, ask } = start()
  const [alone, first, second] = [ask('R1'), ask('R1'), ask('R2')]
  sent[0]!.answer('R1', 'R1')
  expect(await alone).toEqual(['R1', 'R1'])
  sent[1]!.answer('R1', 'R2', 'R2')
  expect([await first, await second]).toEqual(['R1', ['R2', 'R2']])
})
