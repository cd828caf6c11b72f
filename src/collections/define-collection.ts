import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import { bindRecord } from './collection.js'
import type { BoundCollection, CollectionName, DocumentedCollection } from './collection.js'
import { ColumnResolver } from './column-resolver.js'
import type { ResolverInput } from './column-resolver.js'
import type { Field, ResolvedField } from './field.js'
import { findEvent } from './identifier-fields.js'
import type { EventFilterMapping } from './identifier-fields.js'
import { isConstant, WorkspaceOption } from './column-options.js'
import { ArchivedOption, closed, listArchivedTests, oneOf, RowTestOption, TableName } from './options.js'
import type { WorkspaceMapping } from './column-options.js'
import type { ArchivedMapping, RowTestMapping, Scope } from './options.js'
import { listStatuses } from './status-field.js'
import type { StatusMapping } from './status-field.js'
import { isEnumerated } from '../database/column.js'
import type {
  EventChoice,
  IdentifierColumn,
  ResolvedTable,
  StatusCases,
  StatusColumn,
  TimeColumn,
} from './resolved-table.js'

/** A section of the mapping file, of any collection. */
export interface SectionMapping {
  readonly table: string
  readonly where?: readonly RowTestMapping[]
  readonly workspace: WorkspaceMapping
  readonly archived: ArchivedMapping
  readonly invalidRows?: 'skip' | 'fail'
  readonly eventId?: EventFilterMapping
  readonly fields: object
}

/** A field by whose column statements also filter or sort. */
type FieldWithColumn<Column> = Field<TSchema, ResolvedField & { readonly found: Column }>

/** What every collection declares. */
interface DeclaredFields extends Readonly<Record<string, Field>> {
  readonly id: FieldWithColumn<IdentifierColumn>
  readonly status: FieldWithColumn<StatusColumn | StatusCases>
  readonly updatedAt: FieldWithColumn<TimeColumn>
}

type Resolved<Fields extends DeclaredFields> = {
  readonly [Name in keyof Fields]: ReturnType<Fields[Name]['resolve']>
}
type Options<Fields extends DeclaredFields> = {
  [Name in keyof Fields]: Fields[Name]['option']
}

interface Declaration<
  Fields extends DeclaredFields,
  SectionOptions extends Readonly<Record<string, TSchema>>,
> {
  readonly name: CollectionName
  readonly typeName: string
  readonly scope: Scope
  readonly description: string
  /** Options of the section beside the fields: `eventId`, where records do not show their event. */
  readonly sectionOptions: SectionOptions
  /** Every public field, in the order of the contract. */
  readonly fields: Fields
}

/** What a section is resolved against, with the epoch of the mapping. */
type ResolveInput = ResolverInput & Pick<BoundCollection, 'epoch'> & Pick<ResolvedTable, 'heartbeat'>

/**
 * Declares a collection, and derives from it the JSON schema of its records, its section of the mapping file, the columns
 * that are read, and how a section is resolved against a live schema. Source: `docs/contract.md`, "Records".
 */
export function defineCollection<
  Fields extends DeclaredFields,
  SectionOptions extends Readonly<Record<string, TSchema>>,
