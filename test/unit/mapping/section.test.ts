import { describe, expect, test } from 'vitest'
import type { Schema } from '../../../src/database/schema.js'
import { listChangedKinds } from '../../../src/mapping/binding.js'
import { readMapping } from '../../../src/mapping/load-configuration.js'
import { sectionNames } from '../../../src/mapping/mapping-schema.js'
import type { SectionName } from '../../../src/mapping/mapping-schema.js'
import { resolveMapping } from '../../../src/mapping/resolve-mapping.js'
import { Section } from '../../../src/mapping/section.js'
import type { SchemaEvent } from '../../../src/mapping/section.js'
import { changeSchema, dropIndex, plainSchema, plainYaml } from '../../support/plain-mapping.js'
import type { ColumnChange } from '../../support/plain-mapping.js'

const mapping = readMapping(plainYaml)

/** Sections that were compared with each of these schemas, the first of which is that of the start. */
function bindTo(...schemas: readonly Schema[]) {
  const sections = sectionNames.map(
    (name) =>
      new Section(
        { name },
        (resolved) => resolved[name],
        () => Promise.resolve(),
      ),
  )
  let events: readonly SchemaEvent[] = []
  const compare = (schema: Schema, unreadable: Partial<Record<SectionName, string>> = {}): void => {
    const resolved = resolveMapping(mapping, schema)
    const issues = [...resolved.issues, ...listChangedKinds(mapping, schema, schemas[0] ?? schema)]
    events = sections.flatMap((one) => one.compare(resolved, issues, unreadable[one.about.name]))
  }
  for (const schema of schemas) compare(schema)
  return {
    compare,
    listEvents: () => events,
    listIssues: () => Object.fromEntries(sections.map(({ about, issues }) => [about.name, issues])),
    listValues: () => sections.map((one) => [one.about.name, one.require()] as const),
  }
}

const withoutName = changeSchema([['event_registrations', 'attendee_name', undefined]])
const wider = changeSchema([['event_registrations', 'attendee_name', 'varchar(200) utf8mb4_bin']])
const withoutIndex = dropIndex('event_registrations', 'ix_reg_sync')
const none = { apiKeys: [], registrations: [], invoices: [] }

describe('the issues of a section', () => {
  test('name the missing column or the table that cannot be read, and leave the other sections without', () => {
    const missing = [expect.stringContaining('registrations.fields.name: found event_registrations.')]
    const broken = bindTo(plainSchema, withoutName)
    expect(broken.listIssues()).toEqual({ ...none, registrations: missing })
    expect(() => broken.listValues()).toThrow('database_unavailable')
    broken.compare(plainSchema, { invoices: 'cannot be read: SELECT command denied' })
    expect(broken.listIssues()).toEqual({
      ...none,
      invoices: ['invoices: cannot be read: SELECT command denied'],
    })
  })

  test.each<[string, ColumnChange, SectionName]>([
    ['a status of text that becomes a number', ['event_registrations', 'reg_status', 'int'], 'registrations'],
    ['a DATETIME that becomes a TIMESTAMP', ['invoices', 'updated_at', 'timestamp(3)'], 'invoices'],
    ['a workspace of a key that becomes a number', ['workspace_api_keys', 'workspace_id', 'int'], 'apiKeys'],
  ])(
    'include a column whose kind has changed since the start, even if it can be read: %s',
    (_, change, name) => {
      const schema = changeSchema([change])
      expect(bindTo(schema).listIssues()).toEqual(none)
      const expected = [expect.stringMatching(/which changed from .+ to .+ since the start/)]
      expect(bindTo(plainSchema, schema).listIssues()).toEqual({ ...none, [name]: expected })
    },
  )
})

test('a newer binding keeps the objects of unchanged sections, so that their statements stay in use', () => {
  const listKept = (schema: Schema): readonly string[] => {
    const sections = bindTo(plainSchema)
    const first = sections.listValues()
    sections.compare(schema)
    const next = new Map(sections.listValues())
    return first.flatMap(([name, value]) => (next.get(name) === value ? [name] : []))
  }
  expect(listKept(plainSchema)).toEqual(['apiKeys', 'registrations', 'invoices'])
  expect(listKept(wider)).toEqual(['apiKeys', 'invoices'])
  expect(listKept(withoutIndex)).toEqual(['apiKeys', 'invoices'])
  expect(listKept(changeSchema([['workspace_api_keys', 'key_hash', 'char(64) utf8mb4_bin']]))).toEqual([
    'registrations',
    'invoices',
  ])
})

test('other issues are another event, and so is a binding that the requests do not notice', () => {
  const others = changeSchema([
    ['event_registrations', 'attendee_name', undefined],
    ['event_registrations', 'attendee_email', undefined],
  ])
  const listKinds = (...schemas: readonly Schema[]) =>
    bindTo(plainSchema, ...schemas)
      .listEvents()
      .map(({ kind, section }) => `${section}: ${kind}`)
  expect(listKinds(withoutName, others)).toEqual(['registrations: schema broken'])
  expect(listKinds(wider)).toEqual(['registrations: schema bound anew'])
  expect(listKinds(wider, wider)).toEqual([])
})
