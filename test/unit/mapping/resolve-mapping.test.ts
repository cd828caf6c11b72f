import { describe, expect, test } from 'vitest'
import { resolvePlain, resolvePlainWith } from '../../support/plain-mapping.js'

describe('a resolved mapping', () => {
  test('holds the value that means archived as text, and a boolean as 1 or 0, in the old form too', () => {
    const archivedAs = (test: string): unknown =>
      resolvePlainWith([['registrations', 'archived_at', 'tinyint']], 'is: set', test).registrations.table
        .archived[0]?.is
    const tests = ['equals: 1', 'notEquals: true', 'in: [false]', 'is: { equals: -1 }']
    expect(tests.map(archivedAs)).toEqual([['1'], ['1'], ['0'], ['-1']])
    expect(resolvePlain().registrations.table.archived[0]?.is).toBe('set')
  })

  test('finds columns in any case, and calls them as the server does', () => {
    const bound = resolvePlainWith([], 'email: attendee_email', 'email: Attendee_EMAIL')
    expect(bound.registrations.fields.email.projection).toMatchObject([
      { column: { name: 'attendee_email' } },
    ])
  })
})
