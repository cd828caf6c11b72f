import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { databaseUnavailable, overloaded } from '../../../src/database/errors.js'
import type { Schema } from '../../../src/database/schema.js'
import { bind, Binding, listSchemaEvents } from '../../../src/mapping/bind.js'
import type { BoundSections, SchemaEvent } from '../../../src/mapping/bind.js'
import type { SectionName } from '../../../src/mapping/mapping-schema.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { createLiveSchema } from '../../support/live-schema.js'
import { lookupSchema, lookupYaml } from '../../support/lookup-mapping.js'
import { changeSchema, dropIndex, plainSchema, plainYaml } from '../../support/plain-mapping.js'
import type { ColumnChange } from '../../support/plain-mapping.js'

const mapping = readMapping(plainYaml)
const toReading = (schema: Schema, types: readonly (readonly [SectionName, string])[] = []) => ({
  schema,
  types: new Map(types),
})
const bindTo = (schema: Schema, before?: BoundSections): BoundSections =>
  bind(mapping, toReading(schema), plainSchema, before)
const withoutName = changeSchema([['registrations', 'attendee_name', undefined]])
const wider = changeSchema([['registrations', 'attendee_name', 'varchar(200) utf8mb4_bin']])
const withoutIndex = dropIndex('registrations', 'ix_reg_sync')
const first = bindTo(plainSchema)

const issuesOf = (sections: BoundSections): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries([...sections].map(([name, { issues }]) => [name, issues]))

describe('the issues of a section', () => {
  test('are none while the schema is that of the start, nor where a column only became wider', () => {
    expect(issuesOf(first)).toEqual({ apiKeys: [], registrations: [], invoices: [] })
    expect(issuesOf(bindTo(wider))).toEqual(issuesOf(first))
  })

  test('name the missing column or the table that cannot be read, and leave the other sections without', () => {
    const missing = [expect.stringContaining('registrations.fields.name: found event_registrations.')]
    expect(issuesOf(bindTo(withoutName))).toEqual({ ...issuesOf(first), registrations: missing })
    const denied = toReading(plainSchema, [['invoices', 'cannot be read: SELECT command denied']])
    expect(issuesOf(bind(mapping, denied, plainSchema))).toEqual({
      ...issuesOf(first),
      invoices: ['invoices: cannot be read: SELECT command denied'],
    })
  })

  test.each<[string, ColumnChange, SectionName]>([
    ['a status of text that becomes a number', ['registrations', 'reg_status', 'int'], 'registrations'],
    ['a day that becomes a time', ['invoices', 'issue_date', 'datetime(3)'], 'invoices'],
    ['a DATETIME that becomes a TIMESTAMP', ['invoices', 'updated_at', 'timestamp(3)'], 'invoices'],
    ['a workspace of a key that becomes a number', ['keys', 'workspace_id', 'int'], 'apiKeys'],
  ])(
    'include a column whose kind has changed since the start, even if it can be read: %s',
    (_, change, name) => {
      const schema = changeSchema([change])
      expect(bind(mapping, toReading(schema), schema).get(name)?.issues).toEqual([])
      const expected = [expect.stringMatching(/which changed from .+ to .+ since the start/)]
      expect(issuesOf(bindTo(schema))).toEqual({ ...issuesOf(first), [name]: expected })
    },
  )
})

test('a newer binding keeps the objects of unchanged sections, so that their statements stay in use', () => {
  const listKept = (schema: Schema): readonly string[] =>
    [...bindTo(schema, first)].flatMap(([name, { value }]) =>
      first.get(name)?.value === value ? [name] : [],
    )
  expect(listKept(plainSchema)).toEqual(['apiKeys', 'registrations', 'invoices'])
  expect(listKept(wider)).toEqual(['apiKeys', 'invoices'])
  expect(listKept(withoutIndex)).toEqual(['apiKeys', 'invoices'])
  expect(listKept(changeSchema([['keys', 'key_hash', 'char(64) utf8mb4_bin']]))).toEqual([
    'registrations',
    'invoices',
  ])
})

