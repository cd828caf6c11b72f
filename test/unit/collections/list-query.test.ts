import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { Problem } from '../../../src/problems.js'
import type { CrawlState, Filters } from '../../../src/collections/cursor.js'
import { encodeCursor } from '../../../src/collections/cursor.js'
import { listParameters, parseListQuery, parseQueryString } from '../../../src/collections/list-query.js'

type Case = [value: string, found: string]
const refused = parse(readFileSync('test/unit/collections/list-query.yaml', 'utf8')) as Record<string, Case[]>
const rules = { collection: 'invoices', workspaceId: 'W1', statuses: undefined }
const listed = { ...rules, statuses: ['PAID', 'VOID'] }
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
function expectRefusal(search: string, code: Code, parameter: string, detail: string) {
  expect(() => parseListQuery(search, listed)).toThrow(new Problem(code, detail, { parameter }))
}

test('a first page without parameters has 25 records and no filter', () => {
  for (const search of ['', '&&'])
    expect(parseListQuery(search, rules)).toEqual({ limit: 25, filters: noFilters, crawl: undefined })
})

test.each(['1', '25', '100', '007'])('a limit of %s is accepted', (text) => {
  expect(parseListQuery(`limit=${text}&status=VOID`, listed)).toMatchObject({
    limit: Number(text),
    filters: { status: 'VOID' },
  })
})

describe.each(Object.entries(refused))('%s', (name, cases) => {
  test.each(cases)('of %o is refused, with what was found', (text, found) => {
    expectRefusal(`${name}=${text}`, 'invalid_parameter', name, `The parameter ${name} ${found}.`)
  })
})

test.each(['eventId', 'status'])('%s may have 200 characters', (name) => {
  const longest = 'a'.repeat(200)
  expect(parseListQuery(`${name}=${longest}`, rules).filters).toMatchObject({ [name]: longest })
  const detail = `The parameter ${name} is longer than 200 characters.`
  expectRefusal(`${name}=${longest}a`, 'invalid_parameter', name, detail)
})

test('a value that a URL library wrote is read as it was meant', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (status) => {
      const search = new URLSearchParams({ limit: '', status }).toString()
      expect([...parseQueryString(`${search}&`, listParameters)]).toEqual([
        ['limit', ''],
        ['status', status],
      ])
    }),
  )
  expect([...parseQueryString('st%61tus=a=b+c%2B&limit', listParameters)]).toEqual([
    ['status', 'a=b c+'],
    ['limit', ''],
  ])
})

const allowed = 'Allowed are limit, cursor, updatedSince, eventId, status.'
test.each([
  ['limit=5&Status=PAID', 'Status', `"Status". Did you mean status? ${allowed}`],
  ['updated_since=2026', 'updated_since', `"updated_since". Did you mean updatedSince? ${allowed}`],
  ['sort=1', 'sort', `"sort". ${allowed}`],
  ['__proto__=1', '__proto__', `"__proto__". ${allowed}`],
  ['=1', '', `"". ${allowed}`],
  // Broken UTF-8, without its value.
  ['%FF=1', '%FF', `"%FF". ${allowed}`],
  [`${'!'.repeat(5000)}=1`, `${'!'.repeat(64)}…`, `"${'!'.repeat(64)}…". ${allowed}`],
  // A key without a name in front of it.
  ['evk_1234567890abcdefghijklmnopqrstuvwxyz', 'evk_1234…', `"evk_1234…". ${allowed}`],
])('%.40s is refused, with the names that there are', (search, parameter, detail) => {
  const problem = new Problem('unknown_parameter', `There is no parameter ${detail}`, { parameter })
  expect(() => parseListQuery(search, rules)).toThrow(problem)
})

test('a parameter of a route without any is refused, and says that there are none', () => {
  const detail = 'There is no parameter "limit". This route has none.'
  expect(() => parseQueryString('limit=5', [])).toThrow(detail)
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
    ['status', 'VOID'],
  ])('with another %s is refused', (name, value) => {
    const detail = `The parameter ${name} differs from the one that the cursor carries. Send the cursor alone.`
    for (const text of [cursor, cursorOf(noFilters).cursor])
      expectRefusal(`cursor=${text}&${name}=${value}`, 'cursor_mismatch', name, detail)
  })

  test('whose cursor has a status that the mapping does not list, or that is too long, is refused', () => {
    const forged = cursorOf({ ...noFilters, status: 'x'.repeat(20) }).cursor
    for (const [own, text] of [
      [listed, forged],
      [rules, cursorOf({ ...noFilters, status: 'x'.repeat(201) }).cursor],
    ] as const)
      expect(() => parseListQuery(`cursor=${text}`, own)).toThrow(
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
    const detail = `The cursor ${found}. Start again without a cursor, with the same updatedSince.`
    expectRefusal(`cursor=${text}`, 'invalid_cursor', 'cursor', detail)
  })
})
