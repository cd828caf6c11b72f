import { describe, expect, test } from 'vitest'
import type { Filters } from '../../../src/query/cursor.js'
import type { ListQuery } from '../../../src/query/list-query.js'
import { bindIdentifier } from '../../../src/query/bound-values.js'
import { planList } from '../../../src/query/list-plan.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'
import { resolvePlain } from '../../support/plain-mapping.js'
import { buildColumn } from '../../support/schema.js'

const noFilters: Filters = { updatedSince: undefined, eventId: undefined, status: undefined }
const firstPage: ListQuery = { limit: 25, filters: noFilters, crawl: undefined }
const plain = resolvePlain().registrations.table
const awkward = resolveAwkward()
const since = { seconds: 1_772_357_400, micros: 123_456 }

function nextPage(updatedAt: string | null, id: string, filters = noFilters): ListQuery {
  return { limit: 25, filters, crawl: { filters, startedAt: since, position: { updatedAt, id } } }
}

describe('the plan of a list', () => {
  test('holds its workspace, and one row more than the page', () => {
    const { shape, values } = planList(plain, 'W1', { ...firstPage, limit: 100 })
    expect([...values]).toEqual([
      ['workspace', 'W1'],
      ['limit', '101'],
    ])
    expect(shape).toEqual({
      since: false,
      event: false,
      status: undefined,
      way: 'direct',
      position: undefined,
      clock: true,
      impossible: false,
    })
  })

  test('moves updatedSince up to the digits of the column, and leaves a TIMESTAMP in UTC', () => {
    const filters = { ...noFilters, updatedSince: since }
    expect(planList(plain, 'W1', { ...firstPage, filters }).values.get('since')).toBe(
      '2026-03-01 09:30:00.124',
    )
    expect(planList(awkward.invoices.table, '7', { ...firstPage, filters }).values.get('since')).toBe(
      '2026-03-01 09:30:00.123456',
    )
  })

  test('goes on behind a row that has no time', () => {
    const { values, shape } = planList(awkward.registrations.table, '7', nextPage(null, '12'))
    expect(values.has('positionTime')).toBe(false)
    expect(values.get('positionId')).toBe('12')
    expect(shape.position).toEqual({ hasTime: false, hasId: true })
  })

  test.each<[string, Partial<Filters>]>([
    ['an event that no column could hold', { eventId: '12abc' }],
    ['an event in capitals of a UUID', { eventId: '00112233-4455-1677-8899-AABBCCDDEEFF' }],
    ['a status that the mapping does not show', { status: '1' }],
    ['an instant beyond every year', { updatedSince: { seconds: 253_402_300_799, micros: 0 } }],
  ])('is impossible for %s, and binds nothing for it', (_what, filter) => {
    const filters = { ...noFilters, ...filter }
    const { shape, values } = planList(awkward.registrations.table, '7', { ...firstPage, filters })
    expect(shape.impossible).toBe(true)
    expect([...values.keys()]).toEqual(['workspace', 'limit'])
  })

  test.each([
    ['2026-03-01 09:30:00', 'x'],
    ['12', '5'],
  ])('rejects a cursor whose position the columns could not hold: %s, %s', (updatedAt, id) => {
    expect(() => planList(awkward.registrations.table, '7', nextPage(updatedAt, id))).toThrow(
      expect.objectContaining({ code: 'invalid_cursor' }) as Error,
    )
  })

  test('is impossible for a workspace that the column could not hold', () => {
    expect(planList(awkward.registrations.table, 'W1', firstPage).shape.impossible).toBe(true)
  })
})

describe('text for a column', () => {
  test('that ends in a blank is in no CHAR, which drops it', () => {
    const char = { column: buildColumn('id', 'char(26) ascii_bin'), identifier: 'ascii' } as const
    const varchar = { column: buildColumn('id', 'varchar(26) ascii_bin'), identifier: 'ascii' } as const
    expect(bindIdentifier(char, 'a ')).toBeUndefined()
    expect(bindIdentifier(char, ' a')).toBe(' a')
    expect(bindIdentifier(varchar, 'a ')).toBe('a ')
  })
})
