import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { requireWholeResolved } from './whole-mapping.js'
import type { WholeResolved } from './whole-mapping.js'
import { readMapping } from '../../src/mapping/read-mapping.js'
import type { Table } from '../../src/database/column.js'
import type { Schema } from '../../src/database/schema.js'
import { buildColumn, buildSchema, buildTable } from './schema.js'

/** The mapping file of the plain product. */
export const plainYaml = `
timezone: "+00:00"
apiKeys:
  table: workspace_api_keys
  hash: { column: key_hash, algorithm: sha256, encoding: hex }
  workspace: workspace_id
  scopes: { column: scopes, format: space }
  prefix: evk_
  expiresAt: expires_at
  revokedAt: revoked_at
registrations:
  table: event_registrations
  workspace: workspace_id
  archived: { column: archived_at, is: set }
  invalidRows: skip
  fields:
    id: id
    eventId: event_id
    status: reg_status
    name: attendee_name
    email: attendee_email
    checkedIn: { from: checkedInAt }
    checkedInAt: checked_in_at
    createdAt: created_at
    updatedAt: updated_at
invoices:
  table: invoices
  workspace: workspace_id
  archived: { column: archived_at, is: set }
  eventId: event_id
  fields:
    id: id
    number: invoice_no
    status: invoice_status
    total: grand_total
    currency: currency_code
    issueDate: issue_date
    dueDate: due_date
    createdAt: created_at
    updatedAt: updated_at
neverRead:
  - event_registrations.badge_*
  - invoices.einv_*
`

const visible = {
  workspace_id: 'char(26) ascii_bin',
  archived_at: 'datetime(3) null',
  created_at: 'datetime(3)',
  updated_at: 'datetime(3)',
}

/** The tables of the plain product, without the columns that nothing maps. */
export const plainTables = {
  keys: buildTable('workspace_api_keys', {
    workspace_id: 'char(26) ascii_bin',
    key_hash: 'char(64) ascii_bin',
    scopes: 'varchar(200) utf8mb4_0900_ai_ci',
    expires_at: 'datetime(3) null',
    revoked_at: 'datetime(3) null',
  }),
  registrations: buildTable(
    'event_registrations',
    {
      ...visible,
      id: 'char(26) ascii_bin',
      event_id: 'char(26) ascii_bin',
      reg_status: 'varchar(24) ascii_general_ci',
      attendee_name: 'varchar(160) utf8mb4_0900_ai_ci',
      attendee_email: 'varchar(254) utf8mb4_0900_ai_ci',
      badge_qr_token: 'char(43) ascii_bin',
      checked_in_at: 'datetime(3) null',
    },
    {
      PRIMARY: ['id'],
      ix_reg_sync: ['workspace_id', 'updated_at', 'id'],
      ix_reg_event: ['workspace_id', 'event_id', 'updated_at', 'id'],
    },
  ),
  invoices: buildTable(
    'invoices',
    {
      ...visible,
      id: 'char(26) ascii_bin',
      event_id: 'char(26) ascii_bin null',
      invoice_no: 'varchar(40) utf8mb4_0900_ai_ci',
      invoice_status: 'varchar(24) ascii_general_ci',
      currency_code: 'char(3) ascii_general_ci',
      grand_total: 'decimal(18,4)',
      issue_date: 'date',
      due_date: 'date',
      einv_hash: 'char(64) ascii_bin null',
    },
    { PRIMARY: ['id'], ix_inv_sync: ['workspace_id', 'updated_at', 'id'] },
  ),
}

/** The plain product's tables as the server describes them. */
export const plainSchema = buildSchema(...Object.values(plainTables))

/** The plain product's mapping, with its columns found. */
export function resolvePlain(): WholeResolved {
  return requireWholeResolved(resolveMapping(readMapping(plainYaml), plainSchema))
}

/** One of the plain product's tables. */
export type PlainTable = keyof typeof plainTables

/** A column in another definition, or undefined for one that is not there. */
export type ColumnChange = readonly [table: PlainTable, column: string, definition: string | undefined]

/** The plain product over other columns, with one part of its mapping file replaced. */
export function resolvePlainWith(changes: readonly ColumnChange[], part = '', by = ''): WholeResolved {
  return requireWholeResolved(
    resolveMapping(readMapping(replacePart(plainYaml, part, by)), changeSchema(changes)),
  )
}

/** The plain product's schema with columns in another definition, or without them. */
export function changeSchema(changes: readonly ColumnChange[]): Schema {
  const tables: Record<PlainTable, Table> = { ...plainTables }
  for (const [key, name, definition] of changes) {
    const columns = new Map(tables[key].columns)
    if (definition === undefined) columns.delete(name)
    else columns.set(name, buildColumn(name, definition))
    tables[key] = { ...tables[key], columns }
  }
  return buildSchema(...Object.values(tables))
}

/** The plain product's schema without one of its indexes. */
export function dropIndex(key: PlainTable, index: string): Schema {
  const table = plainTables[key]
  const indexes = table.indexes.filter(({ name }) => name !== index)
  return buildSchema(...Object.values({ ...plainTables, [key]: { ...table, indexes } }))
}

/** A text with one part replaced, which must be in it. */
export function replacePart(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`Not in the text: ${part}`)
  return text.replace(part, () => by)
}
