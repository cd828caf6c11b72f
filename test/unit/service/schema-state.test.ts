import { describe, expect, test } from 'vitest'
import { findUnreadable } from '../../../src/audit/audit.js'
import type { RunQuery } from '../../../src/database/statement.js'
import { Problem } from '../../../src/errors.js'
import { renderTypes } from '../../../src/database/schema-sql.js'
import { listColumnsOf } from '../../../src/mapping/mapped-columns.js'
import {
  addReadIssues,
  keepUnchanged,
  listSchemaEvents,
  probeTypes,
  findState,
  toSchemaState,
} from '../../../src/service/schema-state.js'
import type { SchemaEvent, SchemaState } from '../../../src/service/schema-state.js'
import { databaseUnavailable, overloaded } from '../../../src/database/errors.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { changeSchema, dropIndex, plainSchema, plainYaml } from '../../support/plain-mapping.js'
import type { ColumnChange } from '../../support/plain-mapping.js'

const mapping = readMapping(plainYaml)
const stateOf = (changes: readonly ColumnChange[] = []): SchemaState =>
  toSchemaState(mapping, changeSchema(changes), plainSchema)
const first = stateOf()
const withoutName: readonly ColumnChange[] = [['registrations', 'attendee_name', undefined]]
const withoutPagingIndex = toSchemaState(mapping, dropIndex('registrations', 'ix_reg_sync'), plainSchema)

const issuesOf = ({ sections }: SchemaState): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries([...sections].map(([name, { issues }]) => [name, issues]))

describe('the issues of a section', () => {
  test('are none while the schema is that of the start', () => {
    expect(issuesOf(first)).toEqual({ apiKeys: [], registrations: [], invoices: [] })
  })

  test('name the missing column, and leave the other sections without issues', () => {
    expect(issuesOf(stateOf(withoutName))).toEqual({
      apiKeys: [],
      registrations: [expect.stringContaining('registrations.fields.name: found event_registrations.')],
      invoices: [],
    })
  })

  test.each<[string, ColumnChange, string]>([
    ['a status of text that becomes a number', ['registrations', 'reg_status', 'int'], 'registrations'],
    ['a day that becomes a time', ['invoices', 'issue_date', 'datetime(3)'], 'invoices'],
    ['a DATETIME that becomes a TIMESTAMP', ['invoices', 'updated_at', 'timestamp(3)'], 'invoices'],
    ['a workspace of a key that becomes a number', ['keys', 'workspace_id', 'int'], 'apiKeys'],
  ])(
    'include a column whose kind has changed since the last load, even if it can be read: %s',
    (_, change, section) => {
      const fresh = toSchemaState(mapping, changeSchema([change]), changeSchema([change]))
      expect(findState(fresh, section as 'apiKeys').issues).toEqual([])
      const changed = Object.entries(issuesOf(stateOf([change]))).filter(([, issues]) => issues.length > 0)
      expect(changed).toEqual([
        [section, [expect.stringMatching(/which changed from .+ to .+ since the last load/)]],
      ])
    },
  )

  test('are none for a column that only became wider', () => {
    const wider = stateOf([['registrations', 'attendee_name', 'varchar(200) utf8mb4_0900_ai_ci']])
    expect(issuesOf(wider)).toEqual(issuesOf(first))
  })
})

