import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { listIssues } from '../../support/issues.js'
import { plainYaml, replacePart } from '../../support/plain-mapping.js'
import { requireWhole } from '../../support/whole-mapping.js'

type Change = readonly [part: string, by: string]

function change(...changes: readonly Change[]): string {
  return changes.reduce((text, [part, by]) => replacePart(text, part, by), plainYaml)
}

describe('a mapping', () => {
  test('of the plain product is read as it is written', () => {
    expect(readMapping(plainYaml)).toMatchObject({
      timezone: '+00:00',
      apiKeys: {
        hash: { column: 'key_hash', algorithm: 'sha256', encoding: 'hex' },
        scopes: { column: 'scopes', format: 'space' },
        prefix: 'evk_',
      },
      registrations: {
        archived: { column: 'archived_at', is: 'set' },
        fields: { checkedIn: { from: 'checkedInAt' } },
      },
      invoices: { eventId: 'event_id', fields: { total: 'grand_total' } },
      neverRead: ['event_registrations.badge_*', 'invoices.einv_*'],
    })
  })

  test('without a timezone or a rule for rows has the usual ones', () => {
    const mapping = readMapping(change(['timezone: "+00:00"\n', ''], ['  invalidRows: skip\n', '']))
    expect(mapping.timezone).toBe('+00:00')
    expect(mapping.registrations?.invalidRows ?? 'skip').toBe('skip')
  })
})

describe('the YAML of a mapping', () => {
  test('is refused with a name that stands twice, and its line', () => {
    const text = change(['    email: attendee_email', '    email: attendee_email\n    email: attendee_phone'])
    const line = text.slice(0, text.indexOf('email: attendee_phone')).split('\n').length
    expect(listIssues(() => readMapping(text))).toEqual([
      { path: `line ${line}`, found: 'the name email twice', allowed: 'each name once' },
    ])
  })

  test('is refused with every broken place at once', () => {
    const text = change(
      ['timezone: "+00:00"', 'timezone: "+00:00"\ntimezone: "+01:00"'],
      ['neverRead:', 'invoices: {}\nneverRead:'],
    )
    expect(listIssues(() => readMapping(text))).toHaveLength(2)
  })

  test('is refused where it does not parse', () => {
    expect(listIssues(() => readMapping('apiKeys: [')).length).toBeGreaterThan(0)
  })
})

describe('the stored values of a status', () => {
  const withValues = (values: string): string =>
    readFileSync('config/mapping.yaml', 'utf8').replace(
      'status: reg_status',
      `status: { column: reg_status, values: ${values} }`,
    )

  test('are taken as they are written, whatever YAML would make of them', () => {
    const { status } = requireWhole(
      readMapping(withValues('{ 01: A, 1.0: B, TRUE: C, ~: D, 0x10: E, "x": F }')),
    ).registrations.fields
    expect(status).toEqual({
      column: 'reg_status',
      values: { '01': 'A', '1.0': 'B', TRUE: 'C', '~': 'D', '0x10': 'E', x: 'F' },
    })
  })

  test('stand there once each', () => {
    expect(listIssues(() => readMapping(withValues('{ 1: A, "1": B }')))).toEqual([
      { path: 'line 20', found: 'the name 1 twice', allowed: 'each name once' },
    ])
  })
})

test.each([
  ['without an anchor', 'timezone: *none', 'timezone: "+00:00"', 'the alias *none'],
  ['before its anchor', 'timezone: *late', 'timezone: "+00:00"', 'the alias *late'],
])('an alias %s is an issue with its line', (_, by, part, found) => {
  const text = replacePart(plainYaml, part, by)
  const line = text.slice(0, text.indexOf(by)).split('\n').length
  expect(listIssues(() => readMapping(`${text}\nlast: &late 1\n`))).toEqual([
    { path: `line ${line}`, found, allowed: 'an alias of an anchor before it' },
  ])
})

test('a second document, and aliases that multiply, are an issue with a line', () => {
  const line = plainYaml.split('\n').length
  expect(listIssues(() => readMapping(`${plainYaml}---\ntimezone: "+00:00"\n`))).toMatchObject([
    { path: `line ${line}`, found: 'a second YAML document' },
  ])
  const ten = (name: string): string => `[${Array.from({ length: 10 }, () => name).join(', ')}]`
  const text = `a: &a ${ten('x')}\nb: &b ${ten('*a')}\nc: &c ${ten('*b')}\n`
  expect(listIssues(() => readMapping(text))).toMatchObject([
    { path: 'line 3', found: 'aliases that repeat too many values' },
  ])
})
