import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/errors.js'
import type { CrawlState, Filters } from '../../../src/query/cursor.js'
import { encodeCursor } from '../../../src/query/cursor.js'
import { listParameters, parseListQuery } from '../../../src/query/list-query.js'
import { updatedSinceForm } from '../../../src/query/list-query.js'

const rules = { collection: 'invoices', workspaceId: 'W1', statuses: undefined }
const noFilters: Filters = { updatedSince: undefined, eventId: undefined, status: undefined }
const since = { seconds: 1_772_357_400, micros: 0 }

function cursorOf(filters: Filters): { crawl: CrawlState; cursor: string } {
  const crawl = {
    filters,
    startedAt: { seconds: 1_772_400_000, micros: 0 },
    position: { updatedAt: '2026-03-01 09:30:00.123', id: 'I1' },
  }
  return { crawl, cursor: encodeCursor(crawl, rules) }
}

function refusal(
  code: 'invalid_parameter' | 'cursor_mismatch' | 'invalid_cursor',
  parameter: string,
  detail: string,
): Problem {
  return new Problem(code, detail, { parameter })
}

describe('a first page', () => {
  test('without parameters has 25 records and no filter', () => {
    expect(parseListQuery('', rules)).toEqual({ limit: 25, filters: noFilters, crawl: undefined })
  })

  test('takes an offset whose + was not encoded', () => {
    expect(parseListQuery('updatedSince=2026-03-01T12:30:00+03:00', rules).filters.updatedSince).toEqual(
      since,
    )
  })
})

describe('limit', () => {
  test.each(['1', '25', '100', '007'])('of %s is accepted', (text) => {
    expect(parseListQuery(`limit=${text}`, rules).limit).toBe(Number(text))
  })

  test.each(['0', '101', '-1', '1.0', '1e1', '', 'ten', '+5', '%205', '0x5', '1000', '٥', '5,5'])(
    'of %o is refused, with what is allowed',
    (text) => {
      expect(() => parseListQuery(`limit=${text}`, rules)).toThrow(
        refusal('invalid_parameter', 'limit', 'The parameter limit is not a whole number from 1 to 100.'),
      )
    },
  )
})

describe('a filter', () => {
  test.each(['2026-02-30', '2026-03-01T09:30:00', 'yesterday', ''])(
    'updatedSince of %o is refused, with what is allowed',
    (text) => {
      expect(() => parseListQuery(`updatedSince=${text}`, rules)).toThrow(
        refusal(
          'invalid_parameter',
          'updatedSince',
          `The parameter updatedSince is not ${updatedSinceForm}.`,
        ),
      )
    },
  )

  test('updatedSince before the year 0 is refused: a cursor could not carry it', () => {
    expect(() => parseListQuery('updatedSince=0000-01-01T00:00:00%2B01:00', rules)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', parameter: 'updatedSince' }),
    )
  })

  test.each(['eventId', 'status'])('%s of no text is refused', (name) => {
    expect(() => parseListQuery(`${name}=`, rules)).toThrow(
      refusal('invalid_parameter', name, `The parameter ${name} is empty; give it a value or leave it out.`),
    )
  })

  test.each(['eventId', 'status'])('%s may have 200 characters and no more', (name) => {
    expect(parseListQuery(`${name}=${'a'.repeat(200)}`, rules).filters).toMatchObject({
      [name]: 'a'.repeat(200),
    })
    expect(() => parseListQuery(`${name}=${'a'.repeat(201)}`, rules)).toThrow(
      refusal('invalid_parameter', name, `The parameter ${name} is longer than 200 characters.`),
    )
  })

  test('status takes only the words of the mapping, where it has a list', () => {
    const listed = { ...rules, statuses: ['PAID', 'VOID'] }
    expect(parseListQuery('status=VOID', listed).filters.status).toBe('VOID')
    for (const other of ['void', 'VOID ', '2', 'PAID,VOID']) {
      expect(() => parseListQuery(`status=${encodeURIComponent(other)}`, listed)).toThrow(
        refusal('invalid_parameter', 'status', 'The parameter status is not one of PAID, VOID.'),
      )
    }
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

  test('needs its cursor alone, which carries the filters', () => {
    expect(parseListQuery(`cursor=${cursor}`, rules)).toEqual({ limit: 25, filters, crawl })
  })

  test('may repeat the filters of the cursor, in another spelling of the same instant too', () => {
    const search = `status=PAID&eventId=E1&updatedSince=2026-03-01T09:30:00.000Z&cursor=${cursor}`
    expect(parseListQuery(search, rules)).toEqual({ limit: 25, filters, crawl })
  })

  test.each([
    ['updatedSince', '2026-03-01T09:30:00.001Z'],
    ['eventId', 'e1'],
    ['status', 'PAID '],
  ])('with another %s is refused', (name, value) => {
    const search = `cursor=${cursor}&${name}=${encodeURIComponent(value)}`
    expect(() => parseListQuery(search, rules)).toThrow(
      refusal(
        'cursor_mismatch',
        name,
        `The parameter ${name} differs from the one that the cursor carries. Send the cursor alone.`,
      ),
    )
  })

  test.each(['updatedSince=2026-03-01', 'eventId=E1', 'status=PAID'])(
    'with %s that its cursor does not carry is refused',
    (filter) => {
      expect(() => parseListQuery(`${filter}&cursor=${cursorOf(noFilters).cursor}`, rules)).toThrow(
        expect.objectContaining({ code: 'cursor_mismatch', parameter: filter.split('=')[0] }),
      )
    },
  )

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

  test.each(['', 'abc', `${cursor}=`, cursor.slice(1), `${cursor}${cursor}`])(
    'with a cursor that was not given out is refused: %s',
    (text) => {
      expect(() => parseListQuery(`cursor=${text}`, rules)).toThrow(
        refusal('invalid_cursor', 'cursor', 'The cursor cannot be used here. Start again without a cursor.'),
      )
    },
  )
})
