import { describe, expect, test } from 'vitest'
import type { ResolvedResource } from '../../../src/resources/collection.js'
import { createInvoices } from '../../../src/resources/invoices.js'
import type { Row } from '../../../src/database/statement.js'
import { Problem } from '../../../src/errors.js'
import { toPage, toViewOrNone } from '../../../src/http/page.js'
import type { Page } from '../../../src/http/page.js'
import { decodeCursor } from '../../../src/query/cursor.js'
import type { ListQuery } from '../../../src/query/conditions.js'
import { bindPlain } from '../../support/plain-mapping.js'

/** 2026-03-01T09:30:00.000999Z */
const startedAt = { seconds: Date.UTC(2026, 2, 1, 9, 30) / 1000, micros: 999 }
const skipping = createInvoices(bindPlain().invoices)
const failing: ResolvedResource = { ...skipping, invalidRows: 'fail' }
const scope = { collection: 'invoices', workspaceId: 'W1' }
const filters: ListQuery['filters'] = { updatedSince: undefined, eventId: 'E1', status: 'PAID' }

/** The invoice of a number, as the driver gives it. */
function buildRow(index: number, changed: Row = {}): Row {
  return {
    id: `I${index}`,
    number: `INV-${index}`,
    status: 'PAID',
    total: '115.5000',
    currency: 'SAR',
    issueDate: '2026-03-01',
    dueDate: null,
    createdAt: '2026-03-01 08:00:00.000',
    updatedAt: `2026-03-01 09:00:0${index}.000`,
    ...changed,
  }
}

const buildRows = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => buildRow(index))

interface Outcome extends Page {
  readonly ids: readonly string[]
  readonly invalid: readonly (readonly [string, string | null, string])[]
}

function page(
  rows: readonly Row[],
  limit: number,
  options: Partial<Parameters<typeof toPage>[0]> = {},
): Outcome {
  const invalid: [string, string | null, string][] = []
  const made = toPage({
    collection: skipping,
    workspaceId: 'W1',
    query: { limit, filters, crawl: undefined },
    rows,
    startedAt,
    overlapSeconds: 120,
    onInvalidRow: (...what) => invalid.push(what),
    ...options,
  })
  return { ...made, ids: made.data.map((view) => (view as { id: string }).id), invalid }
}

describe('the cursor of a page', () => {
  test.each([
    [0, 3],
    [2, 3],
    [3, 3],
    [1, 1],
  ])('is null when %i rows were read for a limit of %i', (count, limit) => {
    const { ids, cursor } = page(buildRows(count), limit)
    expect([ids.length, cursor]).toEqual([count, null])
  })

  test('is set when one row more than the limit was read, and that row is not shown', () => {
    const { ids, cursor } = page(buildRows(4), 3)
    expect([ids, cursor]).toEqual([['I0', 'I1', 'I2'], expect.any(String)])
  })

  test('holds the position of the last row of the page, the filters and the start of the crawl', () => {
    const { cursor } = page(buildRows(4), 3)
    expect(decodeCursor(cursor ?? '', scope)).toEqual({
      filters,
      startedAt,
      position: { updatedAt: '2026-03-01 09:00:02.000', id: 'I2' },
    })
  })

  test('holds the position of the last row read when that row cannot be shown', () => {
    const rows = [buildRow(0), buildRow(1, { status: null, updatedAt: null }), buildRow(2)]
    const { ids, cursor } = page(rows, 2)
    expect(ids).toEqual(['I0'])
    expect(decodeCursor(cursor ?? '', scope)?.position).toEqual({ updatedAt: null, id: 'I1' })
  })

  test('is set on a page of which no row can be shown', () => {
    const rows = [0, 1, 2].map((index) => buildRow(index, { total: null }))
    const { ids, cursor } = page(rows, 2)
    expect([ids, decodeCursor(cursor ?? '', scope)?.position.id]).toEqual([[], 'I1'])
  })

  test('belongs to the workspace and the collection of the page', () => {
    const cursor = page(buildRows(2), 1).cursor ?? ''
    expect(decodeCursor(cursor, { ...scope, workspaceId: 'W2' })).toBeUndefined()
    expect(decodeCursor(cursor, { ...scope, collection: 'registrations' })).toBeUndefined()
  })

  test('cannot follow a row without an id', () => {
    const rows = [buildRow(0, { id: null }), buildRow(1)]
    expect(() => page(rows, 1)).toThrow(expect.objectContaining({ code: 'internal_error' }) as Error)
    expect(page(rows.slice(0, 1), 1)).toMatchObject({ data: [], cursor: null })
  })
})

describe('a row that cannot be shown', () => {
  const rows = [buildRow(0), buildRow(1, { currency: 'QQQ' }), buildRow(2)]

  test('is left out and reported with its id and reason under skip', () => {
    const { ids, cursor, invalid } = page(rows, 3)
    expect([ids, cursor]).toEqual([['I0', 'I2'], null])
    expect(invalid).toEqual([['invoices', 'I1', 'currency is not a currency of ISO 4217']])
  })

  test('is reported once and fails the page under fail', () => {
    const seen: unknown[] = []
    const onInvalidRow = (...what: unknown[]): unknown => seen.push(what)
    expect(() => page(rows, 3, { collection: failing, onInvalidRow })).toThrow(
      expect.objectContaining({ code: 'internal_error' }) as Error,
    )
    expect(seen).toEqual([['invoices', 'I1', 'currency is not a currency of ISO 4217']])
  })

  test('behind the end of the page is neither reported nor a failure', () => {
    expect(page(rows, 1, { collection: failing })).toMatchObject({ ids: ['I0'], invalid: [] })
  })

  test('is no record of its own either', () => {
    expect(toViewOrNone(skipping, buildRow(1, { id: null }), () => undefined)).toBeUndefined()
    expect(() => toViewOrNone(failing, buildRow(1, { id: null }), () => undefined)).toThrow(Problem)
  })

  test('hides no failure of the program', () => {
    const broken: ResolvedResource = {
      ...skipping,
      toView: () => {
        throw new TypeError('broken')
      },
    }
    expect(() => page(rows, 3, { collection: broken })).toThrow(TypeError)
  })
})

describe('nextUpdatedSince', () => {
  test('is the start of the crawl less the overlap, cut to the millisecond', () => {
    expect(page([], 1).nextUpdatedSince).toBe('2026-03-01T09:28:00.000Z')
    const late = { ...startedAt, micros: 999_999 }
    expect(page([], 1, { startedAt: late, overlapSeconds: 0 }).nextUpdatedSince).toBe(
      '2026-03-01T09:30:00.999Z',
    )
  })

  test('is the same on every page of the crawl', () => {
    expect(page(buildRows(4), 3).nextUpdatedSince).toBe(page(buildRows(1), 3).nextUpdatedSince)
  })
})
