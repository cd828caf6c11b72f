import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestCaller, createWorld } from '../../support/scheduler-world.js'
import type { TestCaller } from '../../support/scheduler-world.js'
import { Problem } from '../../../src/errors.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const overloaded = { code: 'overloaded' }
const own = (name: string, more = {}) => ({ workspaceId: name.charAt(0), ...more })

describe('the queue', () => {
  test('rejects at once what finds no room, and everything without a slot if its limit is 0', async () => {
    const { ask, names } = createWorld({ hosts: [1], queueLimit: 1 })
    void ask('A1')
    void ask('A2')
    await expect(ask('A3')).rejects.toMatchObject(overloaded)
    expect(names()).toEqual(['A1'])
    const none = createWorld({ hosts: [1], queueLimit: 0 })
    void none.ask('A1', { batch: 'b' })
    await expect(none.ask('A2', { batch: 'b' })).rejects.toMatchObject(overloaded)
  })

  test('lets tasks wait although no request may', async () => {
    const { hosts, scheduler } = createWorld({ hosts: [1], queueLimit: 0 })
    const run = (name: string) => scheduler.runTask(hosts[0]!, () => Promise.resolve(name))
    expect(await Promise.all([run('A'), run('B')])).toEqual(['A', 'B'])
  })

  test('gives room to another workspace in place of the newest request of the one that fills it', async () => {
    const { ask, find, names, scheduler } = createWorld({ hosts: [1], queueLimit: 4 })
    for (const name of ['A0', 'A1', 'A2', 'A3']) void ask(name, own(name))
    const newest = expect(ask('A4', own('A'))).rejects.toMatchObject(overloaded)
    await expect(ask('A5', own('A'))).rejects.toMatchObject(overloaded)
    void ask('B0', own('B'))
    await newest
    expect(scheduler.countWaiting()).toBe(4)
    find('A0')!.answer()
    await pass(0)
    expect(names()).toEqual(['B0'])
  })

  test('gives a table four fifths of its room, and another workspace room in it', async () => {
    const { ask, scheduler } = createWorld({ hosts: [1], queueLimit: 5 })
    const locked = { workspaceId: 'A', table: 'locked' }
    for (const name of ['A0', 'A1', 'A2', 'A3']) void ask(name, locked)
    const newest = expect(ask('A4', locked)).rejects.toMatchObject(overloaded)
    void ask('A5', { workspaceId: 'A', table: 'other' })
    void ask('B0', { workspaceId: 'B', table: 'locked' })
    await newest
    expect(scheduler.countWaiting()).toBe(5)
  })
})

describe('the slots', () => {
  test('are all for the only workspace, and at most half while another was active within ten minutes', async () => {
    const { ask, find, names } = createWorld({ hosts: [4], timeoutMs: 10_000_000 })
    for (const name of ['A0', 'A1', 'A2', 'A3', 'A4', 'A5']) void ask(name, own(name))
    expect(names()).toHaveLength(4)
    void ask('B0', own('B'))
    for (const name of ['A0', 'A1', 'A2']) find(name)!.answer()
    await pass(0)
    expect(names()).toEqual(['A3', 'B0', 'A4'])
    find('B0')!.answer()
    await pass(600_000)
    find('A3')!.answer()
    await pass(0)
    void ask('A6', own('A'))
    void ask('A7', own('A'))
    expect(names()).toEqual(['A4', 'A5', 'A6', 'A7'])
  })

  test('leave a fifth to other tables', () => {
    const { ask, names } = createWorld({ hosts: [5] })
    for (const name of ['1', '2', '3', '4', '5', '6']) void ask(name, { table: 'locked' })
    expect(names()).toHaveLength(4)
    void ask('other', { table: 'other' })
    expect(names()).toHaveLength(5)
  })
})

