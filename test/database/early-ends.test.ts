import { beforeAll, expect, test } from 'vitest'
import { runStatements } from '../product/server.js'
import type { View } from '../product/index.js'
import type { TestDatabase } from '../product/test-database.js'
import { createClient } from '../support/client.js'
import { keyTable, openKey } from '../support/open-key.js'
import { startService, useThrowaway } from '../support/service.js'
import { findingsOf, listOf, run } from '../support/verifying.js'

/* Pages that end before their limit, even without a record, because the rows of the workspace lie among many others. */

const { createProduct } = useThrowaway()
const beat = Date.now() - 600_000
const key = openKey()
let database: TestDatabase
let expected: readonly View[]
beforeAll(async () => {
  const fields = {
    ...{ id: 'id', eventId: 'event_id', status: 'state', name: 'state', email: 'state' },
    ...{ checkedIn: { constant: false as const }, createdAt: 'created_at', updatedAt: 'updated_at' },
  }
  const workspace = { from: 'events', on: 'event_id', column: 'account_id' }
  const registrations = { table: 'attendees', workspace, archived: [], fields }
  const schema = `${key.schema}; CREATE TABLE heartbeat (ts DATETIME(3) NOT NULL); CREATE TABLE events (id INT PRIMARY KEY, account_id INT NOT NULL);
    CREATE TABLE attendees (id VARCHAR(20) NULL UNIQUE, event_id INT NOT NULL, state VARCHAR(9) NOT NULL DEFAULT 'x',
      created_at DATETIME NOT NULL DEFAULT '2026-01-01', updated_at DATETIME NOT NULL, KEY (event_id), KEY (updated_at, id, event_id))`
  const repeat = (length: number, toRow: (at: number) => readonly [minute: number, event: number]) =>
    Array.from({ length }, (_, at) => toRow(at))
  // Every third is of the workspace; then 24 are of one time, of which the last is; and behind 450 others one more.
  const attendees = [
    ...repeat(40, (at) => [at, at % 3 === 0 ? 1 : 2]),
    ...repeat(24, (at) => [100, at === 23 ? 3 : 2]),
    ...repeat(450, (at) => [200 + at, 2]),
    ...repeat(1, () => [1000, 1]),
  ].map(([minute, event], at) => {
    const id = `${event === 2 ? 'foreign' : 'own'}-${String(at).padStart(3, '0')}`
    // A row without an id is of the workspace, and never shown.
    const quoted = minute % 30 === 9 ? 'NULL' : `'${id}'`
    return `(${quoted}, ${event}, '2026-03-01' + INTERVAL ${minute} MINUTE)`
  })
  const ts = new Date(beat).toISOString().slice(0, 23).replace('T', ' ')
  const rows = `${key.rows}; INSERT INTO heartbeat VALUES ('${ts}'); INSERT INTO events VALUES (1, 1), (2, 2), (3, 1);
    INSERT INTO attendees (id, event_id, updated_at) VALUES ${attendees.join(', ')}`
  const heartbeat = { table: 'heartbeat', column: 'ts' }
  database = await createProduct({
    schema: { text: schema },
    rows: { text: rows },
    mapping: { timezone: '+00:00', apiKeys: keyTable, heartbeat, registrations, neverRead: [] },
  })
  await runStatements(database.adminUrl, ['ANALYZE TABLE attendees, events'])
  expected = await createClient(await startService(database), key.text).crawl('registrations')
  expect(expected).toHaveLength(12 + 2)
})

test.each([
  [3, 4],
  [7, 100],
  [15, 1],
])('pages that visit %i entries, %i records each, lead on to every record', async (entriesMax, limit) => {
  const { get } = createClient(await startService(database, { entriesMax }), key.text)
  const seen: View[] = []
  let [query, empty, isEnded]: [{ cursor?: string }, number, boolean] = [{}, 0, false]
  while (!isEnded) {
    const { body, headers } = await get('registrations', { limit, ...query })
    const { cursor, nextUpdatedSince } = body.meta
    seen.push(...body.data)
    expect(nextUpdatedSince).toBe(new Date(beat - 120_000).toISOString())
    expect(String(headers['link']).includes('rel="next"')).toBe(cursor !== null)
    isEnded = cursor === null
    if (cursor === null) continue
    query = { cursor }
    empty += Number(body.data.length === 0)
    // The id of another workspace leads on only among more entries of one time than a page visits.
    const carried = Buffer.from(cursor, 'base64url').toString('latin1')
    if (!carried.includes('2026-03-01 01:40:00')) expect(carried).not.toContain('foreign')
  }
  expect(seen).toEqual(expected)
  expect(empty).toBeGreaterThan(2)
})

test('verify goes on behind empty pages', async () => {
  const { app } = await startService(database, { entriesMax: 3 })
  const report = await run(await app.listen({ port: 0, host: '127.0.0.1' }), { keys: { key: key.text } })
  expect(findingsOf(report)).toEqual([])
  expect(listOf(report, 'skipped')).not.toContain('crawls-agree')
})
