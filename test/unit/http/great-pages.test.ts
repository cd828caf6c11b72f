import { expect, test } from 'vitest'
import { createGreatPages, joinRecords } from '../../../src/http/great-pages.js'

const great = 2_000_000

/** Resolves after the promises that are settled now. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('lists run at once until a page of their workspace is great, then one at a time, until one is not', async () => {
  const enter = createGreatPages()
  const [first, second] = [await enter('W1'), await enter('W1')]
  expect([first.isGreat, second.isGreat]).toEqual([false, false])
  first.end(great)
  second.end(great)
  const order: string[] = []
  const turns = ['a', 'b', 'c'].map(async (name) => {
    const turn = await enter('W1')
    order.push(name)
    return turn
  })
  expect((await enter('W2')).isGreat).toBe(false)
  await settle()
  expect(order).toEqual(['a'])
  const third = await turns[0]!
  expect(third.isGreat).toBe(true)
  third.end(great)
  await settle()
  expect(order).toEqual(['a', 'b'])
  // A list that failed has no page.
  ;(await turns[1]!).end(0)
  ;(await turns[2]!).end(10)
  expect((await enter('W1')).isGreat).toBe(false)
})

test('a great page is made in slices, between which other requests have a turn', async () => {
  const records = Array.from({ length: 100 }, () => ({ name: 'x'.repeat(40_000) }))
  let turns = 0
  const count = (): void => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const joined = await joinRecords(records, (record) => JSON.stringify(record), true)
  clearImmediate(timer)
  expect(JSON.parse(`[${joined}]`)).toEqual(records)
  // 4 MB in slices of 256 KB.
  expect(turns).toBeGreaterThan(10)
})