test('the events from one binding to the next are its changes, each once', () => {
  const about = { section: 'registrations', table: 'event_registrations' }
  const { issues } = bindTo(withoutName).get('registrations')!
  const others = changeSchema([
    ['registrations', 'attendee_name', undefined],
    ['registrations', 'attendee_email', undefined],
  ])
  const steps: readonly (readonly [Schema, Schema, readonly object[]])[] = [
    [plainSchema, plainSchema, []],
    [plainSchema, withoutName, [{ is: 'broken', issues }]],
    [withoutName, withoutName, []],
    [withoutName, others, [{ is: 'broken', issues: expect.any(Array) as unknown }]],
    [withoutName, plainSchema, [{ is: 'recovered' }]],
    [plainSchema, wider, [{ is: 'bound anew' }]],
    [plainSchema, withoutIndex, [{ is: 'bound anew' }, { is: 'without paging index', index: 'ix_reg_sync' }]],
    [withoutIndex, withoutIndex, []],
    [withoutIndex, plainSchema, [{ is: 'bound anew' }]],
  ]
  for (const [before, next, events] of steps)
    expect(listSchemaEvents(bindTo(before), bindTo(next))).toEqual(
      events.map((one) => ({ ...about, ...one })),
    )
})

describe('while the service runs', () => {
  const everyMs = 15_000
  const unavailable = expect.objectContaining({ code: 'database_unavailable' }) as Error
  let live: ReturnType<typeof createLiveSchema>
  let events: SchemaEvent[]
  let binding: Binding
  let atStart: number

  const start = (yaml: string, schema: Schema): Promise<Binding> => {
    live = createLiveSchema(schema)
    const onEvent = (event: SchemaEvent): number => events.push(event)
    return Binding.start({ mapping: readMapping(yaml), runQuery: live.runQuery, everyMs, onEvent })
  }
  beforeEach(async () => {
    vi.useFakeTimers()
    events = []
    binding = await start(plainYaml, plainSchema)
    atStart = live.countComparisons()
  })
  afterEach(() => {
    binding.stop()
    vi.useRealTimers()
  })
  const countComparisons = (): number => live.countComparisons() - atStart
  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
  const registrations = () => binding.collections.find(({ name }) => name === 'registrations')!
  const confirm = async (used = registrations().requireResolved()): Promise<void> => {
    await registrations().confirm({ used, withIndexes: false })
  }

  test('a comparison is made at each interval, often while something does not fit, and none after the stop', async () => {
    await pass(everyMs - 1)
    expect(countComparisons()).toBe(0)
    await pass(1)
    expect(countComparisons()).toBe(1)
    live.change(withoutName)
    await pass(everyMs)
    expect(binding.listIssues()).toHaveLength(1)
    live.change(plainSchema)
    await pass(1000)
    expect(binding.listIssues()).toEqual([])
    binding.stop()
    const made = countComparisons()
    await pass(10 * everyMs)
    expect(countComparisons()).toBe(made)
  })

  test('a comparison that fails changes nothing, and is made again', async () => {
    live.fail(overloaded())
    await expect(binding.check()).rejects.toMatchObject({ code: 'overloaded' })
    await pass(everyMs)
    expect(binding.listIssues()).toEqual([])
    live.fail(undefined)
    live.change(withoutName)
    await pass(1000)
    expect(binding.listIssues()).toHaveLength(1)
  })

  test('an error of the schema causes a comparison, and another error none', async () => {
    const toProblem = (errno: number): Error => databaseUnavailable(Object.assign(new Error(), { errno }))
    live.change(withoutName)
    binding.checkAfter(toProblem(1213))
    await pass(0)
    expect(countComparisons()).toBe(0)
    binding.checkAfter(toProblem(1054))
    await pass(0)
    expect(binding.listIssues()).toHaveLength(1)
  })

  test('an answer is confirmed while its columns are those of its statement, whatever else has changed', async () => {
    await confirm()
    live.change(changeSchema([['keys', 'key_hash', undefined]]))
    await confirm()
    live.change(withoutIndex)
    await confirm()
    expect(countComparisons()).toBe(0)
  })

  test.each([
    ['no longer fit', withoutName],
    ['fit with another type', wider],
  ])('an answer is not confirmed when its columns %s', async (_, schema) => {
    const used = registrations().requireResolved()
    live.change(schema)
    await expect(confirm()).rejects.toThrow(unavailable)
    expect([countComparisons(), events.length]).toEqual([1, 1])
    await expect(confirm(used)).rejects.toThrow(unavailable)
  })

  test('an answer is not confirmed when the database does not answer', async () => {
    live.fail(overloaded())
    await expect(confirm()).rejects.toMatchObject({ code: 'overloaded' })
  })

  test('an answer with lookups is not confirmed when a column of the other table is gone', async () => {
    binding.stop()
    binding = await start(lookupYaml, lookupSchema)
    await confirm()
    live.change(plainSchema)
    await expect(confirm()).rejects.toThrow(unavailable)
  })
})
