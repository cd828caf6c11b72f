import { expect, test } from 'vitest'
import { readSchema } from '../../src/database/schema.js'
import { listMappedTables } from '../../src/mapping/mapped-columns.js'
import { readMapping } from '../../src/mapping/read-mapping.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { keyTable } from '../support/open-key.js'
import { page, tail, toIds, useMeasuredPages } from '../support/measured-pages.js'
import { renderLookupTables } from '../support/lookup-tables.js'

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
