import type { IdentifierMapping, Mapping } from './mapping-schema.js'

/** A column that the mapping names, and where it does. */
export interface MappedColumn {
  readonly table: string
  readonly column: string
  /** Path in the mapping file, such as `registrations.fields.status`. */
  readonly path: string
}

/** Every column that Vitrine may name in a statement; a column used twice is listed twice. */
export function listMappedColumns(mapping: Mapping): readonly MappedColumn[] {
  return [...listKeyColumns(mapping), ...listRegistrationColumns(mapping), ...listInvoiceColumns(mapping)]
}

/** Every table and view of the mapping, or of one of its sections, once each. */
export function listMappedTables(
  mapping: Mapping,
  section?: 'apiKeys' | 'registrations' | 'invoices',
): readonly string[] {
  const columns = listMappedColumns(mapping).filter(
    ({ path }) => section === undefined || path.startsWith(`${section}.`),
  )
  return [...new Set(columns.map(({ table }) => table))]
}

type Named = readonly [path: string, column: string | undefined]

function listKeyColumns({ apiKeys }: Mapping): readonly MappedColumn[] {
  return at('apiKeys', apiKeys.table, [
    ['hash', apiKeys.hash.column],
    ['workspace', nameOf(apiKeys.workspace)],
    ['scopes', 'column' in apiKeys.scopes ? apiKeys.scopes.column : undefined],
    ['expiresAt', apiKeys.expiresAt],
    ['revokedAt', apiKeys.revokedAt],
  ])
}

function listRegistrationColumns({ registrations }: Mapping): readonly MappedColumn[] {
  const { fields } = registrations
  const names = typeof fields.name === 'string' ? [fields.name] : fields.name.columns
  return at('registrations', registrations.table, [
    ...listVisibility(registrations),
    ['fields.id', nameOf(fields.id)],
    ['fields.eventId', nameOf(fields.eventId)],
    ['fields.status', nameOf(fields.status)],
    ...names.map((name): Named => ['fields.name', name]),
    ['fields.email', fields.email],
    ['fields.checkedIn', typeof fields.checkedIn === 'string' ? fields.checkedIn : undefined],
    ['fields.checkedInAt', fields.checkedInAt],
    ['fields.createdAt', fields.createdAt],
    ['fields.updatedAt', fields.updatedAt],
  ])
}

function listInvoiceColumns({ invoices }: Mapping): readonly MappedColumn[] {
  const { fields, eventId } = invoices
  const linked = typeof eventId === 'object' && 'table' in eventId
  return [
    ...at('invoices', invoices.table, [
      ...listVisibility(invoices),
      ['eventId', linked ? undefined : nameOf(eventId)],
      ['fields.id', nameOf(fields.id)],
      ['fields.number', fields.number],
      ['fields.status', nameOf(fields.status)],
      ['fields.total', nameOf(fields.total)],
      ['fields.currency', typeof fields.currency === 'string' ? fields.currency : undefined],
      ['fields.issueDate', fields.issueDate],
      ['fields.dueDate', fields.dueDate],
      ['fields.createdAt', fields.createdAt],
      ['fields.updatedAt', fields.updatedAt],
    ]),
    ...(linked
      ? at('invoices.eventId', eventId.table, [
          ['invoice', nameOf(eventId.invoice)],
          ['event', nameOf(eventId.event)],
        ])
      : []),
  ]
}

function listVisibility(section: Mapping['registrations'] | Mapping['invoices']): readonly Named[] {
  const archived = Array.isArray(section.archived) ? section.archived : [section.archived]
  return [
    ['workspace', nameOf(section.workspace)],
    ...archived.map(({ column }): Named => ['archived', column]),
  ]
}

/** The column of an option that is a name alone or a record around one. */
export function nameOf(option: IdentifierMapping | { readonly column: string }): string {
  return typeof option === 'string' ? option : option.column
}

function at(section: string, table: string, named: readonly Named[]): readonly MappedColumn[] {
  return named.flatMap(([path, column]) =>
    column === undefined ? [] : [{ table, column, path: `${section}.${path}` }],
  )
}
