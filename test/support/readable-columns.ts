import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import type { ProductDatabase, ProductName } from '../product/index.js'

/** What the user of `vitrine grants` may read, by hand, so that a column more or less in the grants is seen. */
export const readableColumns: Readonly<Record<ProductName, Readonly<Record<string, string>>>> = {
  plain: {
    workspace_api_keys: 'workspace_id key_hash scopes expires_at revoked_at',
    event_registrations:
      'id workspace_id event_id reg_status attendee_name attendee_email checked_in_at archived_at created_at updated_at',
    invoices:
      'id workspace_id event_id invoice_no invoice_status currency_code grand_total issue_date due_date archived_at created_at updated_at',
  },
  awkward: {
    tokens: 'digest tenant perms valid_until killed_at',
    'attendees?':
      'attendee no tenant gathering state first`name last_name mail entered entered_at is_deleted hidden_at made touched',
    bills: 'uid tenant bill_no phase amount_minor cur issued due is_deleted hidden_at made touched',
    bill_gatherings: 'bill gathering',
  },
}

/** The mapped columns of a table of the plain product, as SQL lists them. */
export const listMapped = (table: string): string => readableColumns.plain[table]?.replaceAll(' ', ', ') ?? ''

/** Asks for every column of every table, one by one, and tries to delete; the columns that the user can read. */
export async function findReadableColumns({
  adminUrl,
  readUrl,
}: ProductDatabase): Promise<Readonly<Record<string, string>>> {
  const admin = await mysql.createConnection({ uri: adminUrl })
  const reader = await mysql.createConnection({ uri: readUrl })
  const [columns] = await admin.query<RowDataPacket[]>(
    'SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position',
  )
  const found: Record<string, string> = {}
  for (const { t, c } of columns as unknown as readonly { t: string; c: string }[]) {
    const column = mysql.escapeId(c, true)
    const isRead = await isAllowed(reader.query(`SELECT ${column} FROM ${mysql.escapeId(t, true)} LIMIT 1`))
    if (!isRead) continue
    found[t] = found[t] === undefined ? c : `${found[t]} ${c}`
    // Refused before any row is looked for.
    if (await isAllowed(reader.query(`UPDATE ${mysql.escapeId(t, true)} SET ${column} = ${column} LIMIT 0`)))
      throw new Error(`The user may write ${t}.${c}`)
  }
  await Promise.all([admin.end(), reader.end()])
  return found
}

async function isAllowed(query: Promise<unknown>): Promise<boolean> {
  try {
    await query
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('denied')) return false
    throw error
  }
}
