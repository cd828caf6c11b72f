import { describe, expect, test } from 'vitest'
import { createKeyCache } from '../../../src/keys/key-cache.js'
import type { KeyCache } from '../../../src/keys/key-cache.js'

interface Row {
  readonly name: string
}

/** A lookup that the test answers when it likes. */
interface Asked {
  readonly hash: string
  readonly answer: (row: Row | null) => void
  readonly fail: (error: Error) => void
}

interface Bench {
  readonly cache: KeyCache<Row>
  readonly asked: Asked[]
  readonly passMs: (ms: number) => void
}

/** A cache whose clock and lookups the test holds. */
function createBench(options: { max?: number; ttlMs?: number } = {}): Bench {
  let now = 1000
  const asked: Asked[] = []
  const cache = createKeyCache<Row>({
    max: options.max ?? 100,
    ttlMs: options.ttlMs ?? 30_000,
    clock: () => now,
    lookup: (hash) =>
      new Promise((resolve, reject) => {
        asked.push({ hash, answer: resolve, fail: reject })
      }),
  })
  return {
    cache,
    asked,
    passMs: (ms) => {
      now += ms
    },
  }
}

/** Gets a key whose lookup, where there is one, brings this row at once. */
async function getWith({ cache, asked }: Bench, hash: string, row: Row | null): Promise<Row | null> {
  const before = asked.length
  const got = cache.get(hash)
  if (asked.length > before) asked.at(-1)?.answer(row)
  return got
}

const anna: Row = { name: 'anna' }

describe('a known key', () => {
  test('is looked up again after its greatest age', async () => {
    const bench = createBench()
    await getWith(bench, 'a', anna)
    bench.passMs(30_001)
    expect(await getWith(bench, 'a', null)).toBeNull()
    expect(bench.asked).toHaveLength(2)
  })

  test('ages from the start of its lookup, not from its end', async () => {
    const bench = createBench()
    const got = bench.cache.get('a')
    bench.passMs(20_000)
    bench.asked[0]?.answer(anna)
    await got
    bench.passMs(10_001)
    expect(await getWith(bench, 'a', null)).toBeNull()
  })
})

describe('a lookup in progress', () => {
  test('cannot return a key that was revoked since it began', async () => {
    const bench = createBench()
    const early = bench.cache.get('a')
    bench.passMs(30_001)
    const late = bench.cache.get('a')
    bench.asked[1]?.answer(null)
    expect(await late).toBeNull()
    bench.asked[0]?.answer(anna)
    await early
    expect(await getWith(bench, 'a', null)).toBeNull()
  })

  test('that exceeds the greatest age before it ends is repeated', async () => {
    const bench = createBench()
    const first = bench.cache.get('a')
    bench.passMs(1)
    const joined = bench.cache.get('a')
    expect(bench.asked).toHaveLength(1)
    bench.passMs(30_000)
    bench.asked[0]?.answer(anna)
    await first
    // Lets the one who joined see how old the answer is.
    await new Promise(setImmediate)
    expect(bench.asked).toHaveLength(2)
    bench.asked[1]?.answer(null)
    expect(await joined).toBeNull()
  })
})

describe('an unknown key', () => {
  test('is cached as unknown for at most five seconds', async () => {
    const bench = createBench()
    await getWith(bench, 'a', null)
    bench.passMs(4999)
    expect(await bench.cache.get('a')).toBeNull()
    expect(bench.asked).toHaveLength(1)
    bench.passMs(2)
    expect(await getWith(bench, 'a', anna)).toBe(anna)
  })

  test('evicts no known key, however many are sent', async () => {
    const bench = createBench({ max: 3 })
    await getWith(bench, 'a', anna)
    for (let at = 0; at < 50; at += 1) await getWith(bench, `random ${at}`, null)
    expect(await bench.cache.get('a')).toBe(anna)
    expect(bench.cache.measure()).toEqual({ known: 1, unknown: 3 })
  })
})

describe('a row beyond its greatest age', () => {
  test('is recalled until the key is unknown, also at a greatest age of 0', async () => {
    for (const ttlMs of [0, 1000]) {
      const bench = createBench({ ttlMs })
      expect(bench.cache.recall('a')).toBeUndefined()
      await getWith(bench, 'a', anna)
      bench.passMs(100_000)
      expect([bench.cache.find('a'), bench.cache.recall('a')]).toEqual([undefined, anna])
      await getWith(bench, 'a', null)
      expect(bench.cache.recall('a')).toBeUndefined()
    }
  })
})

describe('a lookup that is not admitted', () => {
  test('does not begin, and one in progress is shared without admission', async () => {
    const bench = createBench()
    const refuse = (): void => {
      throw new Error('not now')
    }
    await expect(bench.cache.get('a', refuse)).rejects.toThrow('not now')
    expect(bench.asked).toHaveLength(0)
    const first = bench.cache.get('a')
    const joined = bench.cache.get('a', refuse)
    bench.asked[0]?.answer(anna)
    expect(await Promise.all([first, joined])).toEqual([anna, anna])
  })
})

describe('the cache', () => {
  test('holds at most its maximum, and drops the least recently used key', async () => {
    const bench = createBench({ max: 2 })
    for (const hash of ['a', 'b', 'a', 'c']) await getWith(bench, hash, { name: hash })
    expect(bench.cache.measure()).toEqual({ known: 2, unknown: 0 })
    expect(await bench.cache.get('a')).toEqual({ name: 'a' })
    expect(await getWith(bench, 'b', { name: 'again' })).toEqual({ name: 'again' })
  })

  test('caches neither known nor unknown keys at a greatest age of 0', async () => {
    const bench = createBench({ ttlMs: 0 })
    await getWith(bench, 'a', anna)
    expect(await getWith(bench, 'a', null)).toBeNull()
    expect(await getWith(bench, 'a', anna)).toBe(anna)
    expect(bench.asked).toHaveLength(3)
    expect(bench.cache.find('a')).toBeUndefined()
  })
})
