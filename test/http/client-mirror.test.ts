import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import type { Invoice, MirrorOptions, MirrorStore } from '../../src/client/index.js'
import {
  json,
  N,
  N1,
  N2,
  N3,
  N4,
  nameInstants,
  notModified,
  page,
  problem,
  startScript,
} from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

/** A store in memory. */
function createStore() {
  const ids = new Set<string>()
  const held: { state: string | null } = { state: null }
  const store: MirrorStore<Invoice> = {
    readState: () => Promise.resolve(held.state),
    readIds: () => Promise.resolve(ids),
    write: (change) => {
      for (const { id } of change.records) ids.add(id)
      for (const id of change.removedIds) ids.delete(id)
      held.state = change.state
      return Promise.resolve()
    },
  }
  return { ids, held, store }
}

/** Updates a store from a server that responds with scripts; the queries of its requests, and the result or error. */
async function mirror(
  store: MirrorStore<Invoice>,
  options: MirrorOptions,
  ...scripts: readonly Script[]
): Promise<readonly [outcome: unknown, ...queries: readonly string[]]> {
  const { url, requests } = await startScript(...scripts)
  // The state names the address, and each server has another one.
  const custom = ((input: string, init) => fetch(input.replace('http://api.test', url), init)) as typeof fetch
  const client = createClient({ url: 'http://api.test', key: 'k', retries: 0, fetch: custom })
  const outcome = await client.mirror('invoices', store, options).catch((error: unknown) => error)
  return [outcome, ...requests.map(([path]) => nameInstants(path.replace(/^.*limit=100&?/, '')))]
}

const many = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `r${String(at)}`)

const read = (records: number, nextUpdatedSince: string) => ({
  records,
  removed: 0,
  nextUpdatedSince,
  notModified: false,
  epoch: 0,
  full: false,
  cycle: null,
})

test('a mirror holds all records after the first update, and later reads only changes', async () => {
  const { ids, store } = createStore()
  const first = await mirror(store, {}, page(['a', 'b'], 'c1', N1), page(['c'], null, N1))
  expect(first).toEqual([read(3, N1), '', 'cursor=c1'])
  const tag = { etag: 'W/"1"' }
  const second = await mirror(store, {}, page(['c', 'd'], null, N2, tag))
  expect(second).toEqual([read(2, N2), 'updatedSince=N1'])
  expect([...ids]).toEqual(['a', 'b', 'c', 'd'])
  const third = await mirror(store, {}, notModified)
  expect(third).toEqual([{ ...read(0, N1), notModified: true }, 'updatedSince=N1'])
})

test('an interrupted update continues behind its last stored page', async () => {
  const { store } = createStore()
  await mirror(store, {}, page(['a'], null, N1))
  const [error] = await mirror(store, {}, page(['b'], 'c1', N2), problem('invalid_key', 401))
  expect(error).toMatchObject({ code: 'invalid_key' })
  expect(await mirror(store, {}, page(['c'], null, N2))).toEqual([read(1, N2), 'updatedSince=N1&cursor=c1'])
})

test('a full update reads everything and removes what was not returned', async () => {
  const { ids, store } = createStore()
  await mirror(store, {}, page(['a', 'b', 'c'], null, N1))
  const [result, ...queries] = await mirror(
    store,
    { full: true },
    page(['b'], 'c1', N2),
    page(['d'], null, N2),
  )
  expect([result, queries]).toEqual([{ ...read(2, N2), removed: 2, full: true }, ['', 'cursor=c1']])
  expect([...ids]).toEqual(['b', 'd'])
  expect((await mirror(store, {}, page([], null)))[1]).toBe('updatedSince=N2')
})

test('an interrupted full update removes nothing, and does not move the position', async () => {
  const { ids, store } = createStore()
  await mirror(store, {}, page(['a', 'b'], null, N1))
  await mirror(store, { full: true }, page(['a'], 'f1', N2), problem('invalid_key', 401))
  expect([...ids]).toEqual(['a', 'b'])
  expect((await mirror(store, {}, page([], null)))[1]).toBe('updatedSince=N1')
})

test.each([
  ['more than half of more than 100', 101, many(202 - 102), true],
  ['half', 100, many(202 - 101), false],
  ['all of 100', 100, [], false],
])('a full update that would remove %s', async (_, __, returned, isRejected) => {
  const { ids, store } = createStore()
  const held = returned.length === 0 ? 100 : 202
  await mirror(store, {}, page(many(held), null, N1))
  const [outcome] = await mirror(store, { full: true }, page(returned, null, N2))
  expect(ids.size).toBe(isRejected ? held : returned.length)
  if (!isRejected) return
  expect(outcome).toMatchObject({ code: 'too_many_removals', isTransient: false })
  expect((await mirror(store, {}, page([], null)))[1]).toBe('updatedSince=N1')
  const [allowed] = await mirror(store, { full: true, allowRemovals: true }, page(returned, null, N2))
  expect([allowed, ids.size]).toMatchObject([{ removed: held - returned.length }, returned.length])
})

