import type { Finding } from '../audit/finding.js'
import type { Column } from '../database/column.js'
import type { ResolvedMapping, InvoiceColumns, RegistrationColumns } from '../mapping/bound.js'
import type { IdentifierColumn, ResolvedTable, StatusColumn, TimeColumn } from '../mapping/source.js'
import { toTable } from './report.js'
import type { CheckSection } from './report.js'

/** The origin of a public field. */
interface Provenance extends Readonly<Record<string, string>> {
  readonly field: string
  readonly column: string
  readonly type: string
  readonly transform: string
}

/** Each public field with its column, the column's type and the conversion; then the columns that are no field. */
export function checkProvenance(
  resolved: ResolvedMapping | undefined,
  findings: readonly Finding[],
): CheckSection {
  const heads = {
    field: 'Public field',
    column: 'Column',
    type: 'Type',
    transform: 'How it is shown',
  }
  return {
    id: 'provenance',
    title: 'Mapping against schema',
    intro: 'The column of each public field. No statement names a column that is not in these tables.',
    tables:
      resolved === undefined
        ? []
        : [
            toTable('registrations', heads, traceRegistrations(resolved.registrations.columns, resolved)),
            toTable('invoices', heads, traceInvoices(resolved.invoices.columns, resolved)),
            toTable('apiKeys', { ...heads, field: 'Of a key' }, traceKeys(resolved.apiKeys)),
          ],
    notes: resolved === undefined ? ['The mapping does not fit the schema, so Vitrine cannot serve it.'] : [],
    findings,
  }
}

function traceRegistrations(columns: RegistrationColumns, resolved: ResolvedMapping): readonly Provenance[] {
  const { name: table } = resolved.registrations.table
  const names = columns.names.map(({ name }) => `${table}.${name}`).join(', ')
  return [
    traceIdentifier('id', table, columns.id),
    traceIdentifier('eventId', table, columns.eventId),
    traceStatus(table, columns.status),
    {
      field: 'name',
      column: names,
      type: columns.names.map(({ type }) => type).join(', '),
      transform:
        columns.names.length === 1
          ? 'as it stands'
          : `joined by ${JSON.stringify(columns.nameSeparator)}, empty parts left out`,
    },
    trace('email', table, columns.email, 'as it stands'),
    columns.checkedIn === undefined
      ? { field: 'checkedIn', column: '–', type: '–', transform: 'true when checkedInAt is set' }
      : trace('checkedIn', table, columns.checkedIn, 'true unless 0'),
    columns.checkedInAt === undefined
      ? { field: 'checkedInAt', column: '–', type: '–', transform: 'always null' }
      : traceTime('checkedInAt', table, columns.checkedInAt, '; null unless checkedIn'),
    traceTime('createdAt', table, columns.createdAt),
    traceTime('updatedAt', table, columns.updatedAt),
    ...traceHidden(resolved.registrations.table),
  ]
}

function traceInvoices(columns: InvoiceColumns, resolved: ResolvedMapping): readonly Provenance[] {
  const { name: table } = resolved.invoices.table
  return [
    traceIdentifier('id', table, columns.id),
    traceIdentifier('number', table, columns.number),
    traceStatus(table, columns.status),
    trace(
      'total',
      table,
      columns.total,
      columns.totalUnit === 'minor'
        ? "minor units as exact decimal text, with the currency's digits"
        : "exact decimal text, at least the currency's digits, never rounded",
    ),
    'constant' in columns.currency
      ? { field: 'currency', column: '–', type: '–', transform: `always ${columns.currency.constant}` }
      : trace('currency', table, columns.currency, 'an ISO 4217 code as it stands'),
    traceTime('issueDate', table, columns.issueDate),
    traceTime('dueDate', table, columns.dueDate, '; null where empty'),
    traceTime('createdAt', table, columns.createdAt),
    traceTime('updatedAt', table, columns.updatedAt),
    ...traceHidden(resolved.invoices.table),
  ]
}

function traceKeys(keys: ResolvedMapping['apiKeys']): readonly Provenance[] {
  const of = (field: string, column: Column | undefined, transform: string): readonly Provenance[] =>
    column === undefined ? [] : [trace(field, keys.table, column, transform)]
  return [
    ...of('hash', keys.hash, 'compared with the digest of the key in the request; never read'),
    ...of('workspace', keys.workspace.column, 'bound into every statement'),
    ...of('scopes', keys.scopes, 'what the key may read'),
    ...of('expiresAt', keys.expiresAt?.column, 'validated at every request'),
    ...of('revokedAt', keys.revokedAt?.column, 'any value revokes the key'),
  ]
}

/** Columns that decide which rows are shown, and that are no public field. */
function traceHidden(resolved: ResolvedTable): readonly Provenance[] {
  const { name: table, workspace, archived, eventId } = resolved
  return [
    trace('(workspace)', table, workspace.column, "must equal the key's; never shown"),
    ...archived.map(({ column, equals }) =>
      trace(
        '(archived)',
        table,
        column,
        equals === undefined ? 'hides the row when set' : `hides the row at ${JSON.stringify(equals)}`,
      ),
    ),
    ...('event' in eventId
      ? [
          trace('(eventId)', eventId.table, eventId.event.column, 'filter by event; never shown'),
          trace('(eventId)', eventId.table, eventId.invoice.column, 'links to the invoice; never shown'),
        ]
      : resolved.selected.some(({ as }) => as === 'eventId')
        ? []
        : [trace('(eventId)', table, eventId.column, 'filter by event; never shown')]),
  ]
}

function trace(field: string, table: string, column: Column, transform: string): Provenance {
  return { field, column: `${table}.${column.name}`, type: column.type, transform }
}

const identifierTexts: Readonly<Record<IdentifierColumn['identifier'], string>> = {
  text: 'as it stands',
  ascii: 'as it stands',
  signed: 'the number as text',
  unsigned: 'the number as text',
  uuid: 'its bytes as a lower-case UUID',
  'uuid-swapped': "its bytes as a lower-case UUID, UUID_TO_BIN's swap undone",
}

function traceIdentifier(field: string, table: string, { column, identifier }: IdentifierColumn): Provenance {
  return trace(field, table, column, identifierTexts[identifier])
}

function traceStatus(table: string, { column, identifier, values }: StatusColumn): Provenance {
  const words =
    values === undefined
      ? identifierTexts[identifier]
      : [...values].map(([stored, shown]) => `${stored} as ${shown}`).join(', ')
  return trace('status', table, column, words)
}

function traceTime(
  field: string,
  table: string,
  { column, offsetMinutes }: TimeColumn,
  more = '',
): Provenance {
  if (column.kind === 'date') return trace(field, table, column, `the day as it stands${more}`)
  const zone = column.kind === 'timestamp' ? 'UTC' : toOffsetText(offsetMinutes)
  return trace(field, table, column, `from ${zone} to UTC, cut to milliseconds${more}`)
}

/** An offset such as `+03:00`. */
export function toOffsetText(minutes: number): string {
  const size = Math.abs(minutes)
  const digits = (value: number): string => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`
}
