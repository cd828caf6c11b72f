import { expect, test } from 'vitest'
import { createKeyCache } from '../../../src/keys/key-cache.js'

interface Row {
  readonly name: string
}

/** A cache whose clock and lookups the test holds. */
function createBench({ max = 100, ttlMs = 30_000 } = {}) {
  const time = { now: 1000 }
  const asked: { readonly answer: (row: Row | null) => void }[] = []
  const lookup = () => new Promise<Row | null>((answer) => asked.push({ answer }))
  const cache = createKeyCache<Row>({ max, ttlMs, clock: () => time.now, lookup })
  /** Gets a key whose lookup, where there is one, returns this row at once. */
  const getWith = (hash: string, row: Row | null): Promise<Row | null> => {
    const before = asked.length
    const got = cache.get(hash)
    if (asked.length > before) asked.at(-1)!.answer(row)
    return got
  }
  return { cache, asked, time, getWith }
}

const anna: Row = { name: 'anna' }

test('a known key is looked up again after its greatest age, from the start of its lookup', async () => {
  const { cache, asked, time, getWith } = createBench()
  const got = cache.get('a')
  time.now += 20_000
  asked[0]!.answer(anna)
  await got
  time.now += 10_000
  expect(await getWith('a', null)).toBe(anna)
  time.now += 1
  expect(await getWith('a', null)).toBeNull()
  expect(asked).toHaveLength(2)
})

test('a lookup in progress cannot return a key that was revoked since it began', async () => {
  const { cache, asked, time, getWith } = createBench()
  const early = cache.get('a')
  time.now += 30_001
  const late = cache.get('a')
  asked[1]!.answer(null)
  expect(await late).toBeNull()
  asked[0]!.answer(anna)
  await early
  expect(await getWith('a', null)).toBeNull()
})

test('a lookup that exceeds the greatest age before it ends is repeated', async () => {
  const { cache, asked, time } = createBench()
  const first = cache.get('a')
  time.now += 1
  const joined = cache.get('a')
  expect(asked).toHaveLength(1)
  time.now += 30_000
  asked[0]!.answer(anna)
  await first
  // Lets the one who joined see how old the answer is.
  await new Promise(setImmediate)
  expect(asked).toHaveLength(2)
  asked[1]!.answer(null)
  expect(await joined).toBeNull()
})

test('an unknown key is cached as unknown for at most five seconds', async () => {
  const { cache, asked, time, getWith } = createBench()
  await getWith('a', null)
  time.now += 4999
  expect(await cache.get('a')).toBeNull()
  expect(asked).toHaveLength(1)
  time.now += 2
  expect(await getWith('a', anna)).toBe(anna)
})

test('an unknown key evicts no known key, however many are sent', async () => {
  const { cache, getWith } = createBench({ max: 3 })
  await getWith('a', anna)
  for (let at = 0; at < 50; at += 1) await getWith(`random ${at}`, null)
  expect(await cache.get('a')).toBe(anna)
  expect(cache.measure()).toEqual({ known: 1, unknown: 3 })
})

test.each([0, 1000])('a row older than %i ms is recalled until the key is unknown', async (ttlMs) => {
  const { cache, time, getWith } = createBench({ ttlMs })
  expect(cache.recall('a')).toBeUndefined()
  await getWith('a', anna)
  time.now += 100_000
  expect([cache.find('a'), cache.recall('a')]).toEqual([undefined, anna])
  await getWith('a', null)
  expect(cache.recall('a')).toBeUndefined()
})

test('a lookup that is not admitted does not begin, and one in progress is shared without admission', async () => {
  const { cache, asked } = createBench()
  const refuse = (): void => {
    throw new Error('not now')
  }
  await expect(cache.get('a', refuse)).rejects.toThrow('not now')
  expect(asked).toHaveLength(0)
  const first = cache.get('a')
  const joined = cache.get('a', refuse)
  asked[0]!.answer(anna)
  expect(await Promise.all([first, joined])).toEqual([anna, anna])
})

test('the cache holds at most its maximum, and drops the least recently used key', async () => {
  const { cache, getWith } = createBench({ max: 2 })
  for (const hash of ['a', 'b', 'a', 'c']) await getWith(hash, { name: hash })
  expect(cache.measure()).toEqual({ known: 2, unknown: 0 })
  expect(await cache.get('a')).toEqual({ name: 'a' })
  expect(await getWith('b', anna)).toBe(anna)
})
