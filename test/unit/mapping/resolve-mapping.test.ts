import { describe, expect, test } from 'vitest'
import { resolveMapping } from '../../../src/mapping/resolve-mapping.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'
import { resolvePlain, resolvePlainWith, plainTables, plainYaml } from '../../support/plain-mapping.js'
import { buildSchema } from '../../support/schema.js'

describe('a resolved mapping', () => {
  test('selects the fields of the plain product under their public names', () => {
    const { registrations, invoices } = resolvePlain()
    expect(
      registrations.table.projection.map((one) => [one.as, 'column' in one ? one.column.name : null]),
    ).toEqual([
      ['id', 'id'],
      ['eventId', 'event_id'],
      ['status', 'reg_status'],
      ['name', 'attendee_name'],
      ['email', 'attendee_email'],
      ['checkedInAt', 'checked_in_at'],
      ['createdAt', 'created_at'],
      ['updatedAt', 'updated_at'],
    ])
    expect(invoices.table.projection.map(({ as }) => as)).toEqual([
      'id',
      'number',
      'status',
      'total',
      'currency',
      'issueDate',
      'dueDate',
      'createdAt',
      'updatedAt',
    ])
  })

  test('selects the parts of a name apart, and checkedIn where it has a column', () => {
    const { registrations } = resolveAwkward()
    expect(registrations.table.projection.map(({ as }) => as)).toEqual([
      'id',
      'eventId',
      'status',
      'name',
      'name2',
      'email',
      'checkedIn',
      'checkedInAt',
      'createdAt',
      'updatedAt',
    ])
  })

  test('knows how each identifier is stored', () => {
    const { registrations, invoices } = resolveAwkward()
    expect(registrations.table).toMatchObject({
      workspace: { identifier: 'unsigned' },
      id: { identifier: 'unsigned' },
      eventId: { identifier: 'uuid-swapped' },
      status: { identifier: 'signed' },
    })
    expect(invoices.table).toMatchObject({
      id: { identifier: 'uuid' },
      eventId: {
        table: 'bill_gatherings',
        invoice: { identifier: 'uuid' },
        event: { identifier: 'uuid-swapped' },
      },
      status: { identifier: 'text' },
    })
    expect(resolvePlain().invoices.table.id.identifier).toBe('ascii')
  })

  test('takes the offset for DATETIME columns and none for TIMESTAMP columns', () => {
    const { registrations, invoices, apiKeys } = resolveAwkward()
    expect(registrations.fields.updatedAt.found.zone?.name).toBe('+03:00')
    expect(invoices.fields.issueDate.transform).toBe('from +03:00 to UTC, cut to milliseconds')
    expect(invoices.fields.updatedAt.found.zone).toBeUndefined()
    expect(invoices.fields.dueDate.transform).toBe('from UTC to UTC, cut to milliseconds; null where empty')
    expect(apiKeys.revokedAt?.zone?.name).toBe('+03:00')
    expect(apiKeys.expiresAt?.zone).toBeUndefined()
  })

  test('holds the value that means archived as text, and a boolean as 1 or 0, in the old form too', () => {
    const archivedAs = (test: string): unknown =>
      resolvePlainWith([['registrations', 'archived_at', 'tinyint']], 'is: set', test).registrations.table
        .archived[0]?.is
    const tests = ['equals: 1', 'notEquals: true', 'in: [false]', 'is: { equals: -1 }']
    expect(tests.map(archivedAs)).toEqual([['1'], ['1'], ['0'], ['-1']])
    expect(resolvePlain().registrations.table.archived[0]?.is).toBe('set')
  })

  test('skips rows that cannot be shown unless the mapping says fail', () => {
    expect(resolvePlain().invoices.invalidRows).toBe('skip')
    expect(resolveAwkward().invoices.invalidRows).toBe('fail')
  })

  test('finds columns in any case, and calls them as the server does', () => {
    const bound = resolvePlainWith([], 'email: attendee_email', 'email: Attendee_EMAIL')
    expect(bound.registrations.fields.email.projection).toMatchObject([
      { column: { name: 'attendee_email' } },
    ])
  })

  test('reads public words as the mapping has them', () => {
    const { found } = resolveAwkward().registrations.fields.status
    expect([...(('values' in found && found.values) || [])]).toEqual([
      ['1', 'CONFIRMED'],
      ['2', 'PENDING'],
      ['3', 'CANCELLED'],
      ['7', 'CONFIRMED'],
    ])
  })

  test('joins the parts of a name by a blank where the mapping does not say', () => {
    const bound = resolvePlainWith(
      [],
      'name: attendee_name',
      'name: { columns: [attendee_name, attendee_email] }',
    )
    expect(bound.registrations.fields.name.read({ name: 'Noura', name2: 'Al Qahtani' })).toBe(
      'Noura Al Qahtani',
    )
  })

  test('has the currency of the mapping where it is constant, and selects none', () => {
    const { fields, table } = resolvePlainWith(
      [],
      'currency: currency_code',
      'currency: { constant: SAR }',
    ).invoices
    expect(fields.currency.constant).toBe('SAR')
    expect(table.projection.map(({ as }) => as)).not.toContain('currency')
  })

  test('has no index under a view', () => {
    expect(resolveAwkward().invoices.table.indexes).toHaveLength(2)
    const view = { ...plainTables.invoices, indexes: [] }
    const schema = buildSchema(plainTables.keys, plainTables.registrations, view)
    expect(resolveMapping(readMapping(plainYaml), schema).invoices?.table.indexes).toEqual([])
  })
})
