import { describe, expect, test } from 'vitest'
import type { BoundCollection } from '../../../src/collections/collection.js'
import type { Row, RunStatement, QueryContext } from '../../../src/database/statement.js'
import { confirmRecords, findStart, readPage, toMeta } from '../../../src/api/list.js'
import type { PageMeta } from '../../../src/api/list.js'
import { createPageReader } from '../../../src/collections/records.js'
import type { InvalidRow, Records } from '../../../src/collections/records.js'
import { decodeCursor } from '../../../src/collections/cursor.js'
import type { ListQuery } from '../../../src/collections/list-query.js'
import { createTestCaller } from '../../support/scheduler-world.js'
import { resolvePlain } from '../../support/plain-mapping.js'
import { readBy } from '../../support/binary-rows.js'
import { buildInvoiceRow as buildRow } from '../../support/rows.js'
import type { Instant } from '../../../src/values/instant.js'

/** 2026-03-01T09:30:00.000999Z */
const startedAt = { seconds: Date.UTC(2026, 2, 1, 9, 30) / 1000, micros: 999 }
const skipping = resolvePlain().invoices
const failing: BoundCollection = { ...skipping, invalidRows: 'fail' }
const scope = { collection: 'invoices', workspaceId: 'W1' }
const filters: ListQuery['filters'] = { updatedSince: undefined, eventId: 'E1', status: 'PAID' }

interface Outcome extends Records, PageMeta {
  readonly ids: readonly string[]
}

function toRecords(rows: readonly Row[], limit: number, collection: BoundCollection = skipping): Records {
  return readBy(createPageReader(collection, limit), collection.table, rows)
}

function page(
  rows: readonly Row[],
  limit: number,
  options: Partial<Parameters<typeof toMeta>[0]> = {},
): Outcome {
  const collection = options.collection ?? skipping
  const made = toRecords(rows, limit, collection)
  const meta = toMeta({
    page: made,
    collection,
    workspaceId: 'W1',
    crawl: { filters, startedAt },
    overlapSeconds: 120,
    ...options,
  })
  const data = JSON.parse(`[${made.json}]`) as readonly { readonly id: string }[]
  expect(made.count).toBe(data.length)
  return { ...made, ...meta, ids: data.map(({ id }) => id) }
}

const broken: InvalidRow = {
  collection: 'invoices',
  id: 'I1',
  reason: 'total is NULL',
  code: undefined,
  isRepeated: false,
}

