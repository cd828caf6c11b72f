import { describe, expect, test } from 'vitest'
import type { Schema } from '../../../src/database/schema.js'
import { bind, listSchemaEvents } from '../../../src/mapping/bind.js'
import type { BoundSections } from '../../../src/mapping/bind.js'
import type { SectionName } from '../../../src/mapping/mapping-schema.js'
import { readMapping } from '../../../src/mapping/load-configuration.js'
import { changeSchema, dropIndex, plainSchema, plainYaml } from '../../support/plain-mapping.js'
import type { ColumnChange } from '../../support/plain-mapping.js'

const mapping = readMapping(plainYaml)
const toReading = (schema: Schema, unreadable: readonly (readonly [SectionName, string])[] = []) => ({
  schema,
  unreadable: new Map(unreadable),
})
const bindTo = (schema: Schema, before?: BoundSections): BoundSections =>
  bind(mapping, toReading(schema), plainSchema, before)
const withoutName = changeSchema([['event_registrations', 'attendee_name', undefined]])
const wider = changeSchema([['event_registrations', 'attendee_name', 'varchar(200) utf8mb4_bin']])
const withoutIndex = dropIndex('event_registrations', 'ix_reg_sync')
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
    ['a status of text that becomes a number', ['event_registrations', 'reg_status', 'int'], 'registrations'],
    ['a day that becomes a time', ['invoices', 'issue_date', 'datetime(3)'], 'invoices'],
    ['a DATETIME that becomes a TIMESTAMP', ['invoices', 'updated_at', 'timestamp(3)'], 'invoices'],
    ['a workspace of a key that becomes a number', ['workspace_api_keys', 'workspace_id', 'int'], 'apiKeys'],
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
  expect(listKept(changeSchema([['workspace_api_keys', 'key_hash', 'char(64) utf8mb4_bin']]))).toEqual([
    'registrations',
    'invoices',
  ])
})

test('the events from one binding to the next are its changes, each once', () => {
  const about = { section: 'registrations', table: 'event_registrations' }
  const { issues } = bindTo(withoutName).get('registrations')!
  const others = changeSchema([
    ['event_registrations', 'attendee_name', undefined],
    ['event_registrations', 'attendee_email', undefined],
  ])
  const steps: readonly (readonly [Schema, Schema, readonly object[]])[] = [
    [plainSchema, plainSchema, []],
    [plainSchema, withoutName, [{ kind: 'schema broken', issues }]],
    [withoutName, withoutName, []],
    [withoutName, others, [{ kind: 'schema broken', issues: expect.any(Array) as unknown }]],
    [withoutName, plainSchema, [{ kind: 'schema recovered' }]],
    [plainSchema, wider, [{ kind: 'schema bound anew' }]],
    [
      plainSchema,
      withoutIndex,
      [{ kind: 'schema bound anew' }, { kind: 'paging index dropped', index: 'ix_reg_sync' }],
    ],
    [withoutIndex, withoutIndex, []],
    [withoutIndex, plainSchema, [{ kind: 'schema bound anew' }]],
  ]
  for (const [before, next, events] of steps)
    expect(listSchemaEvents(bindTo(before), bindTo(next))).toEqual(
      events.map((one) => ({ ...about, ...one })),
    )
})
