import { expect, test } from 'vitest'
import type { CrawlState } from '../../src/collections/cursor.js'
import { page, tail, toIds, useMeasuredPages } from '../support/measured-pages.js'

/*
 * What a page costs whose workspace is found by a lookup, counted by the server.
 */

const { connection, resolve, measure } = useMeasuredPages('test/database/parent-rows.sql')

const through = { from: 'events', on: 'event_id', column: 'account_id' }

/** The workspaces with large events, and how many of these they have. */
const workspaces = [
  ['26', 26],
  ['700', 3],
] as const
/** Events of 12 tickets, all of which are read, with the end of each; and the rows of the events. */
const small = { 26: 26 + tail, 700: 100 * 13 + 103 + tail }

test.each(workspaces)(
  'workspace %s reads at most limit + 1 entries for each of %i events with many rows, and none of another workspace',
  async (workspaceId, events) => {
    const table = await resolve('entries', through, {})
    const expected = await listEntries(workspaceId)
    const [middle, since] = [Math.floor(expected.length / 2), '2026-01-01T00:10:00Z']
    await measure({ table, workspaceId })
    const behind = await findEntry(expected[middle]!.id)
    const later = expected.filter(({ touched }) => touched >= '2026-01-01 00:10:00')
    for (const [wanted, rows] of [
      [{}, expected],
      [{ behind }, expected.slice(middle + 1)],
      [{ search: `updatedSince=${since}` }, later],
    ] as const) {
      const read = await measure({ table, workspaceId, ...wanted })
      expect(toIds(read)).toEqual(rows.slice(0, page).map(({ id }) => id))
      expect(read.entries).toBeLessThanOrEqual(events * page + small[workspaceId])
      expect(read.statements).toBe(1)
    }
  },
)

test('a page counts at most 200 entries of each parent row before the first page, and none before the next', async () => {
  const table = await resolve('entries', through, {})
  const first = await measure({ table, workspaceId: '26' })
  const next = await measure({ table, workspaceId: '26' })
  expect([first.statements, next.statements]).toEqual([2, 1])
  expect(first.entries - next.entries).toBeLessThanOrEqual(26 * 200 + 26 + tail)
})

test('a page is read by its rows where its events have few, and none of another workspace', async () => {
  const table = await resolve('entries', through, {})
  const expected = await listEntries('600')
  await measure({ table, workspaceId: '600' })
  const first = await measure({ table, workspaceId: '600' })
  expect(toIds(first)).toEqual(expected.slice(0, page).map(({ id }) => id))
  // The events, and each row with its end.
  expect(first.entries).toBeLessThanOrEqual(expected.length + 2 * 600 + tail)
  const behind = await findEntry(expected[999]!.id)
  const deep = await measure({ table, workspaceId: '600', behind })
  expect(toIds(deep)).toEqual(expected.slice(1000, 1000 + page).map(({ id }) => id))
})

test('a page of one event reads limit + 1 entries, and an event of another workspace none', async () => {
  const table = await resolve('entries', through, {})
  const event = String(7 * 4 + 2)
  const read = await measure({ table, workspaceId: '500', search: `eventId=${event}` })
  expect(read.rows).toHaveLength(page)
  expect(read.entries).toBeLessThanOrEqual(page + 1)
  const large = (await listEntries('26')).filter(({ id }) => Math.floor(id / 3000) === 100_000)
  const deep = await measure({
    table,
    workspaceId: '26',
    search: 'eventId=100000',
    behind: await findEntry(large[999]!.id),
  })
  expect(toIds(deep)).toEqual(large.slice(1000, 1000 + page).map(({ id }) => id))
  expect(deep.entries).toBeLessThanOrEqual(page + 1)
  const foreign = await measure({ table, workspaceId: '600', search: `eventId=${event}` })
  expect([foreign.rows.filter(({ id }) => id !== undefined), foreign.entries]).toEqual([[], 0])
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
