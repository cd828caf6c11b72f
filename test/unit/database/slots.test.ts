import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Slots } from '../../../src/database/slots.js'
import type { QueryContext } from '../../../src/database/statement.js'
import { createTestCaller } from '../../support/scheduler-world.js'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

const overloaded = { code: 'overloaded' }

/** Slots, and statements that run until they are answered. */
function createWorld(limits: Partial<ConstructorParameters<typeof Slots>[0]> = {}) {
  let nowMs = 0
  const clock = (): number => nowMs
  const slots = new Slots({ size: 1, queueLimit: 100, waitMs: 1000, bytesMax: 1000, clock, ...limits })
  const running = new Map<string, () => void>()
  const ask = (name: string, context: QueryContext = {}): Promise<string> =>
    new Promise((resolve, reject) => {
      const run = (onEnd: () => void): void => {
        running.set(name, () => {
          running.delete(name)
          onEnd()
          resolve(name)
        })
      }
      slots.run({ workspaceId: name.charAt(0), ...context }, run, reject)
    })
  const answer = async (name: string): Promise<void> => {
    running.get(name)!()
    await vi.advanceTimersByTimeAsync(0)
  }
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { slots, ask, answer, pass, names: () => [...running.keys()] }
}

test('a free slot goes to the workspace that holds the fewest, in the order of its requests', async () => {
  const { ask, answer, names } = createWorld({ size: 2 })
  for (const name of ['A1', 'A2', 'A3', 'A4', 'B1', 'B2']) void ask(name)
  await vi.advanceTimersByTimeAsync(0)
  await answer('A1')
  expect(names()).toEqual(['A2', 'B1'])
  await answer('A2')
  expect(names()).toEqual(['B1', 'A3'])
})

test('a request that waited longer gives way to a workspace that holds fewer', async () => {
  const { ask, answer, names } = createWorld({ size: 4 })
  for (const name of ['A1', 'A2', 'B1', 'C1', 'B2', 'D1']) void ask(name)
  await answer('A1')
  expect(names()).toEqual(['A2', 'B1', 'C1', 'D1'])
})

test('half of the slots stay free for other workspaces while they ask, and no longer', async () => {
  const { ask, answer, names, pass } = createWorld({ size: 4 })
  void ask('B0')
  await answer('B0')
  for (const name of ['A1', 'A2', 'A3', 'A4']) void ask(name)
  expect(names()).toEqual(['A1', 'A2'])
  void ask('B1')
  expect(names()).toEqual(['A1', 'A2', 'B1'])
  await answer('B1')
  expect(names()).toEqual(['A1', 'A2'])
  pass(1000)
  await answer('A1')
  expect(names()).toEqual(['A2', 'A3', 'A4'])
})

test('what waits too long is database_unavailable, and what finds no room is overloaded at once', async () => {
  const { ask } = createWorld({ queueLimit: 1 })
  void ask('A1')
  const late = expect(ask('A2')).rejects.toMatchObject({ code: 'database_unavailable' })
  await expect(ask('A3')).rejects.toMatchObject(overloaded)
  await vi.advanceTimersByTimeAsync(1000)
  await late
})

test('a full queue gives room to another workspace in place of the newest request of the largest', async () => {
  const { ask, slots } = createWorld({ queueLimit: 3 })
  for (const name of ['A0', 'A1', 'A2']) void ask(name)
  const newest = expect(ask('A3')).rejects.toMatchObject(overloaded)
  void ask('B0')
  await newest
  expect(slots.measure().waiting).toBe(3)
})

test('a table that is locked leaves a tenth of the slots to the others, rounded up', () => {
  const { ask, names } = createWorld({ size: 15 })
  for (const name of 'ABCDEFGHIJKLMN') void ask(name, { table: 'locked' })
  void ask('O', { table: 'other' })
  expect(names().join('')).toBe('ABCDEFGHIJKLMO')
})

test('a caller who leaves while it waits takes no room and no slot, and is not counted', async () => {
  const { ask, answer, names, slots } = createWorld({ queueLimit: 1 })
  const callers = [createTestCaller(), createTestCaller(), createTestCaller()] as const
  const leave = async (at: 0 | 1 | 2): Promise<void> => {
    dropped.push(expect(ask('left', { caller: callers[at] })).rejects.toMatchObject(overloaded))
    callers[at].end()
    await vi.advanceTimersByTimeAsync(0)
  }
  const dropped: Promise<void>[] = []
  void ask('A1')
  await leave(0)
  expect(slots.measure().waiting).toBe(0)
  await leave(1)
  void ask('A3')
  await answer('A1')
  expect(names()).toEqual(['A3'])
  await leave(2)
  await answer('A3')
  expect(names()).toEqual([])
  await Promise.all(dropped)
  await expect(ask('A4', { caller: callers[0] })).rejects.toMatchObject(overloaded)
})

test('a workspace whose answers were not sent waits, and leaves room for the pages of all others', async () => {
  const { ask, names, slots } = createWorld({ size: 5, bytesMax: 1000 })
  const caller = createTestCaller()
  slots.hold(500, 'A', caller.onEnd)
  for (const name of ['A1', 'B1']) void ask(name)
  void ask('key', { workspaceId: undefined })
  expect(names()).toEqual(['B1', 'key'])
  slots.hold(250, 'B', caller.onEnd)
  for (const name of ['B2', 'C1']) void ask(name)
  expect(names()).toEqual(['B1', 'key', 'C1'])
  slots.hold(250, 'C', caller.onEnd)
  void ask('D1')
  expect(names()).toEqual(['B1', 'key', 'C1'])
  caller.end()
  await vi.advanceTimersByTimeAsync(0)
  expect(names()).toEqual(['B1', 'key', 'C1', 'A1', 'D1'])
})