describe('the cursor of a page', () => {
  test('is set where rows with one id fill the rows that were read: there can be more behind them', () => {
    const { ids, cursor } = page([buildRow(0), buildRow(1), buildRow(1)], 2)
    expect([ids, cursor]).toEqual([['I0'], expect.any(String)])
  })

  test('holds the position of the last row of the page, the filters and the start of the crawl', () => {
    const { cursor } = page([buildRow(0), buildRow(1), buildRow(2), buildRow(3)], 3)
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

  test('can follow a row without an id', () => {
    const { ids, cursor } = page([buildRow(0, { id: null }), buildRow(1)], 1)
    expect([ids, decodeCursor(cursor ?? '', scope)?.position.id]).toEqual([[], null])
  })
})

describe('a row that cannot be represented', () => {
  const rows = [buildRow(0), buildRow(1, { currency: 'QQQ' }), buildRow(2)]
  const reported: InvalidRow = {
    collection: 'invoices',
    id: 'I1',
    reason: 'currency is not a currency of ISO 4217',
    code: undefined,
    isRepeated: false,
  }

  test('is left out and reported with its id and reason under skip', () => {
    const { ids, cursor, invalid } = page(rows, 3)
    expect([ids, cursor]).toEqual([['I0', 'I2'], null])
    expect(invalid).toEqual([reported])
  })

  test('is one whose id or lookup is not unique, byte for byte, and counts once for the page', () => {
    const rows = [buildRow(0), buildRow(0), buildRow(1), buildRow(2)]
    const { ids, invalid, cursor } = page(rows, 2)
    expect([ids, invalid.map(({ id, isRepeated }) => [id, isRepeated])]).toEqual([['I1'], [['I0', true]]])
    expect(cursor).not.toBeNull()
    const uuids = [Buffer.from([0xff]), Buffer.from([0xfe])].map((id) => buildRow(0, { id }))
    expect(page(uuids, 2).invalid.map(({ isRepeated }) => isRepeated)).toEqual([false, false])
  })

  test('after the end of the page is neither reported nor a failure', () => {
    expect(page(rows, 1)).toMatchObject({ ids: ['I0'], invalid: [] })
  })

  test('does not hide an error of the program', () => {
    const broken: BoundCollection = {
      ...skipping,
      record: () => {
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
    expect(page([], 1, { crawl: { filters, startedAt: late }, overlapSeconds: 0 }).nextUpdatedSince).toBe(
      '2026-03-01T09:30:00.999Z',
    )
  })

  test('is the start of the oldest open transaction, or that of the crawl, less 10 seconds for clocks', () => {
    const next = (seconds: number) => {
      const oldestOpen = { seconds: startedAt.seconds + seconds, micros: 1 }
      return page([], 1, { crawl: { filters, startedAt, oldestOpen } }).nextUpdatedSince
    }
    expect([next(-1), next(-600), next(1)]).toEqual([
      '2026-03-01T09:29:49.000Z',
      '2026-03-01T09:19:50.000Z',
      '2026-03-01T09:29:50.000Z',
    ])
  })
})

const changed = new Error('the schema changed')

/** Confirms records while the schema is the same or has changed. */
async function confirm(
  converted: Pick<Records, 'count' | 'invalid'>,
  isSame: boolean,
  collection = skipping as BoundCollection,
): Promise<{ readonly error: unknown; readonly steps: readonly string[] }> {
  const steps: string[] = []
  const live = {
    confirm: () => {
      steps.push('confirmed')
      return isSame ? Promise.resolve(now) : Promise.reject(changed)
    },
  }
  const onInvalidRow = ({ id }: InvalidRow): unknown => steps.push(`reported ${id}`)
  let error: unknown
  try {
    const clock = await confirmRecords(converted, { live, collection, onInvalidRow })
    expect(clock).toEqual(steps.length === 0 ? undefined : now)
  } catch (thrown) {
    error = thrown
  }
  return { error, steps }
}

test('an answer with every row needs no confirmation of the schema', async () => {
  expect(await confirm({ count: 1, invalid: [] }, false)).toEqual({ error: undefined, steps: [] })
})

test('an empty answer is sent only if the schema is the same', async () => {
  expect(await confirm({ count: 0, invalid: [] }, true)).toEqual({ error: undefined, steps: ['confirmed'] })
  expect(await confirm({ count: 0, invalid: [] }, false)).toEqual({ error: changed, steps: ['confirmed'] })
})

test('a row is left out, reported, or fails the answer, only if the schema is the same', async () => {
  const converted = { count: 1, invalid: [broken] }
  const steps = ['confirmed', 'reported I1']
  expect(await confirm(converted, true)).toEqual({ error: undefined, steps })
  expect(await confirm(converted, true, failing)).toMatchObject({ error: { code: 'internal_error' }, steps })
  expect(await confirm(converted, false, failing)).toEqual({ error: changed, steps: ['confirmed'] })
})

/** 2026-03-01T09:30:00.000500Z, by the database's clock. */
const clock = { startedAt: '2026-03-01 09:30:00.000500' }
const now: Instant = { seconds: Date.UTC(2026, 2, 1, 9, 30) / 1000, micros: 500 }

const noFilters = { updatedSince: undefined, eventId: undefined, status: undefined }

/** Reads a page whose statements get these answers, from data that are complete up to an instant. */
async function read(
  answers: readonly (readonly Row[])[],
  known?: Instant,
  before?: Instant,
): ReturnType<typeof readPage> {
  const left = [...answers]
  const caller = createTestCaller()
  const contexts: (QueryContext | undefined)[] = []
  const runQuery = ((_, context) => {
    contexts.push(context)
    return Promise.resolve(toRecords(left.shift()!, 25))
  }) as RunStatement
  const page = await readPage(
    { runQuery },
    {
      workspaceId: 'W1',
      collection: skipping,
      query: {
        limit: 25,
        filters: noFilters,
        crawl:
          known === undefined
            ? undefined
            : {
                filters: noFilters,
                startedAt: known,
                oldestOpen: before,
                position: { updatedAt: null, id: 'I1' },
              },
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
  findStart(await read(...input), undefined, 0)

test('a crawl begins when its first page is read, by the clock of the same statement', async () => {
  const row = { ...clock, ...buildRow(1) }
  expect(await read([[row]])).toMatchObject({ records: { count: 1 }, startedAt: now })
})

test('a crawl without rows began before a clock that was read later, by the time since then', async () => {
  const empty = { ...(await read([[]])), beganAtMs: 1000 }
  expect(empty.startedAt).toBeUndefined()
  const later = { seconds: now.seconds + 2, micros: 375 }
  expect(findStart(empty, later, 2999.875)).toEqual(now)
})

const at = (seconds: number): Instant => ({ seconds: now.seconds + seconds, micros: 0 })
const toCell = ({ seconds }: Instant): string =>
  new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 19)

test('a crawl counts as begun at the heartbeat in the snapshot of its rows, and on later pages at the earliest one', async () => {
  const beat = (seconds: number): Row => ({ ...clock, heartbeat: toCell(at(seconds)), ...buildRow(1) })
  expect(await readStart([[beat(-600)]])).toEqual(at(-600))
  expect(await readStart([[beat(600)]])).toEqual(now)
  expect(await readStart([[beat(-600)]], at(-5))).toEqual(at(-600))
  expect(await readStart([[beat(-5)]], at(-600))).toEqual(at(-600))
})

test('the oldest open transaction of a crawl is that of all its pages, and known only if each page knows it', async () => {
  const find = async (known: Instant | undefined, { before, here }: { before?: Instant; here?: Instant }) => {
    const row = { ...clock, ...(here && { oldestOpen: toCell(here) }), ...buildRow(1) }
    return (await read([[row]], known, before)).oldestOpen
  }
  expect(await find(undefined, { here: at(-5) })).toEqual(at(-5))
  expect(await find(now, { before: at(-9), here: at(-5) })).toEqual(at(-9))
  expect(await find(now, { before: at(-5), here: at(-9) })).toEqual(at(-9))
  for (const oldest of [{}, { before: at(-5) }, { here: at(-5) }])
    expect(await find(now, oldest)).toBeUndefined()
})

test('a page ends early where its records have too many bytes, and its cursor leads to the rest', () => {
  const number = 'x'.repeat(1_500_000)
  const rows = [0, 1, 2, 3, 4].map((index) => buildRow(index, { number }))
  const { ids, cursor } = page(rows, 100)
  expect([ids, decodeCursor(cursor ?? '', scope)?.position.id]).toEqual([['I0', 'I1', 'I2'], 'I2'])
  expect(page(rows.slice(0, 3), 100).cursor).toBeNull()
})
