import mysql from 'mysql2/promise'
import { invoiceStatuses, registrationStatuses } from '../product/index.js'
import { minorDigits } from '../product/truth.js'
import { publicTimeSql } from './table.js'
import type { ProductTables, StoredRow } from './table.js'

const setTime = '2026-02-03 04:05:06.789'

/** The plain product's tables; their times have as many digits as the caller gave the columns. */
export function createPlainTables(timeDigits: number): ProductTables {
  const times = { timeColumn: 'updated_at', timeDigits, offsetMinutes: 0 }
  const archiving = { archive: () => ({ archived_at: setTime }), restore: { archived_at: null } }
  const ids = { idColumn: 'id', toStoredId: (id: string) => id }
  return {
    registrations: {
      collection: 'registrations',
      tables: ['event_registrations'],
      ...ids,
      ...times,
      ...archiving,
      change: (mark, random) => ({
        attendee_name: `Guest ${mark} نورة`,
        reg_status: random.pick(registrationStatuses),
        checked_in_at: random.pick([null, setTime]),
      }),
      visibleSql: (workspaceId) => `
        SELECT id, event_id AS eventId, reg_status AS status, attendee_name AS name, attendee_email AS email,
               checked_in_at IS NOT NULL AS checkedIn, ${publicTimeSql('checked_in_at')} AS checkedInAt,
               ${publicTimeSql('created_at')} AS createdAt, ${publicTimeSql('updated_at')} AS updatedAt
          FROM event_registrations WHERE workspace_id = ${mysql.escape(workspaceId)} AND archived_at IS NULL`,
      toView: (row) => ({ ...toText(row), checkedIn: Number(row['checkedIn']) === 1 }),
    },
    invoices: {
      collection: 'invoices',
      tables: ['invoices'],
      ...ids,
      ...times,
      ...archiving,
      change: (mark, random) => ({
        grand_total: `${mark}.${random.pick(['0000', '5000', '1234'])}`,
        invoice_status: random.pick(invoiceStatuses),
      }),
      visibleSql: (workspaceId) => `
        SELECT id, invoice_no AS number, invoice_status AS status, CAST(grand_total AS CHAR) AS total,
               currency_code AS currency, DATE_FORMAT(issue_date, '%Y-%m-%d') AS issueDate,
               DATE_FORMAT(due_date, '%Y-%m-%d') AS dueDate,
               ${publicTimeSql('created_at')} AS createdAt, ${publicTimeSql('updated_at')} AS updatedAt
          FROM invoices
         WHERE workspace_id = ${mysql.escape(workspaceId)} AND archived_at IS NULL AND currency_code <> 'ZZZ'`,
      toView: (row) => ({ ...toText(row), total: cutZeros(String(row['total']), String(row['currency'])) }),
    },
  }
}

/** Every cell as text, under the names of the contract. */
export function toText(row: StoredRow): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, cell === null ? null : String(cell)]),
  )
}

/** An amount without the zeros that the column adds to the digits of the currency. */
function cutZeros(amount: string, currency: string): string {
  const digits = minorDigits[currency as keyof typeof minorDigits]
  const [whole = '', fraction = ''] = amount.split('.')
  const kept = fraction.slice(0, digits) + fraction.slice(digits).replace(/0+$/, '')
  return kept === '' ? whole : `${whole}.${kept}`
}
