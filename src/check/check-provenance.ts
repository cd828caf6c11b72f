import type { Finding } from '../audit/finding.js'
import type { Column } from '../database/column.js'
import type { ResolvedKeyTable } from '../mapping/key-table.js'
import { listResources } from '../mapping/resolve-mapping.js'
import type { ResolvedMapping } from '../mapping/resolve-mapping.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import type { ResolvedResource } from '../resources/resource.js'
import { toTable } from './report.js'
import type { CheckSection } from './report.js'

/** Where a public field comes from. */
interface Provenance extends Readonly<Record<string, string>> {
  readonly field: string
  readonly column: string
  readonly type: string
  readonly transform: string
}

/** Each public field with its column, the type and the transformation; then the columns that no field shows. */
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
            ...listResources(resolved).map((resource) =>
              toTable(resource.name, heads, traceResource(resource)),
            ),
            toTable('apiKeys', { ...heads, field: 'Of a key' }, traceKeys(resolved.apiKeys)),
          ],
    notes: resolved === undefined ? ['The mapping does not fit the schema, so Vitrine cannot serve it.'] : [],
    findings,
  }
}

function traceResource({ table, fields }: ResolvedResource): readonly Provenance[] {
  return [
    ...Object.entries(fields).map(([field, { projection, transform }]) => ({
      field,
      column: projection.map(({ column }) => `${table.name}.${column.name}`).join(', ') || '–',
      type: projection.map(({ column }) => column.type).join(', ') || '–',
      transform,
    })),
    ...traceUnseen(table),
  ]
}

function traceKeys(keys: ResolvedKeyTable): readonly Provenance[] {
  const of = (field: string, column: Column | undefined, transform: string): readonly Provenance[] =>
    column === undefined ? [] : [trace(field, keys.table, column, transform)]
  return [
    ...of('hash', keys.hash, 'compared with the digest of the key in the request; never read'),
    ...of('workspace', keys.workspace.column, 'bound into every statement'),
    ...of('scopes', keys.scopes, 'what the key may read'),
    ...of('expiresAt', keys.expiresAt?.column, 'compared with the clock at every request'),
    ...of('revokedAt', keys.revokedAt?.column, 'any value makes the key invalid'),
  ]
}

/** Columns that decide which rows are shown, and are shown in no field of their own. */
function traceUnseen(table: ResolvedTable): readonly Provenance[] {
  const { name, workspace, archived, eventId, projection } = table
  return [
    trace('(workspace)', name, workspace.column, "must equal the key's; never shown"),
    ...archived.map(({ column, equals }) =>
      trace(
        '(archived)',
        name,
        column,
        equals === undefined ? 'hides the row when set' : `hides the row at ${JSON.stringify(equals)}`,
      ),
    ),
    ...('event' in eventId
      ? [
          trace('(eventId)', eventId.table, eventId.event.column, 'filter by event; never shown'),
          trace('(eventId)', eventId.table, eventId.invoice.column, 'links to the invoice; never shown'),
        ]
      : projection.some(({ as }) => as === 'eventId')
        ? []
        : [trace('(eventId)', name, eventId.column, 'filter by event; never shown')]),
  ]
}

function trace(field: string, table: string, column: Column, transform: string): Provenance {
  return { field, column: `${table}.${column.name}`, type: column.type, transform }
}