test('a store of other records is a TypeError, and no request is sent', async () => {
  const { store } = createStore()
  await mirror(store, { status: 'PAID' }, page(['a'], null))
  const outcome = await mirror(store, {}, page(['a'], null))
  expect(outcome).toEqual([expect.any(TypeError)])
  expect(String(outcome[0])).toContain('of http://api.test/api/public/v1 invoices PAID: delete it, then')
})

/** States as a program or a person edited them, or a file that was not written to its end. */
test.each([
  ['{"since":"2026-', 'since'],
  ['{"since":5}', 'since'],
  ['{"cursor":"a\\nb"}', 'cursor'],
  ['{"etag":"W/1"}', 'etag'],
  ['{"epoch":"1"}', 'epoch'],
  [`{"scrub":{"from":"${N}","size":1,"held":null,"removed":0}}`, 'scrub'],
])('the state %s is not used, and a full update replaces it', async (state, name) => {
  const { ids, held, store } = createStore()
  held.state = state
  const outcome = await mirror(store, {}, page(['a'], null))
  expect([outcome, held.state]).toEqual([[expect.objectContaining({ code: 'invalid_state' })], state])
  expect(String(outcome[0])).toContain(`The ${name} of the stored state is not valid`)
  expect(await mirror(store, { full: true }, page(['a'], null, N1))).toEqual([
    { ...read(1, N1), full: true },
    '',
  ])
  expect([[...ids], await mirror(store, {}, page([], null, N2))]).toEqual([
    ['a'],
    [read(0, N2), 'updatedSince=N1'],
  ])
})

describe('the epoch of a mirror', () => {
  const inEpoch = (epoch: number, ids: readonly string[], cursor: string | null, next: string) =>
    json({ data: ids.map((id) => ({ id })), meta: { cursor, nextUpdatedSince: next, epoch } })

  test.each([
    ['of its last update', inEpoch(1, ['a', 'b'], null, N1), 1],
    ['of a service that had none', page(['a', 'b'], null, N1), 0],
  ])('that is higher than that %s makes it read everything anew, and says so', async (_, first, from) => {
    const { ids, store } = createStore()
    await mirror(store, {}, first)
    const events: unknown[] = []
    const options = { onEpoch: (event: unknown) => events.push(event) }
    const all = [inEpoch(2, ['c'], 'c1', N3), inEpoch(2, ['b'], null, N3)]
    const outcome = await mirror(store, options, inEpoch(2, ['x'], null, N2), ...all)
    const result = { ...read(2, N3), removed: 1, epoch: 2, full: true }
    expect(outcome).toEqual([result, 'updatedSince=N1', '', 'cursor=c1'])
    expect([[...ids], events]).toEqual([['b', 'c'], [{ from, to: 2 }]])
    // Once.
    const next = await mirror(store, options, inEpoch(2, ['d'], null, N4))
    expect(next).toEqual([{ ...read(1, N4), epoch: 2 }, 'updatedSince=N3'])
  })

  test('is not reached by an interrupted update, which starts again', async () => {
    const { store } = createStore()
    await mirror(store, {}, page(['a'], null, N1))
    const raised = [inEpoch(1, ['b'], null, N2), inEpoch(1, ['b'], 'c1', N2), problem('invalid_key', 401)]
    await mirror(store, {}, ...raised)
    const again = await mirror(store, {}, inEpoch(1, ['b'], null, N2))
    expect(again).toEqual([{ ...read(1, N2), removed: 1, epoch: 1, full: true }, 'updatedSince=N1', ''])
  })

  test('that is lower reads nothing anew, but the same changes again, also after an interruption', async () => {
    const { store } = createStore()
    await mirror(store, {}, inEpoch(2, ['a'], null, N1))
    const lower = inEpoch(1, ['a'], null, N2)
    expect(await mirror(store, {}, lower)).toEqual([{ ...read(1, N1), epoch: 2 }, 'updatedSince=N1'])
    const behind = [inEpoch(1, ['a'], 'c1', N3), inEpoch(2, ['b'], 'c2', N3), problem('invalid_key', 401)]
    await mirror(store, {}, ...behind)
    const current = inEpoch(2, ['a'], null, N4)
    expect(await mirror(store, {}, current)).toEqual([{ ...read(1, N4), epoch: 2 }, 'updatedSince=N1'])
    expect((await mirror(store, {}, current))[1]).toBe('updatedSince=N4')
  })

  test('of a first update is the lowest of its pages, so the next one reads everything anew', async () => {
    const { store } = createStore()
    await mirror(store, {}, inEpoch(2, ['a'], 'c1', N1), inEpoch(1, ['b'], 'c2', N1), problem('x', 401))
    expect(await mirror(store, {}, inEpoch(2, ['c'], null, N1))).toEqual([
      { ...read(1, N1), epoch: 1 },
      'cursor=c2',
    ])
    const [result] = await mirror(store, {}, inEpoch(2, ['a', 'b', 'c'], null, N2))
    expect(result).toMatchObject({ full: true, epoch: 2 })
  })
})