describe('statements that wait', () => {
  test('with the same text and values are sent once, and never shared after they were sent', async () => {
    const { ask, find, sent } = createWorld({ hosts: [1] })
    void ask('first')
    const asked = [ask('a'), ask('a')]
    find('first')!.answer()
    await pass(0)
    const later = ask('a')
    find('a')!.answer([{ at: 1 }])
    expect(await Promise.all(asked)).toEqual([[{ at: 1 }], [{ at: 1 }]])
    find('a')!.answer([{ at: 2 }])
    expect([await later, sent.length]).toEqual([[{ at: 2 }], 3])
  })

  test('are dropped when the last of their callers has left', () => {
    const { ask, scheduler } = createWorld({ hosts: [1] })
    const callers = [createTestCaller(), createTestCaller()]
    void ask('first')
    for (const caller of callers) void ask('a', { caller })
    callers[0]!.end()
    expect(scheduler.countWaiting()).toBe(1)
    callers[1]!.end()
    expect(scheduler.countWaiting()).toBe(0)
  })

  test('of a batch are read together, 64 at a time, after the one before them', async () => {
    const { ask, find, names } = createWorld({ hosts: [4] })
    void ask('first', { batch: 'b' })
    for (let at = 0; at < 70; at += 1) void ask(`r${at}`, { batch: 'b' })
    void ask('other', { batch: 'c' })
    expect(names()).toEqual(['first', 'other'])
    find('first')!.answer()
    await pass(0)
    expect(names()[1]!.split(',')).toHaveLength(64)
    find('r0')!.answer()
    await pass(0)
    expect(names()[1]!.split(',')).toHaveLength(6)
  })

  test('of a batch wait no longer than 20 ms for the one before them', async () => {
    const { ask, names } = createWorld({ hosts: [4] })
    void ask('a', { batch: 'b' })
    void ask('b', { batch: 'b' })
    await pass(19)
    expect(names()).toEqual(['a'])
    await pass(1)
    expect(names()).toEqual(['a', 'b'])
  })

  test('of a batch all fail with the database, and each by itself where the server rejects one of them', async () => {
    const { ask, find } = createWorld({ hosts: [1] })
    void ask('first')
    const lost = [ask('a', { batch: 'b' }), ask('b', { batch: 'b' })]
    find('first')!.answer()
    await pass(0)
    find('a')!.fail(new Problem('database_unavailable', 'away'))
    for (const { status } of await Promise.allSettled(lost)) expect(status).toBe('rejected')
    void ask('second')
    const mixed = [ask('c', { batch: 'b' }), ask('d', { batch: 'b' })]
    find('second')!.answer()
    await pass(0)
    find('c')!.fail(new Error('Cannot convert'))
    await pass(0)
    find('c')!.answer([{ id: 'c' }])
    await pass(0)
    find('d')!.fail(new Error('Cannot convert'))
    expect(await mixed[0]).toEqual([{ id: 'c' }])
    await expect(mixed[1]).rejects.toThrow('Cannot convert')
  })
})

