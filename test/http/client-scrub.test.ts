import { beforeEach, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import type { MirrorOptions, MirrorResult, MirrorStore, Registration } from '../../src/client/index.js'
import { createRecordServer, toTime } from '../support/record-server.js'
import type { RecordServer, ServedRecord } from '../support/record-server.js'
import { startScript } from '../support/scripted-server.js'

let server: RecordServer
/** The store, and its state. */
let held: Map<string, Pick<ServedRecord, 'id' | 'updatedAt'>>
let state: string | null
let store: MirrorStore<Registration>
/** Called before each request is answered. */
let onRequest: (path: string) => void
/** Their paths, without the query of a list. */
let paths: () => readonly string[]
let update: (options?: MirrorOptions) => Promise<MirrorResult>
beforeEach(async () => {
  server = createRecordServer()
  held = new Map()
  state = null
  store = {
    readState: () => Promise.resolve(state),
    readIds: () => Promise.resolve([...held.keys()]),
    readRange: ({ from, to }) =>
      Promise.resolve([...held.values()].filter(({ updatedAt }) => from <= updatedAt && updatedAt < to)),
    write: (change) => {
      for (const one of change.records) held.set(one.id, one)
      for (const id of change.removedIds) held.delete(id)
      state = change.state
      return Promise.resolve()
    },
  }
  onRequest = () => undefined
  const { url, requests } = await startScript((response, request) => {
    onRequest(request.url ?? '')
    server.script(response, request)
  })
  paths = () => requests.map(([path]) => path.replace(/^.*v1\/registrations\/?|\?.*$/g, ''))
  update = (options = {}) =>
    createClient({ url, key: 'k', retries: 0 }).mirror('registrations', store, options)
})

const toRecord = (at: number, spacingMs = 10, status = 'A'): ServedRecord => ({
  id: String(at),
  updatedAt: toTime(at * spacingMs),
  status,
})

/** Fills server and store with the same records. */
async function fill(count: number, spacingMs?: number): Promise<void> {
  server.set(...Array.from({ length: count }, (_, at) => toRecord(at, spacingMs)))
  await update()
}

/** Updates until the cycle of the scrub is complete; the updates that this took. */
async function runCycle(options: MirrorOptions = {}): Promise<number> {
  for (let runs = 1; ; runs += 1) {
    if ((await update(options)).cycle === 1) return runs
    expect(runs).toBeLessThan(100)
  }
}

const sorted = (ids: Iterable<string>): readonly string[] => [...ids].toSorted()

test('of 100,000 records, 5 percent are 51 requests a run and 20 runs a cycle', async () => {
  server.set(...Array.from({ length: 100_000 }, (_, at) => toRecord(at)))
  for (const id of server.ids()) held.set(id, toRecord(Number(id)))
  state = JSON.stringify({ since: toTime(1e9), epoch: 0 })
  server.remove('0', '4000', '99999')
  const { cycle, removed } = await update()
  // One of the sync, and two of the ids that the list lacks.
  expect([paths().length, removed, Math.round((cycle ?? 0) * 100)]).toEqual([1 + 51 + 2, 2, 5])
  expect(await runCycle()).toBe(19)
  expect(sorted(held.keys())).toEqual(sorted(server.ids()))
})

// Records in groups of one `updatedAt`, the last of which is larger than several shares.
test.each([10, 0, 0.05])('after a cycle the mirror is right, %i ms between records', async (spacingMs) => {
  await fill(600, spacingMs)
  server.remove('3', '99', '100', '101', '299', '598', '599')
  for (const id of ['5', '200', '300']) held.delete(id)
  // It changed without a sync that saw it.
  held.set('7', { id: '7', updatedAt: toTime(1) })
  await runCycle({ scrub: 17 })
  await runCycle({ scrub: 17 })
  expect(sorted(held.keys())).toEqual(sorted(server.ids()))
  expect(held.get('7')).toMatchObject(toRecord(7, spacingMs))
})

test('a run that is interrupted at its second page changes nothing, and is repeated', async () => {
  await fill(400)
  server.remove('10', '110', '210')
  await update({ scrub: 20 })
  expect(held.size).toBe(399)
  // The sync that comes before the scrub stores its tag once.
  await update({ scrub: 0 })
  const before = state
  const stop = new AbortController()
  onRequest = (path) => {
    if (path.includes('cursor')) stop.abort()
  }
  await expect(update({ scrub: 50, signal: stop.signal })).rejects.toThrow(/aborted/)
  onRequest = () => undefined
  expect([held.size, state]).toEqual([399, before])
  expect((await update({ scrub: 75 })).cycle).toBe(1)
  expect(sorted(held.keys())).toEqual(sorted(server.ids()))
})

test('all of it is compared at once, also what an open cycle has compared before', async () => {
  await fill(300)
  expect((await update({ scrub: 60 })).cycle).toBeLessThan(1)
  server.remove('0', '299')
  held.set('foreign', { id: 'foreign', updatedAt: toTime(5) })
  expect(await update({ scrub: 100 })).toMatchObject({ removed: 3, cycle: 1 })
  expect(sorted(held.keys())).toEqual(sorted(server.ids()))
})

test('more than 100 removals that are more than half of what all runs of a cycle compared need a permission', async () => {
  await fill(1000)
  // As with the key of another workspace, which has as many records.
  server.remove(...server.ids())
  server.set(...Array.from({ length: 1000 }, (_, at) => ({ ...toRecord(at), id: String(at + 5000) })))
  await update({ scrub: 9 })
  const rejected = { code: 'too_many_removals', cause: { held: 1000, removed: 501 } }
  for (const _ of ['second', 'third']) await expect(update({ scrub: 9 })).rejects.toMatchObject(rejected)
  const listOld = () => [...held.keys()].filter((id) => Number(id) < 1000)
  expect(listOld()).toHaveLength(901)
  await update({ scrub: 100, allowRemovals: true })
  expect(listOld()).toEqual([])
})

test('a record that the scrub removed, because a replica was behind, is in the next sync', async () => {
  await fill(10)
  const late = { ...toRecord(10), updatedAt: toTime(1e9) }
  server.set(late)
  await update()
  // The scrub reads from a replica that does not have the record yet; the sync before it finds its page unchanged.
  onRequest = (path) => {
    if (path.includes('updatedSince')) server.set(late)
    else server.remove(late.id)
  }
  expect(await update()).toMatchObject({ notModified: true, removed: 1 })
  expect(held.has(late.id)).toBe(false)
  expect(await update({ scrub: 0 })).toMatchObject({ notModified: false })
  expect(held.has(late.id)).toBe(true)
})

test('a process of another epoch is not compared with', async () => {
  await fill(10)
  server.remove('3')
  const { write } = store
  store = {
    ...store,
    write: (change) => {
      // After the sync.
      server.epoch = 1
      return write(change)
    },
  }
  expect(await update()).toMatchObject({ removed: 0, cycle: null })
  expect(held.size).toBe(10)
})

test('a mirror of one status loses the records that have another one', async () => {
  server.set(...Array.from({ length: 10 }, (_, at) => toRecord(at)))
  await update({ status: 'A' })
  server.set(toRecord(4, 10, 'B'))
  expect(await update({ status: 'A' })).toMatchObject({ removed: 1, cycle: 1 })
  expect([...held.keys()]).not.toContain('4')
})

test('there is no scrub with 0, without readRange, or in a first or full update', async () => {
  await fill(10)
  expect(paths()).toEqual([''])
  for (const options of [{ scrub: 0 }, { full: true }]) expect((await update(options)).cycle).toBeNull()
  const { readRange: _, ...old } = store
  store = old
  expect((await update()).cycle).toBeNull()
  expect(paths()).toHaveLength(4)
  await expect(update({ scrub: 5 })).rejects.toThrow(TypeError)
  await expect(update({ scrub: 101 })).rejects.toThrow(TypeError)
})
