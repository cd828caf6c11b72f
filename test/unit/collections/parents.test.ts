import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Row } from '../../../src/database/statement.js'
import { chooseAccessPath } from '../../../src/collections/parents.js'
import type { AccessPath } from '../../../src/collections/parents.js'
import type { ResolvedTable } from '../../../src/collections/resolved-table.js'
import { resolveLookups } from '../../support/ticket-mapping.js'

const minuteMs = 60_000
const noFilters = { updatedSince: undefined, eventId: undefined, status: undefined }

/** Chooses for one table, and counts the statements. */
function createChooser(table: ResolvedTable, keys: readonly string[] = ['5', '6']) {
  let statements = 0
  const runQuery = (): Promise<Row[]> => {
    statements += 1
    return Promise.resolve(keys.map((key) => ({ 'vitrine parent': key })))
  }
  return {
    choose: async (workspaceId: string, eventId?: string): Promise<AccessPath> =>
      chooseAccessPath({ table, workspaceId, filters: { ...noFilters, eventId }, runQuery, context: {} }),
    count: () => statements,
  }
}

/** Resolved anew, so that nothing is known of it. */
const resolve = (): ResolvedTable => resolveLookups().registrations.table

describe('the parent rows with many rows', () => {
  let nowMs = 1000
  beforeEach(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test('are read once in five minutes for each workspace, however often its pages are read', async () => {
    const { choose, count } = createChooser(resolve())
    const counts: number[] = []
    for (const workspaceId of ['7', '7', '8', '7']) {
      expect(await choose(workspaceId)).toEqual(['5', '6'])
      counts.push(count())
      nowMs += 2 * minuteMs
    }
    expect(counts).toEqual([1, 1, 2, 3])
  })

  test('are kept of a bounded number of workspaces, and in a bounded number of bytes', async () => {
    const few = createChooser(resolve(), [])
    for (let workspace = 0; workspace <= 10_000; workspace += 1) await few.choose(String(workspace))
    await few.choose('10000')
    expect(few.count()).toBe(10_001)
    await few.choose('0')
    expect(few.count()).toBe(10_002)

    const long = createChooser(
      resolve(),
      Array.from({ length: 128 }, () => 'x'.repeat(255)),
    )
    for (let workspace = 0; workspace < 200; workspace += 1) await long.choose(String(workspace))
    await long.choose('199')
    expect(long.count()).toBe(200)
    await long.choose('0')
    expect(long.count()).toBe(201)
  })
})

test('no statement is sent where they change nothing', async () => {
  const table = resolve()
  const { choose, count } = createChooser(table)
  expect(await choose('7', '5')).toBe('direct')
  const unordered = createChooser({ ...table, indexes: [{ name: 'event', columns: ['event_id', 'id'] }] })
  const view = createChooser({ ...table, indexes: [], isView: true })
  expect([await unordered.choose('7'), await view.choose('7')]).toEqual([[], []])
  expect([count(), unordered.count(), view.count()]).toEqual([0, 0, 0])
})