describe('the probe of the mapped tables', () => {
  const denied = Object.assign(new Error('SELECT command denied'), { errno: 1142 })
  const definerGone = Object.assign(new Error('The user specified as a definer does not exist'), {
    errno: 1449,
  })
  const probe = async (state: SchemaState, runQuery: RunQuery) =>
    addReadIssues(state, { types: new Map(), unreadable: await findUnreadable(mapping, runQuery) }, mapping)
  const failFor = (table: string, error: Error) => (statement: { readonly sql: string }) =>
    statement.sql.includes(`\`${table}\``) ? Promise.reject(error) : Promise.resolve([])

  test('reads each table by its mapped columns, and finds no issue if all can be read', async () => {
    const asked: string[] = []
    const probed = await probe(first, ({ sql }) => {
      asked.push(sql)
      return Promise.resolve([])
    })
    expect(probed).toEqual(first)
    expect(asked).toHaveLength(3)
    expect(asked.join()).toContain('`archived_at`')
  })

  test.each([
    ['may no longer be read', denied],
    ['is a view whose definer was dropped', definerGone],
    ['may no longer be read, reported as a Problem', databaseUnavailable(denied)],
  ])('finds an issue of one section only for a table that %s', async (_, error) => {
    const probed = await probe(first, failFor('event_registrations', error))
    expect(issuesOf(probed)).toEqual({
      apiKeys: [],
      registrations: [expect.stringMatching(/^registrations: event_registrations cannot be read: /)],
      invoices: [],
    })
  })

  test('fails when the database does not answer, and changes no section', async () => {
    const error = overloaded()
    await expect(probe(first, failFor('invoices', error))).rejects.toBe(error)
  })

  test('skips a section that already has issues', async () => {
    const broken = stateOf(withoutName)
    expect(await probe(broken, failFor('event_registrations', denied))).toEqual(broken)
  })
})

test('the types of a section are undefined where a table cannot be read', async () => {
  const statement = renderTypes(listColumnsOf(mapping, 'registrations'))
  const probe = (error: Error) => probeTypes(() => Promise.reject(error), statement)
  expect(await probe(Object.assign(new Error('SELECT command denied'), { errno: 1142 }))).toBeUndefined()
  await expect(probe(overloaded())).rejects.toThrow(Problem)
})

describe('a newer state', () => {
  test('keeps the collections and keys that are unchanged, so that their statements stay in use', () => {
    const next = keepUnchanged(stateOf([['registrations', 'attendee_name', 'varchar(9) utf8mb4_bin']]), first)
    expect(next.keys).toBe(first.keys)
    expect(next.collections.map((collection, at) => collection === first.collections[at])).toEqual([
      false,
      true,
    ])
  })

  test('replaces a collection when only an index has changed', () => {
    const next = keepUnchanged(withoutPagingIndex, first)
    expect(next.collections.map((collection, at) => collection === first.collections[at])).toEqual([
      false,
      true,
    ])
    expect(next.collections[0]?.table.indexes.map(({ name }) => name)).not.toContain('ix_reg_sync')
  })

  test('replaces the key table when one of its columns has changed', () => {
    const next = keepUnchanged(stateOf([['keys', 'key_hash', 'char(64) utf8mb4_bin']]), first)
    expect(next.keys).not.toBe(first.keys)
    expect(next.keys.hash.characterSet).toBe('utf8mb4')
  })
})

describe('the events of a step from one state to the next', () => {
  const broken = stateOf(withoutName)
  const worse = stateOf([...withoutName, ['registrations', 'attendee_email', undefined]])
  const wider = stateOf([['registrations', 'attendee_name', 'varchar(200) utf8mb4_bin']])
  const about = { section: 'registrations', table: 'event_registrations' }
  const issues = findState(broken, 'registrations').issues

  test.each<[string, SchemaState, SchemaState, readonly unknown[]]>([
    ['nothing changed', first, stateOf(), []],
    ['a section breaks', first, broken, [{ ...about, is: 'broken', issues }]],
    ['a section stays broken by the same issues', broken, stateOf(withoutName), []],
    [
      'a section gets other issues',
      broken,
      worse,
      [{ ...about, is: 'broken', issues: expect.any(Array) as unknown }],
    ],
    ['a section fits again', broken, first, [{ ...about, is: 'recovered' }]],
    ['a section fits in another form', first, wider, [{ ...about, is: 'resolved anew' }]],
    [
      'the index of lists is gone',
      first,
      withoutPagingIndex,
      [
        { ...about, is: 'resolved anew' },
        { ...about, is: 'without paging index', index: 'ix_reg_sync' },
      ],
    ],
    ['the index of lists stays away', withoutPagingIndex, withoutPagingIndex, []],
    ['the index of lists comes back', withoutPagingIndex, first, [{ ...about, is: 'resolved anew' }]],
  ])('are exactly these when %s', (_, before, next, expected) => {
    const events: readonly SchemaEvent[] = listSchemaEvents(before, next)
    expect(events).toEqual(expected)
  })
})