describe('the memory', () => {
  const large = { hosts: [10], bytesMax: 1_000_000 }

  test('of a workspace is half; what does not fit waits until answers have ended, or is overloaded', async () => {
    const { ask, find, names, runs, scheduler } = createWorld(large)
    const callers = [createTestCaller(), createTestCaller(), createTestCaller()]
    for (const [at, caller] of callers.entries()) void ask(`A${at}`, own('A', { caller }))
    for (const name of ['A0', 'A1', 'A2']) find(name)!.arrive(150_000)
    expect(runs.map((run) => run.isPaused())).toEqual([false, false, true])
    find('A0')!.answer()
    await pass(0)
    callers[0]!.end()
    expect(find('A2')!.isPaused()).toBe(false)
    find('A2')!.arrive(60_000)
    for (const name of ['A1', 'A2']) find(name)!.answer()
    await pass(0)
    expect(scheduler.countBytes()).toBe(360_000)
    const late = expect(ask('A3', own('A'))).rejects.toMatchObject(overloaded)
    void ask('B0', own('B'))
    expect(names()).toEqual(['B0'])
    await pass(1001)
    await late
    void ask('A4', own('A'))
    expect(names()).toEqual(['B0'])
    callers[1]!.end()
    expect(names()).toEqual(['B0', 'A4'])
  })

  test('lets the oldest statement go on when it is used up, one result beyond the limit', async () => {
    const { ask, find, scheduler } = createWorld(large)
    const [first, second] = [createTestCaller(), createTestCaller()]
    void ask('A', own('A', { caller: first }))
    void ask('B', own('B', { caller: second }))
    find('A')!.arrive(900_000)
    find('B')!.arrive(400_000)
    expect([find('A')!.isPaused(), find('B')!.isPaused()]).toEqual([false, true])
    find('A')!.answer()
    await pass(0)
    expect(find('B')!.isPaused()).toBe(false)
    find('B')!.arrive(500_000)
    expect(find('B')!.isPaused()).toBe(false)
    find('B')!.answer()
    void ask('C', own('C'))
    await pass(0)
    expect(scheduler.countBytes()).toBe(1_800_000)
    expect(find('C')).toBeUndefined()
    first.end()
    second.end()
    expect(find('C')).toBeDefined()
  })

  test('does not hold a result that is larger than all of it, and says whose it is', async () => {
    const { ask, find, scheduler } = createWorld(large)
    const answer = ask('A', { workspaceId: 'W1', table: 'invoices' })
    find('A')!.arrive(1_000_001)
    await expect(answer).rejects.toMatchObject({
      ...overloaded,
      cause: new Error(
        'A page of invoices for the workspace W1 has more than 1000001 bytes, which is beyond the memory for one',
      ),
    })
    expect(scheduler.countBytes()).toBe(0)
  })

  test('is reserved for pages as large as the last one', async () => {
    const { ask, find, names } = createWorld(large)
    const context = own('A', { table: 'pages' })
    const first = ask('A0', context)
    find('A0')!.arrive(200_000)
    find('A0')!.answer()
    await first
    for (const name of ['A1', 'A2', 'A3']) void ask(name, context)
    expect(names()).toEqual(['A1', 'A2'])
  })

  test('ends a statement that waits for it when its callers have left, or at its time limit', async () => {
    const { ask, find, runs, scheduler } = createWorld(large)
    const caller = createTestCaller()
    for (const name of ['A0', 'A1']) void ask(name, own('A'))
    const left = expect(ask('A2', own('A', { caller }))).rejects.toMatchObject(overloaded)
    const late = expect(ask('A3', own('A'))).rejects.toMatchObject(overloaded)
    for (const name of ['A0', 'A1', 'A2', 'A3']) find(name)!.arrive(240_000)
    caller.end()
    await left
    expect(runs).toHaveLength(3)
    find('A3')!.fail(new Problem('database_unavailable', 'not in time'))
    await late
    for (const name of ['A0', 'A1']) find(name)!.answer()
    await pass(0)
    expect(scheduler.countBytes()).toBe(0)
  })

  test('takes the place of answers that are not read within the time limit, of workspaces that hold more', async () => {
    const { ask, find, names } = createWorld({ ...large, timeoutMs: 100 })
    const callers = [createTestCaller(), createTestCaller(), createTestCaller()] as const
    const answer = async (name: string, bytes: number, caller: TestCaller): Promise<void> => {
      void ask(name, own(name, { caller }))
      find(name)!.arrive(bytes)
      find(name)!.answer()
      await pass(0)
    }
    await answer('A', 500_000, callers[0])
    await answer('B', 460_000, callers[1])
    const early = expect(ask('D', own('D'))).rejects.toMatchObject(overloaded)
    await pass(50)
    void ask('C', own('C', { caller: callers[2] }))
    await pass(50)
    await early
    expect(names()).toEqual([])
    await pass(50)
    expect(names()).toEqual(['C'])
    expect(callers.map(({ wasDropped }) => wasDropped())).toEqual([true, false, false])
  })

  test('counts a large result for each of its callers', async () => {
    const { ask, find, sent } = createWorld({ hosts: [1] })
    void ask('first', own('A'))
    const asked = [ask('A1', own('A')), ask('A1', own('A'))]
    find('first')!.answer()
    await pass(0)
    find('A1')!.arrive(100_000)
    find('A1')!.answer([{ at: 1 }])
    expect(await asked[0]).toEqual([{ at: 1 }])
    await pass(0)
    find('A1')!.answer([{ at: 2 }])
    expect([await asked[1], sent.length]).toEqual([[{ at: 2 }], 3])
  })
})
