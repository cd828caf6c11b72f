import { describe, expect, test } from 'vitest'
import type { ResolvedResource } from '../../../src/resources/resource.js'
import type { Row, RunQuery, QueryContext } from '../../../src/database/statement.js'
import { Problem } from '../../../src/errors.js'
import { toPage, toViewOrNone, convertRows, readPage } from '../../../src/http/page.js'
import type { InvalidRow, OnInvalidRow, Page } from '../../../src/http/page.js'
import { decodeCursor } from '../../../src/query/cursor.js'
import type { ListQuery } from '../../../src/query/list-query.js'
import { resolvePlain } from '../../support/plain-mapping.js'
import { buildInvoiceRow as buildRow } from '../../support/rows.js'
import type { Instant } from '../../../src/values/instant.js'

/** 2026-03-01T09:30:00.000999Z */
const startedAt = { seconds: Date.UTC(2026, 2, 1, 9, 30) / 1000, micros: 999 }
const skipping = resolvePlain().invoices
const failing: ResolvedResource = { ...skipping, invalidRows: 'fail' }
const scope = { collection: 'invoices', workspaceId: 'W1' }
const filters: ListQuery['filters'] = { updatedSince: undefined, eventId: 'E1', status: 'PAID' }

const buildRows = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => buildRow(index))

interface Outcome extends Page {
  readonly ids: readonly string[]
  readonly invalid: readonly InvalidRow[]
}

function page(
  rows: readonly Row[],
  limit: number,
  options: Partial<Parameters<typeof toPage>[0]> = {},
): Outcome {
  const invalid: InvalidRow[] = []
  const made = toPage({
    resource: skipping,
    workspaceId: 'W1',
    query: { limit, filters, crawl: undefined },
    rows,
    startedAt,
    overlapSeconds: 120,
    onInvalidRow: (row) => invalid.push(row),
    ...options,
  })
  return { ...made, ids: made.data.map((view) => (view as { id: string }).id), invalid }
}

