import { expect, test } from 'vitest'
import { coalesceWaiting } from '../../../src/database/coalesce-waiting.js'
import { isDisconnected } from '../../../src/database/statement.js'
import type { ClientSocket, Row } from '../../../src/database/statement.js'

interface Sent {
  readonly socket: ClientSocket | undefined
  /** Takes the statement out of the queue. */
  readonly start: () => void
  readonly answer: (rows: readonly Row[]) => void
  readonly fail: (error: unknown) => void
}

/** A queue whose statements start and end when the test says so. */
function createLine() {
  const sent: Sent[] = []
  const run = coalesceWaiting(
    (_statement, { socket, onSent }) =>
      new Promise((resolve, reject) => {
        sent.push({ socket, start: () => onSent?.(), answer: resolve, fail: reject })
      }),
  )
  const ask = (value: string, socket?: ClientSocket): Promise<readonly Row[]> =>
    run({ sql: 'select ?', values: [value] }, { socket })
  return { sent, ask }
}

test('those who ask for the same share a statement until it leaves the queue', async () => {
  const { sent, ask } = createLine()
  const asked = [ask('a'), ask('b'), ask('a')]
  expect(sent).toHaveLength(2)
  sent[0]!.start()
  const later = ask('a')
  expect(sent).toHaveLength(3)
  for (const [at, { answer }] of sent.entries()) answer([{ at }])
  expect(await Promise.all([...asked, later])).toEqual([[{ at: 0 }], [{ at: 1 }], [{ at: 0 }], [{ at: 2 }]])
})

test('a statement that does not wait is never shared', () => {
  const seen: string[] = []
  const run = coalesceWaiting((statement, { onSent }) => {
    onSent?.()
    seen.push(statement.sql)
    return new Promise(() => undefined)
  })
  for (let at = 0; at < 3; at += 1) void run({ sql: 'select 1', values: [] })
  expect(seen).toHaveLength(3)
})

test('a statement that the queue rejects fails for all who share it; later ones are sent again', async () => {
  const { sent, ask } = createLine()
  const asked = [ask('a'), ask('a')]
  sent[0]!.fail(new Error('full'))
  for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected')
  void ask('a')
  expect(sent).toHaveLength(2)
})

test('a shared statement is dropped when the last client has disconnected', () => {
  const { sent, ask } = createLine()
  const [first, second] = [{ destroyed: false }, { destroyed: false }]
  void ask('a', first)
  void ask('a', second)
  first.destroyed = true
  expect(isDisconnected(sent[0]!.socket)).toBe(false)
  second.destroyed = true
  expect(isDisconnected(sent[0]!.socket)).toBe(true)
})
