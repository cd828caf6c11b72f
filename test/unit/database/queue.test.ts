import { afterEach, describe, expect, test, vi } from 'vitest'
import type { QueryContext } from '../../../src/database/statement.js'
import { createQueue } from '../../../src/database/queue.js'
import { createTestQueue } from '../../support/queue.js'
import type { TestQueue } from '../../support/queue.js'

interface Bench {
  readonly queue: TestQueue
  /** What has begun, in order. */
  readonly begun: string[]
  readonly run: (name: string, context?: QueryContext) => Promise<string>
  readonly finish: (name: string) => Promise<void>
  readonly fail: (name: string) => Promise<void>
}

/** Lets every step that is already due run. */
async function settle(): Promise<void> {
  await new Promise(setImmediate)
}

function createBench(slots: number, limit: number, waitMs = 60_000): Bench {
  const queue = createTestQueue(slots, limit, waitMs)
  const begun: string[] = []
  const ends = new Map<string, { resolve: (name: string) => void; reject: (error: Error) => void }>()
  return {
    queue,
    begun,
    run: (name, context = {}) =>
      queue.run(context, () => {
        begun.push(name)
        return new Promise((resolve, reject) => ends.set(name, { resolve, reject }))
      }),
    finish: (name) => {
      ends.get(name)?.resolve(name)
      return settle()
    },
    fail: (name) => {
      ends.get(name)?.reject(new Error(`${name} failed`))
      return settle()
    },
  }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a queue', () => {
  test('rejects a task at once when it is full, and runs the others', async () => {
    const { queue, run, begun, finish } = createBench(1, 1)
    const first = run('a')
    const second = run('b')
    await expect(run('c')).rejects.toMatchObject({ code: 'overloaded' })
    expect([queue.active(), queue.size()]).toEqual([1, 1])
    await finish('a')
    await finish('b')
    expect(await Promise.all([first, second])).toEqual(['a', 'b'])
    expect(begun).toEqual(['a', 'b'])
  })

  test('rejects every task without a slot if its limit is 0', async () => {
    const { run, finish } = createBench(1, 0)
    const first = run('a')
    await expect(run('b')).rejects.toMatchObject({ code: 'overloaded' })
    await finish('a')
    await first
    const third = run('c')
    await settle()
    await finish('c')
    expect(await third).toBe('c')
  })

  test('gives a free slot to a task in the queue before a new one', async () => {
    const { run, begun, finish } = createBench(1, 10)
    const first = run('a')
    const second = run('b')
    await settle()
    const ending = finish('a')
    const newcomer = run('new')
    await ending
    expect(begun).toEqual(['a', 'b'])
    await finish('b')
    await finish('new')
    await Promise.all([first, second, newcomer])
    expect(begun).toEqual(['a', 'b', 'new'])
  })

  test('frees the slot of a task that failed', async () => {
    const { queue, run, begun, fail, finish } = createBench(1, 10)
    const first = expect(run('a')).rejects.toThrow('a failed')
    const second = run('b')
    await settle()
    await fail('a')
    await first
    expect(begun).toEqual(['a', 'b'])
    await finish('b')
    await second
    expect(queue.active()).toBe(0)
  })

  test('rejects a task that stays for too long, and runs the others as before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { queue, run, begun, finish } = createBench(1, 10, 100)
    const first = run('a')
    const second = expect(run('b')).rejects.toMatchObject({ code: 'database_unavailable' })
    await vi.advanceTimersByTimeAsync(60)
    const third = run('c')
    await vi.advanceTimersByTimeAsync(60)
    await second
    expect([queue.active(), queue.size()]).toEqual([1, 1])
    await finish('a')
    // A task that runs has no time limit here.
    await vi.advanceTimersByTimeAsync(200)
    await finish('c')
    expect(await Promise.all([first, third])).toEqual(['a', 'c'])
    expect(begun).toEqual(['a', 'c'])
    expect([queue.active(), queue.size()]).toEqual([0, 0])
  })

  test('gives one table at most four fifths of the slots', async () => {
    const { queue, run, begun, finish } = createBench(5, 10)
    const about = { table: 'locked' }
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => run(name, about))
    await settle()
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    const other = run('f', { table: 'other' })
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'f'])
    // The slot of the other task is not for tasks of the table.
    await finish('f')
    expect([await other, queue.active(), queue.size()]).toEqual(['f', 4, 1])
    for (const name of ['a', 'b', 'c', 'd']) await finish(name)
    await finish('e')
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('gives one table at most four fifths of its entries', async () => {
    const { run, finish } = createBench(1, 5)
    const about = { table: 'locked' }
    const first = run('a', about)
    const waiting = ['b', 'c', 'd', 'e'].map((name) => run(name, about))
    await expect(run('f', about)).rejects.toMatchObject({ code: 'overloaded' })
    const other = run('g', { table: 'other' })
    for (const name of ['a', 'b', 'c', 'd', 'e', 'g']) await finish(name)
    expect(await Promise.all([first, ...waiting, other])).toEqual(['a', 'b', 'c', 'd', 'e', 'g'])
  })

  test('rejects the tasks of disconnected callers, and gives their room to others', async () => {
    const { queue, run, begun, finish } = createBench(1, 2)
    const first = run('a')
    const gone = { destroyed: false }
    const left = [run('b', { socket: gone }), run('c', { socket: gone })].map((one) =>
      expect(one).rejects.toMatchObject({ code: 'overloaded' }),
    )
    gone.destroyed = true
    const next = run('d', { socket: { destroyed: false } })
    expect(queue.size()).toBe(1)
    await Promise.all(left)
    const late = { destroyed: false }
    const latest = expect(run('e', { socket: late })).rejects.toMatchObject({ code: 'overloaded' })
    late.destroyed = true
    await finish('a')
    await finish('d')
    await latest
    expect(await Promise.all([first, next])).toEqual(['a', 'd'])
    expect(begun).toEqual(['a', 'd'])
    expect([queue.active(), queue.size()]).toEqual([0, 0])
  })

  test('runs a task that ran before first, even if the queue is full', async () => {
    const queue = createTestQueue(1, 1)
    const begun: string[] = []
    const begin = (name: string) => (): Promise<void> => {
      begun.push(name)
      return Promise.resolve()
    }
    const first = queue.run({}, settle)
    const second = queue.run({}, begin('second'))
    const again = queue.runNext({}, begin('again'))
    await Promise.all([first, second, again])
    expect(begun).toEqual(['again', 'second'])
  })

  test('limits the time of each task by itself, whatever its position', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const queue = createTestQueue(1, 10, 100)
    void queue.run({}, () => new Promise(() => undefined))
    const second = expect(queue.run({}, settle)).rejects.toMatchObject({ code: 'database_unavailable' })
    await vi.advanceTimersByTimeAsync(60)
    let isOver = false
    const first = queue.runNext({}, settle).catch(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(60)
    await second
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(60)
    await first
    expect([isOver, queue.size()]).toEqual([true, 0])
  })

  test('skips tasks that have no slot, and runs them when one becomes free', async () => {
    const suited = new Set(['b'])
    const begun: string[] = []
    const queue = createQueue<true, { readonly table: string }>({
      slots: {
        take: ({ table }) => (suited.has(table) ? true : undefined),
        giveBack: () => undefined,
        isFull: () => false,
        countHeld: () => 0,
      },
      limit: 10,
      waitMs: 60_000,
    })
    const run = (table: string): Promise<void> =>
      queue.run({ table }, () => {
        begun.push(table)
        return Promise.resolve()
      })
    const all = [run('a'), run('c')]
    await run('b')
    expect(begun).toEqual(['b'])
    suited.add('c').add('a')
    queue.startQueued()
    await Promise.all(all)
    expect(begun).toEqual(['b', 'a', 'c'])
  })
})
