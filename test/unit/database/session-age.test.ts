import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startAge } from '../../../src/database/session.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const maxAgeMs = 100_000
const refused = new Error('connect ECONNREFUSED')
const crowded = Object.assign(new Error('Too many connections'), { errno: 1040 })

/** A session that ends at its greatest age, and what happened to it. */
function start(errors: readonly (Error | undefined)[] = []) {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const events: string[] = []
  const left = [...errors]
  let isUsed = false
  const age = startAge(maxAgeMs, {
    isUsed: () => isUsed,
    replace: () => {
      events.push('replace')
      const error = left.shift()
      return error === undefined ? Promise.resolve() : Promise.reject(error)
    },
    retire: () => {
      events.push('retire')
    },
  })
  const use = (): void => {
    isUsed = true
  }
  return { age, events, use }
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

describe('a session at its age', () => {
  test('is closed where it was not used', async () => {
    const { events } = start()
    await pass(maxAgeMs - 1)
    expect(events).toEqual([])
    await pass(1)
    expect(events).toEqual(['retire'])
  })

  test('is closed once another one has taken its place, where it was used', async () => {
    const { events, use } = start()
    use()
    await pass(maxAgeMs)
    expect(events).toEqual(['replace', 'retire'])
  })

  test('stays while no other one can be opened, for as long again', async () => {
    const { events, use } = start(Array.from({ length: 99 }, () => refused))
    use()
    await pass(2 * maxAgeMs - 1)
    expect(new Set(events)).toEqual(new Set(['replace']))
    expect(events).toHaveLength(10)
    await pass(1)
    expect(events.at(-1)).toBe('retire')
    const count = events.length
    await pass(10 * maxAgeMs)
    expect(events).toHaveLength(count)
  })

  test('stays longer where the server has no connection left', async () => {
    const { events, use } = start([...Array.from({ length: 30 }, () => crowded), undefined])
    use()
    await pass(3.9 * maxAgeMs)
    expect(events).not.toContain('retire')
    await pass(0.2 * maxAgeMs)
    expect(events.at(-1)).toBe('retire')
  })

  test('that has ended by itself is left alone', async () => {
    const { age, events, use } = start()
    use()
    age.end()
    await pass(2 * maxAgeMs)
    expect(events).toEqual([])
  })

  test('that ends while its replacement fails is not tried again', async () => {
    let fail: (error: Error) => void = () => undefined
    const replace = vi.fn(() => new Promise<void>((_, reject) => (fail = reject)))
    const age = startAge(maxAgeMs, { isUsed: () => true, replace, retire: () => undefined })
    await pass(maxAgeMs)
    age.end()
    fail(refused)
    await pass(5 * maxAgeMs)
    expect(replace).toHaveBeenCalledTimes(1)
  })
})

test('sessions that were opened together end over a fifth of the greatest age', async () => {
  const ended: number[] = []
  for (let at = 0; at < 100; at += 1)
    startAge(maxAgeMs, {
      isUsed: () => false,
      replace: () => Promise.resolve(),
      retire: () => ended.push(performance.now()),
    })
  const startedAt = performance.now()
  await pass(0.8 * maxAgeMs - 1)
  expect(ended).toEqual([])
  await pass(0.2 * maxAgeMs + 1)
  expect(ended).toHaveLength(100)
  expect(new Set(ended).size).toBeGreaterThan(50)
  expect(Math.max(...ended) - startedAt).toBeLessThanOrEqual(maxAgeMs)
})
