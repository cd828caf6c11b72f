import type { Column } from '../database/column.js'
import type { Schema } from '../database/schema.js'
import type { MoneyUnit } from '../values/money.js'
import type { ColumnFinder } from './find-columns.js'
import type { Mapping } from './mapping-schema.js'
import type { IdentifierColumn, ResolvedTable, StatusColumn, TimeColumn } from './source.js'

/** The key table with the server's own columns. */
export interface ResolvedKeyTable {
  readonly table: string
  readonly hash: Column
  readonly workspace: IdentifierColumn
  readonly scopes: Column | undefined
  readonly expiresAt: TimeColumn | undefined
  readonly revokedAt: TimeColumn | undefined
}

/** How each public field of a registration is read. */
export interface RegistrationColumns {
  readonly id: IdentifierColumn
  readonly eventId: IdentifierColumn
  readonly status: StatusColumn
  readonly names: readonly Column[]
  readonly nameSeparator: string
  readonly email: Column
  /** Undefined where it follows from `checkedInAt`. */
  readonly checkedIn: Column | undefined
  readonly checkedInAt: TimeColumn | undefined
  readonly createdAt: TimeColumn
  readonly updatedAt: TimeColumn
}

/** How each public field of an invoice is read. */
export interface InvoiceColumns {
  readonly id: IdentifierColumn
  readonly number: IdentifierColumn
  readonly status: StatusColumn
  readonly total: Column
  readonly totalUnit: MoneyUnit
  readonly currency: Column | { readonly constant: string }
  readonly issueDate: TimeColumn
  readonly dueDate: TimeColumn
  readonly createdAt: TimeColumn
  readonly updatedAt: TimeColumn
}

/** A collection's statements and fields. */
export interface Bound<Columns> {
  readonly table: ResolvedTable
  readonly columns: Columns
  readonly invalidRows: 'skip' | 'fail'
}

/** The mapping with every name resolved to a column of the live database. */
export interface ResolvedMapping {
  readonly apiKeys: ResolvedKeyTable
  readonly registrations: Bound<RegistrationColumns>
  readonly invoices: Bound<InvoiceColumns>
}

interface BoundParts<Columns> {
  readonly columns: Columns
  readonly eventId: ResolvedTable['eventId']
  readonly selected: ResolvedTable['selected']
}

/** A collection's section with its columns found. */
export function toBound<
  Columns extends {
    readonly id: IdentifierColumn
    readonly status: StatusColumn
    readonly updatedAt: TimeColumn
  },
>(
  section: Mapping['registrations'] | Mapping['invoices'],
  schema: Schema,
  finder: ColumnFinder,
  { columns, eventId, selected }: BoundParts<Columns>,
): Bound<Columns> {
  const source = {
    name: section.table,
    workspace: finder.findIdentifier(section.workspace, 'workspace'),
    archived: finder.findArchived(section.archived, 'archived'),
    selected,
    id: columns.id,
    eventId,
    status: columns.status,
    updatedAt: columns.updatedAt,
    indexes: schema.get(section.table)?.indexes ?? [],
  }
  return { table: source, columns, invalidRows: section.invalidRows ?? 'skip' }
}
