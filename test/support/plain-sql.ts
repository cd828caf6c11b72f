import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import type { CollectionName, ProductDatabase, ProductName, View } from '../product/index.js'

/*
 * Statements that a person would write for the tables of each product. They know nothing of the mapping language; rows
 * that cannot be shown are left out by hand.
 */

/** For the records of the workspace ?: id, status, and the fields that come from several columns or other tables. */
export const plainSql: Partial<Record<ProductName, Partial<Record<CollectionName, string>>>> = {
  ticketing: {
    registrations: `
      SELECT a.id, IF(a.is_refunded, 'REFUNDED', IF(a.is_cancelled, 'CANCELLED', 'ATTENDING')) AS status,
             CONCAT_WS(' ', o.first_name, o.last_name) AS name, o.email
        FROM attendees a JOIN events e ON e.id = a.event_id JOIN orders o ON o.id = a.order_id
       WHERE e.account_id = ? AND a.deleted_at IS NULL AND o.email IS NOT NULL
         AND a.updated_at IS NOT NULL AND a.created_at > '2000-01-01'
       ORDER BY a.updated_at, a.id`,
    invoices: `
      SELECT o.id, s.name AS status, c.code AS currency,
             o.amount + COALESCE(o.booking_fee, 0) + COALESCE(o.organiser_booking_fee, 0) + o.taxamt AS total
        FROM orders o JOIN events e ON e.id = o.event_id JOIN currencies c ON c.id = e.currency_id
        JOIN order_statuses s ON s.id = o.order_status_id
       WHERE e.account_id = ? AND o.is_invoiced = 1 AND o.deleted_at IS NULL AND o.order_reference IS NOT NULL
         AND o.updated_at IS NOT NULL
       ORDER BY o.updated_at, o.id`,
  },
  accounting: {
    invoices: `
      SELECT d.id, d.status, c.code AS currency, CAST(d.amount AS DECIMAL(30,4)) AS total
        FROM q8r_documents d JOIN q8r_currencies c ON c.id = d.currency_id
       WHERE d.company_id = ? AND d.type = 'invoice' AND d.deleted_at IS NULL AND d.amount IS NOT NULL
         AND d.updated_at IS NOT NULL AND BINARY d.status IN ('draft', 'sent', 'paid', 'cancelled')
       ORDER BY d.updated_at, d.id`,
  },
  membership: {
    registrations: `
      SELECT p.uid AS id, CASE p.state WHEN 1 THEN 'CONFIRMED' WHEN 0 THEN 'PENDING' WHEN -1 THEN 'CANCELLED' ELSE 'OTHER' END AS status,
             CONCAT_WS(' ', u.first_name, u.last_name) AS name, u.email
        FROM tx_club_participation p JOIN fe_users u ON u.member_no = p.member_no
       WHERE '1' = ? AND p.hidden = 0 AND p.record_type IN (0, 3) AND p.deleted = 0 AND u.email IS NOT NULL
         AND p.tstamp IS NOT NULL AND p.crdate > 0
       ORDER BY p.tstamp, p.uid`,
    invoices: `
      SELECT uid AS id, CASE fee_state WHEN 'draft' THEN 'DRAFT' WHEN 'open' THEN 'ISSUED' WHEN 'paid' THEN 'PAID' WHEN 'void' THEN 'VOID' END AS status,
             'EUR' AS currency, amount AS total
        FROM tx_club_fee
       WHERE '1' = ? AND pid = 7 AND replaced_by IS NULL AND deleted = 0 AND fee_state IS NOT NULL
         AND invoice_no IS NOT NULL AND changed_ms IS NOT NULL
       ORDER BY changed_ms, uid`,
  },
  invoicing: {
    invoices: `
      SELECT i.id, CASE s.name WHEN 'Draft' THEN 'DRAFT' WHEN 'Paid' THEN 'PAID' WHEN 'Void' THEN 'VOID' ELSE 'ISSUED' END AS status,
             c.code AS currency, i.total_amount / 100 AS total
        FROM si_invoices i JOIN si_invoice_statuses s ON s.id = i.status_id
        JOIN si_clients k ON k.id = i.client_id JOIN si_currencies c ON c.id = k.currency_id
       WHERE BINARY i.company_key = ? AND i.is_deleted = 0 AND i.archived_at IS NULL AND s.id < 7
         AND i.invoice_number IS NOT NULL
       ORDER BY i.updated, i.id`,
  },
}

/** What a statement says of the records of a workspace, each as its texts; no more fields than it selects. */
export async function askPlainSql(
  { adminUrl, product }: ProductDatabase,
  collection: CollectionName,
  workspace: number,
): Promise<{
  readonly records: readonly (readonly string[])[]
  readonly pick: (view: View) => readonly string[]
}> {
  const connection = await mysql.createConnection({
    uri: adminUrl,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    bigNumberStrings: true,
  })
  try {
    const sql = plainSql[product.name]?.[collection] ?? ''
    const [rows] = await connection.query<RowDataPacket[]>(sql, [product.workspaceId(workspace)])
    const fields = Object.keys(rows[0] ?? {})
    const pick = (row: Readonly<Record<string, unknown>>): readonly string[] =>
      fields.map((field) => (field === 'total' ? trimAmount(String(row[field])) : String(row[field])))
    return { records: rows.map(pick), pick }
  } finally {
    await connection.end()
  }
}

/** Without the zeros at its end: SQL pads an amount to the scale of the expression. */
function trimAmount(total: string): string {
  return total.includes('.') ? total.replace(/\.?0+$/, '') : total
}
