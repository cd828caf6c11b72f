import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { Problem } from '../../../src/errors.js'
import type { CrawlState, Filters } from '../../../src/collections/cursor.js'
import { encodeCursor } from '../../../src/collections/cursor.js'
import { listParameters, parseListQuery } from '../../../src/collections/list-query.js'

const refused = parse(readFileSync('test/unit/collections/updated-since.yaml', 'utf8')) as [string, string][]
const rules = { collection: 'invoices', workspaceId: 'W1', statuses: undefined }
const noFilters: Filters = { updatedSince: undefined, eventId: undefined, status: undefined }
const since = { seconds: 1_772_357_400, micros: 0 }

function cursorOf(filters: Filters): { crawl: CrawlState; cursor: string } {
  const crawl = {
    filters,
    startedAt: { seconds: 1_772_400_000, micros: 0 },
    position: { updatedAt: '2026-03-01 09:30:00.123', id: 'I1' },
  }
  return { crawl, cursor: encodeCursor(crawl, crawl.position, rules) }
}

type Code = 'invalid_parameter' | 'cursor_mismatch' | 'invalid_cursor'
function expectRefusal(search: string, code: Code, parameter: string, detail: string, statuses?: string[]) {
  const of = { ...rules, statuses }
  expect(() => parseListQuery(search, of)).toThrow(new Problem(code, detail, { parameter }))
}

test('a first page without parameters has 25 records and no filter', () => {
  expect(parseListQuery('', rules)).toEqual({ limit: 25, filters: noFilters, crawl: undefined })
})

describe('limit', () => {
  test.each(['1', '25', '100', '007'])('of %s is accepted', (text) => {
    expect(parseListQuery(`limit=${text}`, rules).limit).toBe(Number(text))
  })

  const noNumber = 'is not a whole number from 1 to 100'
  test.each([
    ...['1.0', '1e1', 'ten', '+5', '%205', '0x5', '٥', '5,5', '1234567'].map((text) => [text, noNumber]),
    ...['0', '101', '-1', '1000'].map((text) => [text, `is ${text}; it can be 1 to 100`]),
    ['', 'is empty; give it a value or leave it out'],
    ['null', 'is the word null; leave it out or give it a number'],
  ])('of %o is refused, with what was found and what is allowed', (text, found) => {
    expectRefusal(`limit=${text}`, 'invalid_parameter', 'limit', `The parameter limit ${found}.`)
  })
})

describe('a filter', () => {
  test.each(refused)('updatedSince of %o is refused, with what was found', (text, found) => {
    const detail = `The parameter updatedSince ${found}.`
    expectRefusal(`updatedSince=${text}`, 'invalid_parameter', 'updatedSince', detail)
  })

  test.each(['eventId', 'status'])('%s may have 1 to 200 characters', (name) => {
    const longest = 'a'.repeat(200)
    expect(parseListQuery(`${name}=${longest}`, rules).filters).toMatchObject({ [name]: longest })
    for (const [value, found] of [
      ['', 'is empty; give it a value or leave it out'],
      [`${longest}a`, 'is longer than 200 characters'],
    ] as const)
      expectRefusal(`${name}=${value}`, 'invalid_parameter', name, `The parameter ${name} ${found}.`)
  })

  test.each([
    ['void ', 'is not one of PAID, VOID'],
    ['secret', 'is not one of PAID, VOID'],
    ['undefined', 'is the word undefined; leave it out for all statuses'],
  ])('status of %o is refused where the mapping has a list, with what was found', (other, found) => {
    const statuses = ['PAID', 'VOID']
    expect(parseListQuery('status=VOID', { ...rules, statuses }).filters.status).toBe('VOID')
    const detail = `The parameter status ${found}.`
    expectRefusal(`status=${encodeURIComponent(other)}`, 'invalid_parameter', 'status', detail, statuses)
  })

  test('of another name is refused', () => {
    expect(listParameters).toEqual(['limit', 'cursor', 'updatedSince', 'eventId', 'status'])
    expect(() => parseListQuery('updated_since=2026-03-01', rules)).toThrow(
      expect.objectContaining({ code: 'unknown_parameter', parameter: 'updated_since' }),
    )
  })
})

describe('a next page', () => {
  const filters = { updatedSince: since, eventId: 'E1', status: 'PAID' }
  const { crawl, cursor } = cursorOf(filters)

  test.each([
    'alone, which carries the filters',
    'and may repeat them, the instant in another spelling: &status=PAID&eventId=E1&updatedSince=2026-03-01T12:30:00.000+03:00',
  ])('needs its cursor %s', (what) => {
    const search = `cursor=${cursor}${what.split(': ')[1] ?? ''}`
    expect(parseListQuery(search, rules)).toEqual({ limit: 25, filters, crawl })
  })

  test.each([
    ['updatedSince', '2026-03-01T09:30:00.001Z'],
    ['eventId', 'e1'],
    ['status', 'PAID '],
  ])('with another %s is refused', (name, value) => {
    const detail = `The parameter ${name} differs from the one that the cursor carries. Send the cursor alone.`
    for (const text of [cursor, cursorOf(noFilters).cursor])
      expectRefusal(`cursor=${text}&${name}=${encodeURIComponent(value)}`, 'cursor_mismatch', name, detail)
  })

  test('whose cursor has a status that the mapping does not list is refused', () => {
    const forged = cursorOf({ ...noFilters, status: 'x'.repeat(20) }).cursor
    for (const [statuses, text] of [
      [['PAID'], forged],
      [undefined, cursorOf({ ...noFilters, status: 'x'.repeat(201) }).cursor],
    ] as const)
      expect(() => parseListQuery(`cursor=${text}`, { ...rules, statuses })).toThrow(
        expect.objectContaining({ code: 'invalid_cursor' }) as Error,
      )
    expect(parseListQuery(`cursor=${forged}`, rules).filters.status).toHaveLength(20)
  })

  const foreign = 'is not of this list and workspace, or it was changed'
  test.each([
    ['', 'is empty; give it a value or leave it out'],
    ['null', 'is the word null; meta.cursor is null on the last page, which no page follows'],
    ...[`${cursor}=`, `%22${cursor}%22`, 'abc', cursor.slice(1), `${cursor}${cursor}`].map((text) => [
      text,
      foreign,
    ]),
  ])('with a cursor that was not given out is refused: %s', (text, found) => {
    const detail = `The cursor ${found}. Start again without a cursor.`
    expectRefusal(`cursor=${text}`, 'invalid_cursor', 'cursor', detail)
  })
})
