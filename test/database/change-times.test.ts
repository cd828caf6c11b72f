import { expect, test } from 'vitest'
import { readSchema } from '../../src/database/schema.js'
import { listMappedTables } from '../../src/mapping/mapped-columns.js'
import { readMapping } from '../../src/mapping/read-mapping.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { runStatements } from '../product/index.js'
import { createClient } from '../support/client.js'
import { keyTable, openKey } from '../support/open-key.js'
import { page, tail, toIds, useMeasuredPages } from '../support/measured-pages.js'
import { renderLookupTables } from '../support/lookup-tables.js'
import { startService, useThrowaway } from '../support/service.js'

/* A time of change that is NULL until the first change: `updatedAt: { first: [updated_at, created_at] }`. */

const section = {
  table: 'attendees',
  workspace: 'account_id',
  archived: [],
  fields: {
    ...{ id: 'id', eventId: 'account_id', status: 'state', name: 'state', email: 'state' },
    ...{ checkedIn: { constant: false as const }, createdAt: 'created_at' },
    updatedAt: { first: ['updated_at', 'created_at'] },
  },
}
const columns = `id INT PRIMARY KEY, account_id INT NOT NULL, state VARCHAR(9) NOT NULL, created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NULL, KEY changed (account_id, updated_at, id), KEY unchanged (account_id, updated_at, created_at, id)`

const { connection, measure } = useMeasuredPages([
  ...renderLookupTables([3]),
  `CREATE TABLE attendees (${columns})`,
  `INSERT INTO attendees SELECT n, 1, 'x', TIMESTAMP('2026-01-01') + INTERVAL n SECOND,
    IF(n % 3 = 0, NULL, TIMESTAMP('2026-01-01') + INTERVAL 2 * n SECOND) FROM numbers WHERE n < 20000`,
  'ANALYZE TABLE attendees',
])

test.each(['', 'updatedSince=2026-01-01T02:00:00Z'])(
  'a page reads limit + 1 rows of each of the two indexes: %j',
  async (search) => {
    const mapping = readMapping(
      JSON.stringify({ timezone: '+00:00', apiKeys: keyTable, registrations: section, neverRead: [] }),
    )
    const schema = await readSchema(connection().runQuery, listMappedTables(mapping))
    const { table } = resolveMapping(mapping, schema).registrations!
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
  },
)

const throwaway = useThrowaway()

test('a crawl misses no record that changes for the first time meanwhile, and a sync finds it', async () => {
  const key = openKey()
  const database = await throwaway.createProduct({
    schema: { text: `${key.schema}; CREATE TABLE attendees (${columns});` },
    rows: { text: key.rows },
    mapping: { timezone: '+00:00', apiKeys: keyTable, registrations: section, neverRead: [] },
  })
  const run = (sql: string): Promise<void> => runStatements(database.adminUrl, [sql])
  const all = Array.from({ length: 60 }, (_, at) => at + 1)
  const values = all.map(
    (id) => `(${id}, 1, 'x', '2026-01-01 00:00:${String(id % 20).padStart(2, '0')}.5', NULL)`,
  )
  await run(`INSERT INTO attendees VALUES ${values.join(', ')}`)
  const client = createClient(await startService(database), key.text)
  const seen: unknown[] = []
  let answer = await client.get('registrations', { limit: 7 })
  for (let at = 1; ; at += 1) {
    seen.push(...answer.body.data.map(({ id }) => id))
    // One that was seen, one that was not.
    await run(`UPDATE attendees SET updated_at = UTC_TIMESTAMP(3) WHERE id IN (${at}, ${61 - at})`)
    const { cursor } = answer.body.meta
    if (cursor === null) break
    answer = await client.get('registrations', { cursor, limit: 7 })
  }
  expect([...new Set(seen)].map(Number).sort((one, other) => one - other)).toEqual(all)
  const changed = await client.crawl('registrations', { updatedSince: '2026-06-01T00:00:00Z' })
  expect(new Set(changed.map(({ id }) => id))).toContain('1')
  for (const record of [...changed, ...(await client.crawl('registrations', { limit: 9 }))])
    expect((await client.get(`registrations/${String(record['id'])}`)).body).toEqual(record)
})
