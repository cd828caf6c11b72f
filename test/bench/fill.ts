import mysql from 'mysql2/promise'
import { registrationStatuses } from '../product/index.js'
import { firstNames, lastNames } from '../product/truth.js'

const rowsPerStatement = 100_000

/** A workspace of the product; the first one has two fifths of all rows. */
export function toWorkspaceId(workspace: number): string {
  return `BENCHWORKSPACE${String(workspace).padStart(12, '0')}`
}

/**
 * Fills an empty plain product with registrations of 300 workspaces, within the server, because hundreds of thousands of rows
 * would take long to be sent. Rows come in the order of `updatedAt`, three at a time with the same one; ids follow from
 * `createdAt`, up to thirty days before, so that the rows of a page do not lie side by side in the table.
 */
export async function fillProduct(adminUrl: string, rows: number): Promise<void> {
  const connection = await mysql.createConnection({ uri: adminUrl, charset: 'utf8mb4' })
  try {
    await connection.query("SET SESSION time_zone = '+00:00', SESSION unique_checks = 0")
    for (let from = 0; from < rows; from += rowsPerStatement)
      await connection.query(renderInsert(from, Math.min(rows - from, rowsPerStatement)))
    await connection.query('ANALYZE TABLE event_registrations')
  } finally {
    await connection.end()
  }
}

/** Stores the same rows in a table without an index by workspace, and which workspace each event has. */
export async function storeLookupRows(adminUrl: string, readUrl: string): Promise<void> {
  const connection = await mysql.createConnection(adminUrl)
  try {
    const id = 'CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL'
    await connection.query(
      `CREATE TABLE bench_events (id ${id} PRIMARY KEY, workspace_id ${id}, KEY (workspace_id))
      SELECT DISTINCT event_id AS id, workspace_id FROM event_registrations`,
    )
    await connection.query(
      `CREATE TABLE bench_registrations (PRIMARY KEY (id), KEY (updated_at, id, event_id), KEY (event_id, updated_at, id))
      SELECT * FROM event_registrations ORDER BY id`,
    )
    const user = [new URL(readUrl).username]
    for (const table of ['bench_events', 'bench_registrations']) {
      await connection.query(`GRANT SELECT ON ${table} TO ?`, user)
      await connection.query(`ANALYZE TABLE ${table}`)
    }
  } finally {
    await connection.end()
  }
}

const cells: Readonly<Record<string, string>> = {
  id: "UPPER(CONCAT(LPAD(CONV(FLOOR(UNIX_TIMESTAMP(created_at) * 1000), 10, 32), 10, '0'), LEFT(SHA2(n, 256), 16)))",
  workspace_id: "CONCAT('BENCHWORKSPACE', LPAD(w, 12, '0'))",
  event_id: `CONCAT('BENCHEVENT', LPAD(w * 100 + ${drawSql('e')} % 10, 16, '0'))`,
  archived_at: `IF(${drawSql('a')} % 10 = 0, updated_at, NULL)`,
  created_at: 'created_at',
  updated_at: 'updated_at',
  reg_status: pickSql(registrationStatuses, 's'),
  attendee_name: `CONCAT(${pickSql(firstNames, 'f')}, ' ', ${pickSql(lastNames, 'l')})`,
  attendee_email: "CONCAT('guest', n, '@example.com')",
  attendee_phone: "CONCAT('+9665', LPAD(n, 8, '0'))",
  attendee_company: "CONCAT('Company ', n)",
  attendee_job_title: "'Head of something'",
  attendee_country: "'SA'",
  attendee_city: "'Riyadh'",
  badge_qr_token: 'LEFT(SHA2(n, 256), 43)',
  checked_in_at: `IF(${drawSql('c')} % 3 = 0, updated_at, NULL)`,
}

/** A number that looks random. CRC32 alone would not do: that of the same text behind two salts hangs together. */
function drawSql(salt: string): string {
  return `CRC32(SHA2(CONCAT(n, '${salt}'), 224))`
}

function pickSql(texts: readonly string[], salt: string): string {
  return `ELT(1 + ${drawSql(salt)} % ${texts.length}, ${mysql.escape([...texts])})`
}

function renderInsert(from: number, count: number): string {
  return `
    INSERT INTO event_registrations (${Object.keys(cells).join(', ')})
    WITH RECURSIVE digits (d) AS (SELECT 0 UNION ALL SELECT d + 1 FROM digits WHERE d < 999),
    numbers (n) AS (
      SELECT ${from} + a.d * 1000 + b.d FROM digits a CROSS JOIN digits b
      WHERE a.d <= ${Math.floor((count - 1) / 1000)} AND a.d * 1000 + b.d < ${count}
    ),
    changed AS (
      SELECT n, IF(n % 5 < 2, 0, 1 + (n DIV 5) % 299) AS w,
        TIMESTAMP('2026-01-05 06:00:00') + INTERVAL (n DIV 3) * 6007000 MICROSECOND AS updated_at
      FROM numbers
    ),
    made AS (SELECT changed.*, updated_at - INTERVAL CRC32(n) % 720 HOUR AS created_at FROM changed)
    SELECT ${Object.values(cells).join(', ')} FROM made`
}
