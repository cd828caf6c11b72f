import type { BoundCollection, UsedCollection } from '../../../src/collections/collection.js'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readSchemaState } from '../../../src/service/schema-state.js'
import type { SchemaEvent } from '../../../src/service/schema-state.js'
import { watchSchema } from '../../../src/service/watch-schema.js'
import type { SchemaWatch } from '../../../src/service/watch-schema.js'
import { databaseUnavailable, overloaded } from '../../../src/database/errors.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { createLiveSchema } from '../../support/live-schema.js'
import { lookupSchema, lookupYaml } from '../../support/lookup-mapping.js'
import { changeSchema, dropIndex, plainSchema, plainYaml } from '../../support/plain-mapping.js'

const everyMs = 15_000
const withoutName = changeSchema([['registrations', 'attendee_name', undefined]])
const wider = changeSchema([['registrations', 'attendee_name', 'varchar(200) utf8mb4_bin']])
const withoutHash = changeSchema([['keys', 'key_hash', undefined]])
const unavailable = expect.objectContaining({ code: 'database_unavailable' }) as Error

let watch: SchemaWatch
let live: ReturnType<typeof createLiveSchema>
let events: SchemaEvent[]
let atStart: number

beforeEach(async () => {
  vi.useFakeTimers()
  live = createLiveSchema(plainSchema)
  events = []
  watch = watchSchema({
    mapping: readMapping(plainYaml),
    reading: await readSchemaState(readMapping(plainYaml), live.runQuery),
    runQuery: live.runQuery,
    everyMs,
    onEvent: (event) => events.push(event),
  })
  atStart = live.countComparisons()
})
afterEach(() => {
  watch.stop()
  vi.useRealTimers()
})

/** How often the whole schema was read, without the first time. */
const countComparisons = (): number => live.countComparisons() - atStart
const collectionOf = (name: string) => watch.collections.find((one) => one.name === name)!
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const settle = (): Promise<unknown> => pass(0)

describe('a comparison', () => {
  test('that finds the schema of the start changes nothing', async () => {
    const used = collectionOf('registrations').requireResolved()
    await watch.check()
    expect(collectionOf('registrations').requireResolved()).toBe(used)
    expect([watch.listIssues(), events]).toEqual([[], []])
  })

  test('that fails leaves the state unchanged', async () => {
    live.fail(overloaded())
    await expect(watch.check()).rejects.toMatchObject({ code: 'overloaded' })
    expect(watch.listIssues()).toEqual([])
    expect(collectionOf('registrations').requireResolved().name).toBe('registrations')
  })
})

describe('the confirmation of an answer with lookups', () => {
  test('needs no indexes, and finds a column of the other table that is gone', async () => {
    live = createLiveSchema(lookupSchema)
    const mapping = readMapping(lookupYaml)
    const own = watchSchema({
      mapping,
      reading: await readSchemaState(mapping, live.runQuery),
      runQuery: live.runQuery,
      everyMs,
      onEvent: vi.fn(),
    })
    const [collection] = own.collections
    await collection!.confirm(answerOf(collection!.requireResolved()))
    expect(countComparisons()).toBe(0)
    const used = collection!.requireResolved()
    live.change(plainSchema)
    await expect(collection!.confirm(answerOf(used))).rejects.toThrow(unavailable)
    expect(own.listIssues()).not.toEqual([])
    own.stop()
  })
})

/** An answer without rows. */
function answerOf(used: BoundCollection): UsedCollection {
  return { used, withIndexes: false }
}

describe('the confirmation of an answer', () => {
  const confirm = async (): Promise<void> => {
    const collection = collectionOf('registrations')
    await collection.confirm(answerOf(collection.requireResolved()))
  }

  test('passes while the columns are those of the statement, and makes no comparison', async () => {
    await confirm()
    expect(countComparisons()).toBe(0)
  })

  test('passes when only another table or an index has changed', async () => {
    live.change(withoutHash)
    await confirm()
    live.change(dropIndex('registrations', 'ix_reg_sync'))
    await confirm()
  })

  test.each([
    ['no longer fit', withoutName],
    ['fit with another type', wider],
  ])('fails when the columns %s, and the state has the change from then on', async (_, schema) => {
    live.change(schema)
    await expect(confirm()).rejects.toThrow(unavailable)
    expect(countComparisons()).toBe(1)
    expect(events).toHaveLength(1)
  })

  test('fails for rows of an older statement, though the newer one fits the schema', async () => {
    const used = collectionOf('registrations').requireResolved()
    live.change(wider)
    await watch.check()
    await expect(collectionOf('registrations').confirm(answerOf(used))).rejects.toThrow(unavailable)
    await confirm()
  })

  test('fails when the database does not answer', async () => {
    live.fail(overloaded())
    await expect(confirm()).rejects.toMatchObject({ code: 'overloaded' })
  })
})

describe('a statement that fails', () => {
  const run = (error: Error): Promise<unknown> =>
    watch.checkAfterErrors(() => Promise.reject(error))({ sql: 'select 1', values: [] })

  test('with an error of the schema fails as it did, and causes a comparison', async () => {
    const error = databaseUnavailable(Object.assign(new Error('Unknown column'), { errno: 1054 }))
    live.change(withoutName)
    await expect(run(error)).rejects.toBe(error)
    await settle()
    expect(watch.listIssues()).toHaveLength(1)
  })

  test('with another error causes none', async () => {
    const error = databaseUnavailable(Object.assign(new Error('Deadlock'), { errno: 1213 }))
    await expect(run(error)).rejects.toBe(error)
    await settle()
    expect(countComparisons()).toBe(0)
  })
})

describe('without any traffic', () => {
  test('a comparison is made at each interval, and none before', async () => {
    await pass(everyMs - 1)
    expect(countComparisons()).toBe(0)
    await pass(1)
    expect(countComparisons()).toBe(1)
    await pass(everyMs)
    expect(countComparisons()).toBe(2)
  })

  test('a comparison is made each second while something does not fit', async () => {
    live.change(withoutName)
    await pass(everyMs)
    expect(watch.listIssues()).toHaveLength(1)
    live.change(plainSchema)
    await pass(1000)
    expect(watch.listIssues()).toEqual([])
    const made = countComparisons()
    await pass(1000)
    expect(countComparisons()).toBe(made)
  })

  test('a comparison that fails is made again', async () => {
    live.fail(overloaded())
    await pass(everyMs)
    live.fail(undefined)
    live.change(withoutName)
    await pass(1000)
    expect(watch.listIssues()).toHaveLength(1)
  })

  test('none is made after the stop', async () => {
    watch.stop()
    await pass(10 * everyMs)
    expect(countComparisons()).toBe(0)
  })
})
