import { describe, expect, test } from 'vitest'
import type { BoundCollection } from '../../../src/collections/collection.js'
import type { Row } from '../../../src/database/statement.js'
import { confirmRecords, isDoubtful, toMeta } from '../../../src/api/list.js'
import type { PageMeta } from '../../../src/api/list.js'
import { PageReader } from '../../../src/collections/records.js'
import type { InvalidRow, Records } from '../../../src/collections/records.js'
import { decodeCursor } from '../../../src/collections/cursor.js'
import type { ListQuery } from '../../../src/collections/list-query.js'
import { resolvePlain } from '../../support/plain-mapping.js'
import { readBy } from '../../support/binary-rows.js'
import { buildInvoiceRow as buildRow } from '../../support/rows.js'

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
  return readBy(new PageReader(collection, limit), collection.table, rows)
}

function page(
  rows: readonly Row[],
  limit: number,
  { collection = skipping }: { readonly collection?: BoundCollection } = {},
): Outcome {
  const made = toRecords(rows, limit, collection)
  const meta = toMeta(made, { filters, startedAt }, { collection, workspaceId: 'W1', overlapSeconds: 120 })
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
      return isSame ? Promise.resolve() : Promise.reject(changed)
    },
  }
  const onInvalidRow = ({ id }: InvalidRow): unknown => steps.push(`reported ${id}`)
  let error: unknown
  try {
    if (isDoubtful(converted)) await confirmRecords(converted, { live, collection, onInvalidRow })
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
