import type { Column } from '../../database/column.js'
import type { ResolvedKeyTable } from '../../mapping/key-table.js'
import { listCollections } from '../../mapping/resolve-mapping.js'
import type { ResolvedMapping } from '../../mapping/resolve-mapping.js'
import { describeTest, findZero } from '../../collections/row-test.js'
import { listEventColumns, listProjectedColumns } from '../../collections/resolved-table.js'
import type { FoundColumn, ResolvedTable, RowTest } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createSection, createWarning, toTable } from '../report/report.js'
import type { Finding, Section, Table } from '../report/report.js'

/** Each public field with its column, the type and the transformation; then the columns that no field shows. */
export function checkProvenance(
  resolved: ResolvedMapping | undefined,
  findings: readonly Finding[],
): Section {
  const heads = {
    field: 'Public field',
    column: 'Column',
    type: 'Type',
    transform: 'How it is shown',
  }
  const [collections, keys] =
    resolved === undefined ? [[], []] : [listCollections(resolved), [resolved.apiKeys]]
  return createSection({
    id: 'provenance',
    title: 'Mapping against schema',
    intro:
      'The column of each public field. No statement names a column that is not in these tables. Where a column can be NULL and the field cannot, such a row is not shown.',
    tables: [
      ...collections.map((collection) =>
        toTable(collection.name, heads, traceCollection(collection).map(toRow)),
      ),
      ...keys.map((one) => toTable('apiKeys', { ...heads, field: 'Of a key' }, traceKeys(one).map(toRow))),
    ],
    notes: resolved === undefined ? ['The mapping does not fit the schema, so Vitrine cannot serve it.'] : [],
    findings: [
      ...findings,
      ...collections.flatMap(warnOfConstantTests),
      ...collections.flatMap(warnOfLookups),
    ],
  })
}

/** Tests that hold for every row or for none, because their column cannot be NULL. */
function warnOfConstantTests({ name, table }: BoundCollection): readonly Finding[] {
  const { where, archived, status, isView } = table
  // A view can describe a column as NOT NULL that has NULL.
  if (isView) return []
  const places: readonly (readonly [path: string, tests: readonly RowTest[]])[] = [
    [`${name}.where`, where],
    [`${name}.archived`, archived],
    [`${name}.fields.status.when`, 'cases' in status ? status.cases.map(({ test }) => test) : []],
  ]
  return places.flatMap(([path, tests]) =>
    tests.filter(isConstantTest).map(({ column, is }) => {
      const holds = is === 'set' ? 'every row' : 'no row'
      const problem = `the test "${column.name} is ${String(is)}" holds for ${holds}: the column is ${column.type} NOT NULL`
      return createWarning(path, problem, 'remove the test, or compare the value with equals')
    }),
  )
}

function isConstantTest({ column, lookup, is }: RowTest): boolean {
  if (lookup !== undefined || column.nullable || (is !== 'set' && is !== 'unset')) return false
  return findZero({ ...column, mayBeZero: true }) === undefined
}

/** The fields that can change while `updatedAt` does not, so that a sync misses the change. */
function warnOfLookups({ name, fields }: BoundCollection): readonly Finding[] {
  const looked = Object.entries(fields).flatMap(([field, { projection }]) =>
    listProjectedColumns(projection).some(({ lookup }) => lookup !== undefined) ? [field] : [],
  )
  if (looked.length === 0) return []
  const fix =
    'tell integrators: pull and mirror find such a change later, because each run reads a share of the copy again (--scrub); a record by its id has it at once'
  const problem =
    'read from other tables: a change there does not move updatedAt, so a sync does not deliver it'
  return [createWarning(`${name}.fields: ${looked.join(', ')}`, problem, fix)]
}

/** A row of a table: the field, the table and its columns, and how they are shown. */
type Traced = readonly [field: string, table: string, columns: readonly FoundColumn[], transform: string]

function toRow([field, table, columns, transform]: Traced): Table['rows'][number] {
  const texts = columns.map((found) => describeColumn(table, found))
  const types = columns.map(({ column: { type, nullable } }) => (nullable ? `${type}, or NULL` : type))
  return { field, column: texts.join(', ') || '–', type: types.join(', ') || '–', transform }
}

/** A column, and for a lookup the column of the table itself that refers to its row. */
function describeColumn(table: string, { column, lookup }: FoundColumn): string {
  if (lookup === undefined) return `${table}.${column.name}`
  const on = describeColumn(table, lookup.on)
  return `${lookup.table}.${column.name} via ${on} → ${lookup.table}.${lookup.key.name}`
}

function traceCollection({ table, fields }: BoundCollection): readonly Traced[] {
  const shown = Object.entries(fields).map(([field, { projection, transform }]): Traced => [
    field,
    table.name,
    listProjectedColumns(projection),
    transform,
  ])
  return [...shown, ...traceUnseen(table)]
}

function traceKeys(keys: ResolvedKeyTable): readonly Traced[] {
  const { workspace, expiresAt, revokedAt } = keys
  const own = 'constant' in workspace ? undefined : workspace.column
  const columns: readonly (readonly [field: string, column: Column | undefined, transform: string])[] = [
    ['hash', keys.hash, 'compared with the digest of the key in the request; never read'],
    ['workspace', own, 'bound into every statement'],
    ['scopes', keys.scopes, 'what the key may read'],
    ['expiresAt', expiresAt?.column, 'compared with the clock at every request'],
    ['revokedAt', revokedAt?.column, 'any value makes the key invalid'],
    ['rateLimitPerMinute', keys.rateLimitPerMinute, 'requests a minute in place of RATE_LIMIT_PER_MINUTE'],
  ]
  return columns.flatMap(([field, column, transform]) =>
    column === undefined ? [] : [[field, keys.table, [{ column }], transform]],
  )
}

/** Columns that decide which rows are shown, and are shown in no field of their own. */
function traceUnseen({ name, where, workspace, archived, ...table }: ResolvedTable): readonly Traced[] {
  return [
    ...('constant' in workspace ? [] : [workspace]).map((found): Traced => [
      '(workspace)',
      name,
      [found],
      "must equal the key's; never shown",
    ]),
    ...where.map((test): Traced => ['(where)', name, [test], `a record only where ${describeTest(test)}`]),
    ...archived.map((test): Traced => [
      '(archived)',
      name,
      [test],
      `hides the row where ${describeTest(test)}`,
    ]),
    ...traceEvents(name, table),
  ]
}

function traceEvents(
  name: string,
  { eventId, projection }: Pick<ResolvedTable, 'eventId' | 'projection'>,
): readonly Traced[] {
  const filter = 'filter by event; never shown'
  if (eventId !== undefined && 'event' in eventId)
    return [
      ['(eventId)', eventId.table, [eventId.event], filter],
      ['(eventId)', eventId.table, [eventId.invoice], 'links to the invoice; never shown'],
    ]
  if (projection.some(({ as }) => as === 'eventId')) return []
  return listEventColumns(eventId).map((found) => ['(eventId)', name, [found], filter])
}
