import { afterEach, describe, expect, test, vi } from 'vitest'
import { createWaitingLine } from '../../../src/db/waiting-line.js'
import type { WaitingLine } from '../../../src/db/waiting-line.js'

interface Bench {
  readonly line: WaitingLine
  /** What has begun, in order. */
  readonly begun: string[]
  readonly run: (name: string) => Promise<string>
  readonly finish: (name: string) => Promise<void>
  readonly fail: (name: string) => Promise<void>
}

/** Lets every step that is already due run. */
async function settle(): Promise<void> {
  await new Promise(setImmediate)
}

function createBench(places: number, limit: number, waitMs = 60_000): Bench {
  const line = createWaitingLine({
    places,
    limit,
    refuse: () => new Error('full'),
    waitMs,
    giveUp: () => new Error('in vain'),
  })
  const begun: string[] = []
  const ends = new Map<string, { resolve: (name: string) => void; reject: (error: Error) => void }>()
  return {
    line,
    begun,
    run: (name) =>
      line.run(() => {
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

describe('a waiting line', () => {
  test('runs no more tasks at once than it has places', async () => {
    const { line, run, begun, finish } = createBench(2, 10)
    const all = Promise.all(['a', 'b', 'c', 'd'].map(run))
    await settle()
    expect(begun).toEqual(['a', 'b'])
    expect([line.active(), line.waiting()]).toEqual([2, 2])
    await finish('b')
    expect(begun).toEqual(['a', 'b', 'c'])
    expect([line.active(), line.waiting()]).toEqual([2, 1])
    for (const name of ['a', 'c']) await finish(name)
    await finish('d')
    expect(await all).toEqual(['a', 'b', 'c', 'd'])
    expect([line.active(), line.waiting()]).toEqual([0, 0])
  })

  test('serves those who wait in the order in which they came', async () => {
    const { run, begun, finish } = createBench(1, 10)
    const all = Promise.all(['a', 'b', 'c', 'd'].map(run))
    for (const name of ['a', 'b', 'c', 'd']) {
      await settle()
      await finish(name)
    }
    await all
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  test('refuses one too many at once, and goes on for the others', async () => {
    const { line, run, begun, finish } = createBench(1, 1)
    const first = run('a')
    const second = run('b')
    await expect(run('c')).rejects.toThrow('full')
    expect([line.active(), line.waiting()]).toEqual([1, 1])
    await finish('a')
    await finish('b')
    expect(await Promise.all([first, second])).toEqual(['a', 'b'])
    expect(begun).toEqual(['a', 'b'])
  })

  test('refuses everyone beyond its places where none may wait', async () => {
    const { run, finish } = createBench(1, 0)
    const first = run('a')
    await expect(run('b')).rejects.toThrow('full')
    await finish('a')
    await first
    const third = run('c')
    await settle()
    await finish('c')
    expect(await third).toBe('c')
  })

  test('gives a free place to who waits, never to a newcomer', async () => {
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

  test('frees the place of a task that failed', async () => {
    const { line, run, begun, fail, finish } = createBench(1, 10)
    const first = expect(run('a')).rejects.toThrow('a failed')
    const second = run('b')
    await settle()
    await fail('a')
    await first
    expect(begun).toEqual(['a', 'b'])
    await finish('b')
    await second
    expect(line.active()).toBe(0)
  })

  test('frees the place of a task that failed before it began to wait', async () => {
    const { line } = createBench(1, 0)
    const broken = line.run(() => {
      throw new Error('at once')
    })
    await expect(broken).rejects.toThrow('at once')
    expect(line.active()).toBe(0)
  })

  test('lets nobody wait for longer than is allowed, and serves the others as before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const { line, run, begun, finish } = createBench(1, 10, 100)
    const first = run('a')
    const second = expect(run('b')).rejects.toThrow('in vain')
    await vi.advanceTimersByTimeAsync(60)
    const third = run('c')
    await vi.advanceTimersByTimeAsync(60)
    await second
    expect([line.active(), line.waiting()]).toEqual([1, 1])
    await finish('a')
    // Who has a place is hurried by nobody.
    await vi.advanceTimersByTimeAsync(200)
    await finish('c')
    expect(await Promise.all([first, third])).toEqual(['a', 'c'])
    expect(begun).toEqual(['a', 'c'])
    expect([line.active(), line.waiting()]).toEqual([0, 0])
  })
})
