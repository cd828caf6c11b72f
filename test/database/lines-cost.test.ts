import { expect, test } from 'vitest'
import { readSchema } from '../../src/database/schema.js'
import { listMappedTables } from '../../src/mapping/mapped-columns.js'
import { readMapping } from '../../src/mapping/read-mapping.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import type { ResolvedTable } from '../../src/collections/resolved-table.js'
import { renderLookupTables } from '../support/lookup-tables.js'
import { page, tail, toIds, useMeasuredPages } from '../support/measured-pages.js'

/* What a page costs whose totals are sums of lines, counted by the server. */

const lines = 3
const { connection, measure } = useMeasuredPages([
  ...renderLookupTables([3]),
  `CREATE TABLE bills (id INT PRIMARY KEY, account_id INT NOT NULL, no VARCHAR(9) NOT NULL, made DATETIME NOT NULL,
     touched DATETIME NOT NULL, KEY sync (account_id, touched, id))`,
  "INSERT INTO bills SELECT n, 1, n, '2026-01-01', TIMESTAMP('2026-01-01') + INTERVAL n SECOND FROM numbers WHERE n < 20000",
  `CREATE TABLE bill_lines (id INT PRIMARY KEY, bill_id INT NOT NULL, net DECIMAL(18, 4) NOT NULL, voided TINYINT NOT NULL,
     gross INT NULL, KEY of_bill (bill_id))`,
  `INSERT INTO bill_lines SELECT n, n DIV ${lines}, n / 100, n % ${lines} = 1, IF(n % 6 = 0, NULL, n) FROM numbers WHERE n < ${lines} * 20000`,
  'ANALYZE TABLE bills, bill_lines',
])

async function resolveBills(total: string): Promise<ResolvedTable> {
  const mapping = readMapping(`
timezone: "+00:00"
apiKeys:
  table: api_keys
  hash: { column: key_hash, algorithm: sha256, encoding: hex }
  workspace: account_id
  scopes: { grant: [invoices.read] }
invoices:
  table: bills
  workspace: account_id
  archived: []
  eventId: null
  fields: { id: id, number: no, status: no, total: ${total}, currency: { constant: SAR }, issueDate: made, dueDate: null, createdAt: made, updatedAt: touched }
neverRead: []
`)
  const schema = await readSchema(connection().runQuery, listMappedTables(mapping))
  return resolveMapping(mapping, schema).invoices!.table
}

test.each(['', 'updatedSince=2026-01-01T05:00:00Z'])(
  'a page reads limit + 1 rows and their lines only, by one statement: %j',
  async (search) => {
    const table = await resolveBills(
      '{ from: bill_lines, key: bill_id, sum: [net], where: [{ column: voided, equals: 0 }] }',
    )
    const read = await measure({ table, workspaceId: '1', search })
    const first = search === '' ? 0 : 18_000
    expect(toIds(read)).toEqual(Array.from({ length: page }, (_, at) => first + at))
    // Of 3n, 3n + 1 and 3n + 2 hundredths, the second is void.
    expect(read.rows.map(({ total }) => Number(total))).toEqual(toIds(read).map((id) => (6 * id + 2) / 100))
    expect(read.statements).toBe(1)
    expect(read.entries).toBeLessThanOrEqual(page * (1 + lines) + tail)
    expect(read.keys).toBeLessThanOrEqual(page + tail)
    expect(read.scanned).toBeLessThanOrEqual(2 * page + tail)
  },
)
