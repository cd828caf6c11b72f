import { describe, expect, test } from 'vitest'
import { listMappedColumns, listMappedTables } from '../../../src/mapping/mapped-columns.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { awkwardYaml } from '../../support/awkward-mapping.js'
import { listIssues } from '../../support/issues.js'
import { plainYaml, replacePart } from '../../support/plain-mapping.js'

const forbidden = 'neverRead:\n'

function readWith(part: string, by: string): ReturnType<typeof listIssues> {
  return listIssues(() => readMapping(replacePart(plainYaml, part, by)))
}

describe('a mapping that contradicts itself', () => {
  test.each([
    ['event_registrations.attendee_email', 'registrations.fields.email', 'attendee_email'],
    ['EVENT_REGISTRATIONS.Attendee_Email', 'registrations.fields.email', 'attendee_email'],
    ['*.attendee_email', 'registrations.fields.email', 'attendee_email'],
    ['event_*.*_email', 'registrations.fields.email', 'attendee_email'],
    ['event_registrations.reg_*', 'registrations.fields.status', 'reg_status'],
  ])('maps a column that %s forbids', (pattern, path, column) => {
    expect(readWith(forbidden, `${forbidden}  - "${pattern}"\n`)).toEqual([
      {
        path,
        found: `event_registrations.${column}, which neverRead forbids`,
        allowed: 'a column outside neverRead',
      },
    ])
  })

  test('maps a forbidden column in other letters', () => {
    expect(readWith('attendee_email', 'BADGE_Token').map(({ path }) => path)).toEqual([
      'registrations.fields.email',
    ])
  })

  test.each([
    ['apiKeys.hash', 'workspace_api_keys.key_hash'],
    ['apiKeys.expiresAt', 'workspace_api_keys.expires_at'],
    ['registrations.archived', 'event_registrations.archived_at'],
    ['registrations.workspace', 'event_registrations.workspace_id'],
    ['registrations.fields.checkedInAt', 'event_registrations.checked_in_at'],
    ['invoices.eventId', 'invoices.event_id'],
    ['invoices.fields.total', 'invoices.grand_total'],
  ])('uses a forbidden column anywhere, as in %s', (path, pattern) => {
    expect(readWith(forbidden, `${forbidden}  - ${pattern}\n`).map((issue) => issue.path)).toEqual([path])
  })

  test('uses a forbidden column of a link table', () => {
    const issues = listIssues(() =>
      readMapping(replacePart(awkwardYaml, forbidden, `${forbidden}  - bill_gatherings.*\n`)),
    )
    expect(issues.map(({ path }) => path)).toEqual(['invoices.eventId.invoice', 'invoices.eventId.event'])
  })

  test('derives checkedIn from a column that is not mapped', () => {
    expect(readWith('    checkedInAt: checked_in_at\n', '')).toEqual([
      {
        path: 'registrations.fields.checkedIn',
        found: 'from: checkedInAt, which is not mapped',
        allowed: 'a boolean column, a mapped checkedInAt, a test, or { constant: false }',
      },
    ])
  })

  test('has a time zone that does not exist', () => {
    expect(readWith('timezone: "+00:00"', 'timezone: Europe/Berln')).toEqual([
      {
        path: 'timezone',
        found: '"Europe/Berln"',
        allowed: expect.stringMatching(/; did you mean Europe\/Berlin\?$/) as unknown,
      },
    ])
  })

  test('has a currency that is none', () => {
    expect(readWith('currency: currency_code', 'currency: { constant: ZZZ }')).toEqual([
      { path: 'invoices.fields.currency.constant', found: 'ZZZ', allowed: 'a currency of ISO 4217' },
    ])
  })

  test('lists all of this at once', () => {
    const text = [
      ['    checkedInAt: checked_in_at\n', ''],
      ['currency: currency_code', 'currency: { constant: ZZZ }'],
      [forbidden, `${forbidden}  - "*.updated_at"\n`],
    ].reduce((all, [part = '', by = '']) => replacePart(all, part, by), plainYaml)
    expect(listIssues(() => readMapping(text)).map(({ path }) => path)).toEqual([
      'registrations.fields.updatedAt',
      'invoices.fields.updatedAt',
      'registrations.fields.checkedIn',
      'invoices.fields.currency.constant',
    ])
  })
})

describe('the columns of a mapping', () => {
  test('leave out what is granted or constant, and lie in each table once', () => {
    const text = [
      ['{ column: scopes, format: space }', '{ grant: [invoices.read] }'],
      ['currency: currency_code', 'currency: { constant: SAR }'],
    ].reduce((all, [part = '', by = '']) => replacePart(all, part, by), plainYaml)
    const mapping = readMapping(text)
    const columns = listMappedColumns(mapping).map(({ column }) => column)
    expect(columns).not.toContain('scopes')
    expect(columns).not.toContain('currency_code')
    expect(listMappedTables(mapping)).toEqual(['workspace_api_keys', 'event_registrations', 'invoices'])
  })
})
