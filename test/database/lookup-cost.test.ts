import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { findRepeated } from '../../src/tools/check/questions.js'
import type { CrawlState } from '../../src/collections/cursor.js'
import type { RowsRead } from '../support/measured-connection.js'
import { limit, page, tail, toIds, useMeasuredPages } from '../support/measured-pages.js'

/*
 * What a page costs whose fields or status come from other tables, counted by the server. The bounds depend on the size of
 * the page, and on nothing that grows.
 */

const { connection, resolve, resolveSection, measure } = useMeasuredPages('test/database/lookup-cost.sql')

/** The position of a row of the great workspace: the last of page 9,999. */
async function findDeep(): Promise<CrawlState['position']> {
  const [row] = await connection().query(
    `SELECT id, CAST(touched AS CHAR) AS touched FROM tickets WHERE id = ${9_999 * limit - 1}`,
  )
  return { updatedAt: String(row!['touched']), id: String(row!['id']) }
}

const rest = (from: number): readonly number[] => Array.from({ length: page }, (_, at) => from + at)

test.each(['first', '10,000th'] as const)('the %s page with two lookups reads its rows', async (place) => {
  const behind = place === 'first' ? undefined : await findDeep()
  const reads: Pick<RowsRead, 'entries' | 'keys' | 'scanned'>[] = []
  for (const size of [3, 300, 300_000]) {
    const on = size === 300_000 ? 'person' : 'state_id'
    const table = await resolve('tickets', 'account_id', {
      name: { from: `people_${size}`, on, column: 'name' },
      email: { from: `mails_${size}`, on, key: 'code', column: 'mail' },
    })
    const read = await measure({ table, workspaceId: '1', ...(behind && { behind }) })
    expect(toIds(read)).toEqual(rest(behind === undefined ? 0 : 9_999 * limit))
    if (size === 300_000)
      expect(read.rows.map((row) => [String(row['name']), String(row['email'])])).toEqual(
        toIds(read).map((id) => [`Person ${id}`, `person${id}@example.com`]),
      )
    expect(read.entries, `${size} rows`).toBeLessThanOrEqual(page)
    expect(read.keys, `${size} rows`).toBeLessThanOrEqual(2 * page + tail)
    // The page itself, which the server keeps and sorts.
    expect(read.scanned, `${size} rows`).toBeLessThanOrEqual(2 * page + tail)
    reads.push({ entries: read.entries, keys: read.keys, scanned: read.scanned })
  }
  expect(reads[2]).toEqual(reads[1])
})

const where = [{ column: 'is_test', equals: 0 }]

test.each([
  [{ where, last: true }, 19_980],
  [{ last: true }, 19_990],
  [{ where }, 0],
])('a lookup into a log reads from its end, however long it is: %j', async (chosen, first) => {
  const scans = { from: 'scans', on: 'person', key: 'person', ...chosen }
  const table = await resolve('tickets', 'account_id', { status: { ...scans, column: 'id' } })
  const read = await measure({ table, workspaceId: '1' })
  expect(read.rows.map(({ status }) => Number(status))).toEqual(rest(first))
  expect(read.entries + read.keys + read.scanned).toBeLessThanOrEqual(12 * page + tail)
  const problem = expect.stringMatching(/^10 of its values/) as string
  expect(await findRepeated(table, connection().runQuery)).toMatchObject([
    { places: ['scans.person'], problem },
  ])
})

const forms = parse(readFileSync('test/database/lookup-cost.yaml', 'utf8')) as Readonly<
  Record<string, { status: unknown; word: string; sql: string }>
>

test.each(Object.keys(forms))('a filter by status, as %s, reads the entries that it skips', async (form) => {
  const { status, word, sql } = forms[form]!
  const table = await resolve('tickets', 'account_id', { status })
  const rows = await connection().query(
    `SELECT id FROM tickets WHERE account_id = 1 AND ${sql} ORDER BY touched, id LIMIT ${page}`,
  )
  const read = await measure({ table, workspaceId: '1', search: `status=${word}` })
  expect(toIds(read)).toEqual(rows.map(({ id }) => Number(id)))
  // Ids count up from 0 in the order of the list; the table of states has four rows.
  const skipped = toIds(read).at(-1)! + 1
  expect(read.entries + read.scanned).toBeLessThanOrEqual(skipped + 2 * page + tail + 5)
  expect(read.keys).toBeLessThanOrEqual(3 * page + 2 * tail + (form.startsWith('a lookup') ? 2 * skipped : 0))
})

test.each(['', 'updatedSince=2026-01-01T05:00:00Z'])('sums of lines read their lines: %j', async (search) => {
  const voided = { column: 'voided', equals: 0 }
  const total = { from: 'bill_lines', key: 'bill_id', sum: ['net'], where: [voided] }
  const texts = { id: 'id', number: 'no', status: 'no', currency: { constant: 'SAR' } }
  const times = { issueDate: 'made', dueDate: null, createdAt: 'made', updatedAt: 'touched' }
  const fields = { ...texts, ...times, total }
  const section = { table: 'bills', workspace: 'account_id', eventId: null, fields }
  const table = await resolveSection('invoices', section)
  const read = await measure({ table, workspaceId: '1', search })
  expect(toIds(read)).toEqual(rest(search === '' ? 0 : 18_000))
  // Of 3n, 3n + 1 and 3n + 2 hundredths, the second is void.
  expect(read.rows.map(({ total }) => Number(total))).toEqual(toIds(read).map((id) => (6 * id + 2) / 100))
  expect(read.statements).toBe(1)
  expect(read.entries).toBeLessThanOrEqual(page * 4 + tail)
  expect(read.keys).toBeLessThanOrEqual(page + tail)
  expect(read.scanned).toBeLessThanOrEqual(2 * page + tail)
})

test.each(['', 'updatedSince=2026-01-01T02:00:00Z'])('two times read two indexes: %j', async (search) => {
  const texts = { id: 'id', eventId: 'account_id', status: 'state', name: 'state', email: 'state' }
  const updatedAt = { first: ['updated_at', 'created_at'] }
  const fields = { ...texts, checkedIn: { constant: false }, createdAt: 'created_at', updatedAt }
  const section = { table: 'attendees', workspace: 'account_id', fields }
  const table = await resolveSection('registrations', section)
  const read = await measure({ table, workspaceId: '1', search })
  const since = search === '' ? 0 : 7200
  const expected = Array.from({ length: 20_000 }, (_, id) => ({ id, time: id % 3 === 0 ? id : 2 * id }))
    .filter(({ time }) => time >= since)
    .sort((one, other) => one.time - other.time || one.id - other.id)
    .slice(0, page)
  expect(toIds(read)).toEqual(expected.map(({ id }) => id))
  expect(read.entries).toBeLessThanOrEqual(2 * page + tail)
  // The merged rows are read a few times more, without the table.
  expect(read.scanned).toBeLessThanOrEqual(6 * page + tail)
})