>(declaration: Declaration<Fields, SectionOptions>) {
  const { name, typeName, scope, description, fields, sectionOptions } = declaration
  const schema = Type.Object(
    mapValues(fields, (field) => field.schema),
    { ...closed, $id: typeName, description },
  )
  const describe = (mapped: SectionMapping): DocumentedCollection => {
    const { status } = mapped.fields as { readonly status: StatusMapping }
    return { name, typeName, scope, schema, statuses: listStatuses(status) }
  }
  return {
    name,
    schema,
    /** The shape of the section in the mapping file. */
    section: Type.Object(
      {
        table: TableName,
        where: Type.Optional(
          Type.Array(RowTestOption, { description: 'a list of tests of columns; all of them must hold' }),
        ),
        workspace: WorkspaceOption,
        archived: ArchivedOption,
        invalidRows: Type.Optional(oneOf(['skip', 'fail'], { default: 'skip' })),
        ...sectionOptions,
        fields: Type.Object(mapValues(fields, ({ option }) => option) as Options<Fields>, closed),
      },
      closed,
    ),
    /** What routes and documents need of the collection; it needs no database. */
    describe,
    /** Finds the columns of a section in the live schema. */
    resolve: (mapped: SectionMapping, input: ResolveInput): BoundCollection<Resolved<Fields>> => {
      const options: Readonly<Record<string, unknown>> = { ...mapped.fields }
      const columns = new ColumnResolver(input, { table: mapped.table, path: name, fields: options })
      const resolved = mapValues(fields, (field, fieldName) =>
        field.resolve(options[fieldName], columns.ofField(fieldName)),
      ) as Resolved<Fields>
      return {
        ...describe(mapped),
        table: resolveTable(mapped, resolved, input, columns),
        invalidRows: mapped.invalidRows ?? 'skip',
        epoch: input.epoch,
        fields: resolved,
        record: bindRecord(resolved),
      }
    },
  }
}

/** What statements need from the collection. */
function resolveTable(
  section: SectionMapping,
  fields: Resolved<DeclaredFields>,
  { schema, heartbeat }: ResolveInput,
  columns: ColumnResolver,
): ResolvedTable {
  const { isView = false, indexes = [] } = schema.get(section.table) ?? {}
  const { workspace } = section
  const where = columns.at('where')
  const archived = columns.at('archived')
  const table = {
    name: section.table,
    workspace: isConstant(workspace) ? workspace : columns.at('workspace').findIdentifier(workspace, false),
    updatedAt: fields.updatedAt.found,
    where: (section.where ?? []).map((option) => where.findTest(option)),
    archived: listArchivedTests(section.archived).map((option) => archived.findTest(option)),
    projection: Object.values(fields).flatMap(({ projection }) => projection),
    id: fields.id.found,
    eventId: resolveEvent(section, fields, columns.at('eventId')),
    status: fields.status.found,
    isView,
    heartbeat,
    indexes,
  }
  checkId(table, schema, columns.at('fields.id'))
  return table
}

/**
 * Adds an issue for an id that is an ENUM or SET: pages would lose rows, which are ordered by number and continue by label.
 * Adds one for an id that no index makes unique; the indexes behind a view are not known.
 */
function checkId(
  { name, id, isView, indexes }: ResolvedTable,
  schema: ResolverInput['schema'],
  columns: ColumnResolver,
): void {
  const { column } = id
  if (isEnumerated(column))
    columns.reportColumn(id, 'text, an integer or BINARY(16) for a UUID; no ENUM or SET')
  const table = schema.get(name)
  if (table === undefined || isView || column.name === '') return
  const unique = new Set(indexes.flatMap(({ uniqueOn }) => uniqueOn ?? []))
  if (unique.has(column.name.toLowerCase())) return
  const others = [...unique].filter((one) => table.columns.get(one)?.nullable !== true)
  columns.report(
    `${name}.${column.name}, which no index makes unique: two records could have the same id`,
    `a column that the primary key or a UNIQUE index makes unique by itself${
      others.length > 0
        ? `, such as ${others.join(' or ')}`
        : '; this table has none. Give it a UNIQUE index, which a partitioned or system-versioned table cannot have, or map a view with a column that has each id once'
    }`,
  )
}

/** The column of the filter `eventId`: an option of the section, or else the field of this name. */
function resolveEvent(
  { eventId }: SectionMapping,
  fields: Readonly<Record<string, ResolvedField>>,
  columns: ColumnResolver,
): ResolvedTable['eventId'] {
  if (eventId === undefined)
    return (fields['eventId'] as ResolvedField & { readonly found: IdentifierColumn | EventChoice }).found
  if (eventId === null) return undefined
  if (typeof eventId === 'string' || !('table' in eventId)) return findEvent(eventId, columns)
  const { table, invoice, event } = eventId
  return {
    table,
    invoice: columns.at('invoice', table).findIdentifier(invoice),
    event: columns.at('event', table).findIdentifier(event),
  }
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  toMapped: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toMapped(value, name)]))
}
