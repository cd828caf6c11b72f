import { expect, test } from 'vitest'
import type { CrawlState } from '../../src/collections/cursor.js'
import type { ResolvedTable } from '../../src/collections/resolved-table.js'
import { page, tail, toIds, useMeasuredPages } from '../support/measured-pages.js'

/*
 * What a page costs whose workspace is found by a lookup, counted by the server.
 */

const { connection, resolve, measure } = useMeasuredPages('test/database/parent-rows.sql')

/** The most entries that a page visits, in place of 12,000. */
const entriesMax = 1000

const resolveEntries = async (changes: Partial<ResolvedTable> = {}): Promise<ResolvedTable> => {
  const table = await resolve('entries', { from: 'events', on: 'event_id', column: 'account_id' }, {})
  return { ...table, entriesMax, ...changes }
}

test.each([
  ['of many rows', '26', '2026-01-01 00:06:00', 0],
  ['of many rows of one time', '7', '2026-01-02 00:00:00', 1500],
])('a page %s reads the entries that it shows, wherever it begins', async (_, workspaceId, updatedAt, at) => {
  const table = await resolveEntries()
  const all = await listEntries(workspaceId)
  const later = all.filter(({ touched }) => touched >= updatedAt).slice(at)
  const behind = { updatedAt, id: String(later[0]!.id) }
  const first = await measure({ table, workspaceId, behind })
  const next = await measure({ table, workspaceId, behind })
  expect(toIds(next)).toEqual(later.slice(1, 1 + page).map(({ id }) => id))
  expect(next.entries).toBeLessThanOrEqual(page + entriesMax / 40 + tail)
  // Before the first page, its rows are counted up to the limit.
  expect([first.statements, next.statements]).toEqual([2, 1])
  expect(first.entries - next.entries).toBeLessThanOrEqual(2 * entriesMax + tail)
})

test('a page without a record ends behind so many entries, of which it selects nothing but their places', async () => {
  const table = await resolveEntries()
  const behind = { updatedAt: '2026-01-01 00:06:00', id: '0' }
  await measure({ table, workspaceId: '500', behind })
  const read = await measure({ table, workspaceId: '500', behind })
  const visited = (await listEntries('26')).filter(({ touched }) => touched >= behind.updatedAt)
  expect(toIds(read)).toEqual(
    visited
      .slice(entriesMax - 1)
      .slice(0, page)
      .map(({ id }) => id),
  )
  for (const { id: _, updatedAt, 'vitrine match': match, ...others } of read.rows) {
    expect([typeof updatedAt, Number(match)]).toEqual(['string', 0])
    // The word for the case in which no test holds is in no row.
    expect(new Set(Object.values(others))).toEqual(new Set([null, 'VALID']))
  }
  // To where they end, in three steps, then each with its event.
  expect(read.entries).toBeLessThanOrEqual((2 + 1 / 3 + 1 / 40) * entriesMax + page + tail)
  expect(read.keys).toBeLessThanOrEqual(entriesMax + 4 * page + tail)
})

test('a page of few rows is read by them, and near the end of the index by its entries', async () => {
  const table = await resolveEntries()
  const expected = await listEntries('20')
  await measure({ table, workspaceId: '20' })
  const first = await measure({ table, workspaceId: '20' })
  expect(toIds(first)).toEqual(expected.slice(0, page).map(({ id }) => id))
  // The events, and each row with its end.
  expect(first.entries).toBeLessThanOrEqual(expected.length + 2 * 20 + tail)
  // Each event, and the rows of the page alone.
  expect(first.keys).toBeLessThanOrEqual(2 * 20 + 2 * page)
  const behind = await findEntry(expected[99]!.id)
  const deep = await measure({ table, workspaceId: '20', behind })
  expect(toIds(deep)).toEqual(expected.slice(100, 100 + page).map(({ id }) => id))
  const end = await findEntry(100_001 * 3000 + 2990)
  const poll = await measure({ table, workspaceId: '20', behind: end })
  expect([poll.rows, poll.statements]).toEqual([[], 1])
  expect(poll.entries).toBeLessThanOrEqual(3 * 9 + tail)
})

test('without an index that begins with updatedAt and id, each page is read by the rows of the workspace', async () => {
  const { indexes } = await resolveEntries()
  const table = await resolveEntries({
    indexes: indexes.filter(({ columns: [first] }) => first !== 'touched'),
  })
  const expected = await listEntries('500')
  const read = await measure({ table, workspaceId: '500' })
  expect([toIds(read), read.statements]).toEqual([expected.slice(0, page).map(({ id }) => id), 1])
  expect(read.entries).toBeLessThanOrEqual(expected.length + 2 * 500 + tail)
})

async function listEntries(
  workspaceId: string,
): Promise<readonly { readonly id: number; readonly touched: string }[]> {
  const rows = await connection().query(
    `SELECT entries.id, CAST(touched AS CHAR) AS touched FROM entries JOIN events ON events.id = event_id
      WHERE events.account_id = ${workspaceId} ORDER BY entries.touched, entries.id`,
  )
  return rows.map(({ id, touched }) => ({ id: Number(id), touched: String(touched) }))
}

async function findEntry(id: number): Promise<CrawlState['position']> {
  const [row] = await connection().query(
    `SELECT CAST(touched AS CHAR) AS touched FROM entries WHERE id = ${id}`,
  )
  return { updatedAt: String(row!['touched']), id: String(id) }
}
