import { createHash } from 'node:crypto'
import mysql from 'mysql2/promise'
import { mintKey } from '../../src/keys/key-format.js'
import { invoiceStatuses, registrationStatuses } from '../product/index.js'
import { firstNames, lastNames } from '../product/truth.js'

/** How many rows a plain product is filled with, and whose they are. */
export interface Amount {
  readonly registrations: number
  readonly invoices: number
  readonly workspaces: number
  /** SQL that gives the workspace of row `n`. */
  readonly workspaceOf: string
}

/** Twenty workspaces: two fifths of the rows belong to the first one; the others share the rest. */
export const workspaceSpread = {
  workspaces: 20,
  workspaceOf: 'IF(n % 5 < 2, 0, 1 + (n DIV 5) % 19)',
} as const

/** Events of a workspace; its rows are spread over them. */
export const eventsPerWorkspace = 10
const rowsPerStatement = 100_000

/** The id of a workspace that `fillProduct` makes. */
export function toWorkspaceId(workspace: number): string {
  return `BENCHWORKSPACE${String(workspace).padStart(12, '0')}`
}

/** The id of one of a workspace's events. */
export function toEventId(workspace: number, event: number): string {
  return `BENCHEVENT${String(workspace * 100 + event).padStart(16, '0')}`
}

/** A workspace's key, the same on every run; it may read everything there. */
export function toKey(workspace: number): string {
  return mintKey('evk_', createHash('sha256').update(`bench ${workspace}`).digest())
}

/**
 * Fills an empty plain product, within the server, because millions of rows would take long to be sent. Rows
 * come in the order of `updatedAt`, three at a time with the same one; ids follow from `createdAt`, up to thirty
 * days before, so that a page's rows do not lie side by side in the table.
 */
export async function fillProduct(adminUrl: string, amount: Amount): Promise<void> {
  const connection = await mysql.createConnection({ uri: adminUrl, charset: 'utf8mb4' })
  try {
    await connection.query("SET SESSION time_zone = '+00:00', SESSION unique_checks = 0")
    await connection.query(
      'INSERT INTO workspace_api_keys (workspace_id, label, key_hash, scopes) VALUES ?',
      [Array.from({ length: amount.workspaces }, (_, workspace) => toKeyRow(workspace))],
    )
    const tables = [
      { table: 'event_registrations', cells: registrationCells, rows: amount.registrations },
      { table: 'invoices', cells: invoiceCells, rows: amount.invoices },
    ]
    for (const { table, cells, rows } of tables) {
      for (let from = 0; from < rows; from += rowsPerStatement)
        await connection.query(
          renderInsert(table, cells, amount.workspaceOf, from, Math.min(rows, from + rowsPerStatement)),
        )
      await connection.query(`ANALYZE TABLE ${table}`)
    }
  } finally {
    await connection.end()
  }
}

function toKeyRow(workspace: number): readonly string[] {
  const hash = createHash('sha256').update(toKey(workspace)).digest('hex')
  return [toWorkspaceId(workspace), `bench ${workspace}`, hash, 'registration.read invoices.read']
}

type Cells = Readonly<Record<string, string>>

const shared: Cells = {
  id: "UPPER(CONCAT(LPAD(CONV(FLOOR(UNIX_TIMESTAMP(created_at) * 1000), 10, 32), 10, '0'), LEFT(SHA2(n, 256), 16)))",
  workspace_id: "CONCAT('BENCHWORKSPACE', LPAD(w, 12, '0'))",
  event_id: `CONCAT('BENCHEVENT', LPAD(w * 100 + ${drawSql('e')} % ${eventsPerWorkspace}, 16, '0'))`,
  archived_at: `IF(${drawSql('a')} % 10 = 0, updated_at, NULL)`,
  created_at: 'created_at',
  updated_at: 'updated_at',
}

const registrationCells: Cells = {
  ...shared,
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

const invoiceCells: Cells = {
  ...shared,
  invoice_no: "CONCAT('INV-2026-', n)",
  invoice_status: pickSql(invoiceStatuses, 's'),
  currency_code: pickSql(['SAR', 'SAR', 'SAR', 'KWD', 'JPY', 'EUR'], 'm'),
  subtotal: '100',
  discount_total: '0',
  vat_total: '15',
  grand_total: `${drawSql('t')} % 10000000`,
  amount_paid: '0',
  balance_due: '115',
  issue_date: 'DATE(created_at)',
  due_date: 'DATE(created_at) + INTERVAL 30 DAY',
  // What an invoice carries along and nobody outside sees takes room in the table all the same.
  einv_signed_xml: "REPEAT('<cbc:Line/>', 90)",
}

/** A number that looks random. CRC32 alone would not do: that of the same text behind two salts hangs together. */
function drawSql(salt: string): string {
  return `CRC32(SHA2(CONCAT(n, '${salt}'), 224))`
}

function pickSql(texts: readonly string[], salt: string): string {
  return `ELT(1 + ${drawSql(salt)} % ${texts.length}, ${mysql.escape([...texts])})`
}

function renderInsert(
  table: string,
  cells: Cells,
  workspaceOf: string,
  ...[from, to]: readonly [from: number, to: number]
): string {
  return `
    INSERT INTO ${table} (${Object.keys(cells).join(', ')})
    WITH RECURSIVE digits (d) AS (SELECT 0 UNION ALL SELECT d + 1 FROM digits WHERE d < 999),
    numbers (n) AS (
      SELECT ${from} + a.d * 1000 + b.d FROM digits a CROSS JOIN digits b
      WHERE a.d <= ${Math.floor((to - from - 1) / 1000)} AND a.d * 1000 + b.d < ${to - from}
    ),
    changed AS (
      SELECT n, ${workspaceOf} AS w, TIMESTAMP('2026-01-05 06:00:00') + INTERVAL (n DIV 3) * 6007000 MICROSECOND AS updated_at
      FROM numbers
    ),
    made AS (SELECT changed.*, updated_at - INTERVAL CRC32(n) % 720 HOUR AS created_at FROM changed)
    SELECT ${Object.values(cells).join(', ')} FROM made`
}