const broken: InvalidRow = { collection: 'invoices', id: 'I1', reason: 'total is NULL', code: undefined }

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

  test('is set when one row more than the limit was read, and that row is not on the page', () => {
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

  test('holds the position of the last row read when that row is invalid', () => {
    const rows = [buildRow(0), buildRow(1, { status: null, updatedAt: null }), buildRow(2)]
    const { ids, cursor } = page(rows, 2)
    expect(ids).toEqual(['I0'])
    expect(decodeCursor(cursor ?? '', scope)?.position).toEqual({ updatedAt: null, id: 'I1' })
  })

  test('is set on a page whose rows are all invalid', () => {
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

describe('a row that cannot be represented', () => {
  const rows = [buildRow(0), buildRow(1, { currency: 'QQQ' }), buildRow(2)]
  const reported: InvalidRow = {
    collection: 'invoices',
    id: 'I1',
    reason: 'currency is not a currency of ISO 4217',
    code: undefined,
  }

  test('is left out and reported with its id and reason under skip', () => {
    const { ids, cursor, invalid } = page(rows, 3)
    expect([ids, cursor]).toEqual([['I0', 'I2'], null])
    expect(invalid).toEqual([reported])
  })

  test('is reported once and fails the page under fail', () => {
    const seen: unknown[] = []
    const onInvalidRow = (row: unknown): unknown => seen.push(row)
    expect(() => page(rows, 3, { resource: failing, onInvalidRow })).toThrow(
      expect.objectContaining({ code: 'internal_error' }) as Error,
    )
    expect(seen).toEqual([reported])
  })

  test('after the end of the page is neither reported nor a failure', () => {
    expect(page(rows, 1, { resource: failing })).toMatchObject({ ids: ['I0'], invalid: [] })
  })

  test('is not found as a single record, or fails it under fail', () => {
    expect(toViewOrNone(skipping, buildRow(1, { id: null }), () => undefined)).toBeUndefined()
    expect(() => toViewOrNone(failing, buildRow(1, { id: null }), () => undefined)).toThrow(Problem)
  })

  test('does not hide an error of the program', () => {
    const broken: ResolvedResource = {
      ...skipping,
      toView: () => {
        throw new TypeError('broken')
      },
    }
    expect(() => page(rows, 3, { resource: broken })).toThrow(TypeError)
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

const changed = new Error('the schema changed')

interface Conversion {
  readonly result: unknown
  /** Confirmations and reports, in order. */
  readonly steps: readonly string[]
}

/** Converts rows to an answer that is empty without a record, while the schema is the same or has changed. */
async function answer(
  convert: (onInvalidRow: OnInvalidRow) => readonly string[],
  isSame: boolean,
): Promise<Conversion> {
  const steps: string[] = []
  const result: unknown = await convertRows({
    convert,
    isEmpty: (records) => records.length === 0,
    confirm: () => {
      steps.push('confirmed')
      return isSame ? Promise.resolve() : Promise.reject(changed)
    },
    onInvalidRow: ({ id }) => steps.push(`reported ${id}`),
  }).catch((error: unknown) => error)
  return { result, steps }
}

const skipOne = (onInvalidRow: OnInvalidRow): readonly string[] => {
  onInvalidRow(broken)
  return ['I2']
}
const failure = new Error('A stored record cannot be shown')
const failAtOne = (onInvalidRow: OnInvalidRow): never => {
  onInvalidRow(broken)
  throw failure
}
const failAtAll = (): never => {
  throw failure
}

test('an answer with every row needs no confirmation of the schema', async () => {
  expect(await answer(() => ['I1'], false)).toEqual({ result: ['I1'], steps: [] })
})

test('an empty answer is sent only if the schema is the same', async () => {
  expect(await answer(() => [], true)).toEqual({ result: [], steps: ['confirmed'] })
  expect(await answer(() => [], false)).toEqual({ result: changed, steps: ['confirmed'] })
})

test('a row is left out, and reported, only if the schema is the same', async () => {
  expect(await answer(skipOne, true)).toEqual({ result: ['I2'], steps: ['confirmed', 'reported I1'] })
  expect(await answer(skipOne, false)).toEqual({ result: changed, steps: ['confirmed'] })
})

test('an answer fails because of a row only if the schema is the same', async () => {
  expect(await answer(failAtOne, true)).toEqual({ result: failure, steps: ['confirmed', 'reported I1'] })
  expect(await answer(failAtOne, false)).toEqual({ result: changed, steps: ['confirmed'] })
})

test('an answer fails for another reason only if the schema is the same', async () => {
  expect(await answer(failAtAll, true)).toEqual({ result: failure, steps: ['confirmed'] })
  expect(await answer(failAtAll, false)).toEqual({ result: changed, steps: ['confirmed'] })
})

/** 2026-03-01T09:30:00.000500Z, by the database's clock. */
const clock = { startedAt: '2026-03-01 09:30:00.000500' }
const now: Instant = { seconds: Date.UTC(2026, 2, 1, 9, 30) / 1000, micros: 500 }

const noFilters = { updatedSince: undefined, eventId: undefined, status: undefined }

/** Reads a page whose statements get these answers, from data that are complete up to an instant. */
async function read(
  answers: readonly (readonly Row[])[],
  dataTime: Instant | undefined,
  known?: Instant,
): ReturnType<typeof readPage> {
  const left = [...answers]
  const caller = { destroyed: false }
  const contexts: (QueryContext | undefined)[] = []
  const runQuery: RunQuery = (_, context) => {
    contexts.push(context)
    return Promise.resolve(left.shift()!)
  }
  const page = await readPage(
    { runQuery, findDataTime: () => dataTime },
    {
      workspaceId: 'W1',
      table: resolvePlain().invoices.table,
      query: {
        limit: 25,
        filters: noFilters,
        crawl:
          known === undefined
            ? undefined
            : { filters: noFilters, startedAt: known, position: { updatedAt: null, id: 'I1' } },
      },
      caller,
    },
  )
  expect(left).toEqual([])
  for (const context of contexts) expect(context).toMatchObject({ caller, workspaceId: 'W1' })
  return page
}

/** When a crawl counts as begun whose page comes from data of some time. */
const readStart = async (...input: Parameters<typeof read>): Promise<Instant> =>
  (await read(...input)).startedAt

test('rows that were committed between an empty read and the clock are part of the first page', async () => {
  expect(await read([[], [clock], [clock]], undefined)).toEqual({ rows: [clock], startedAt: now })
})

test('a crawl begins when its first page is read, by the clock in the rows or of a separate statement', async () => {
  expect(await readStart([[clock]], undefined)).toEqual(now)
  expect(await readStart([[], [clock], []], undefined)).toEqual(now)
})

test('a crawl over data of a lagging replica counts as begun when these data end', async () => {
  const earlier = { seconds: now.seconds - 600, micros: 900_000 }
  expect(await readStart([[clock]], earlier)).toEqual(earlier)
  expect(await readStart([[], [clock], []], earlier)).toEqual(earlier)
  expect(await readStart([[clock]], { ...now, micros: 499 })).toEqual({ ...now, micros: 499 })
})

test('a crawl whose later page comes from such data counts as begun when these data end, on all later pages', async () => {
  const earlier = { seconds: now.seconds - 600, micros: 0 }
  expect(await readStart([[]], earlier, now)).toEqual(earlier)
  expect(await readStart([[]], undefined, earlier)).toEqual(earlier)
  expect(await readStart([[]], now, earlier)).toEqual(earlier)
})
