import { afterEach, describe, expect, test, vi } from 'vitest'
import type { QueryContext } from '../../../src/database/statement.js'
import { createWaitingLine } from '../../../src/database/waiting-line.js'
import { createPlainLine } from '../../support/places.js'
import type { PlainLine } from '../../support/places.js'

interface Bench {
  readonly line: PlainLine
  /** What has begun, in order. */
  readonly begun: string[]
  readonly run: (name: string, claim?: QueryContext) => Promise<string>
  readonly finish: (name: string) => Promise<void>
  readonly fail: (name: string) => Promise<void>
}

/** Lets every step that is already due run. */
async function settle(): Promise<void> {
  await new Promise(setImmediate)
}

function createBench(places: number, limit: number, waitMs = 60_000): Bench {
  const line = createPlainLine(places, limit, waitMs)
  const begun: string[] = []
  const ends = new Map<string, { resolve: (name: string) => void; reject: (error: Error) => void }>()
  return {
    line,
    begun,
    run: (name, claim = {}) =>
      line.run(claim, () => {
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
    const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => run(name)))
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
    const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => run(name)))
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
    const broken = line.run({}, () => {
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

  test('lets nothing about one table take more than four fifths of its places', async () => {
    const { line, run, begun, finish } = createBench(5, 10)
    const about = { table: 'locked' }
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => run(name, about))
    await settle()
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    expect([line.hasRoom(about), line.hasRoom({ table: 'other' })]).toEqual([false, true])
    const other = run('f', { table: 'other' })
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'f'])
    // The place of the other is not for those who wait for the table.
    await finish('f')
    expect([await other, line.active(), line.waiting()]).toEqual(['f', 4, 1])
    for (const name of ['a', 'b', 'c', 'd']) await finish(name)
    await finish('e')
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('lets nothing about one table take more than four fifths of its line', async () => {
    const { run, finish } = createBench(1, 5)
    const about = { table: 'locked' }
    const first = run('a', about)
    const waiting = ['b', 'c', 'd', 'e'].map((name) => run(name, about))
    await expect(run('f', about)).rejects.toThrow('full')
    const other = run('g', { table: 'other' })
    for (const name of ['a', 'b', 'c', 'd', 'e', 'g']) await finish(name)
    expect(await Promise.all([first, ...waiting, other])).toEqual(['a', 'b', 'c', 'd', 'e', 'g'])
  })

  test('passes over those who are gone, and gives their room to others', async () => {
    const { line, run, begun, finish } = createBench(1, 2)
    const first = run('a')
    const gone = { destroyed: false }
    const left = [run('b', { caller: gone }), run('c', { caller: gone })].map((one) =>
      expect(one).rejects.toThrow('full'),
    )
    gone.destroyed = true
    const next = run('d', { caller: { destroyed: false } })
    expect(line.waiting()).toBe(1)
    await Promise.all(left)
    const late = { destroyed: false }
    const latest = expect(run('e', { caller: late })).rejects.toThrow('full')
    late.destroyed = true
    await finish('a')
    await finish('d')
    await latest
    expect(await Promise.all([first, next])).toEqual(['a', 'd'])
    expect(begun).toEqual(['a', 'd'])
    expect([line.active(), line.waiting()]).toEqual([0, 0])
  })

  test('serves who had a place before anybody else, even where the line is full', async () => {
    const line = createPlainLine(1, 1)
    const begun: string[] = []
    const begin = (name: string) => (): Promise<void> => {
      begun.push(name)
      return Promise.resolve()
    }
    const first = line.run({}, settle)
    const second = line.run({}, begin('second'))
    const again = line.runNext({}, begin('again'))
    await Promise.all([first, second, again])
    expect(begun).toEqual(['again', 'second'])
  })

  test('lets one who came later to the front wait no longer, and hurries nobody behind it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const line = createPlainLine(1, 10, 100)
    void line.run({}, () => new Promise(() => undefined))
    const second = expect(line.run({}, settle)).rejects.toThrow('in vain')
    await vi.advanceTimersByTimeAsync(60)
    let isOver = false
    const first = line.runNext({}, settle).catch(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(60)
    await second
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(60)
    await first
    expect([isOver, line.waiting()]).toEqual([true, 0])
  })

  test('passes over whom a place does not suit, and hands out what turns out to suit', async () => {
    const suited = new Set(['b'])
    const begun: string[] = []
    const line = createWaitingLine<true, { readonly table: string }>({
      places: {
        take: ({ table }) => (suited.has(table) ? true : undefined),
        giveBack: () => undefined,
        hasRoom: ({ table }) => suited.has(table),
        isFull: () => false,
        countHeld: () => 0,
      },
      limit: 10,
      refuse: () => new Error('full'),
      waitMs: 60_000,
      giveUp: () => new Error('in vain'),
    })
    const run = (table: string): Promise<void> =>
      line.run({ table }, () => {
        begun.push(table)
        return Promise.resolve()
      })
    const all = [run('a'), run('c')]
    await run('b')
    expect(begun).toEqual(['b'])
    suited.add('c').add('a')
    line.admit()
    await Promise.all(all)
    expect(begun).toEqual(['b', 'a', 'c'])
  })
})
