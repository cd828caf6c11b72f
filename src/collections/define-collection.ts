import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'
import { isEnumerated } from '../database/column.js'
import type { BoundCollection, DocumentedCollection } from './collection.js'
import { ColumnResolver } from './column-resolver.js'
import type { ResolverInput } from './column-resolver.js'
import { toOrder } from './cursor.js'
import type { Field, FieldOf, ResolvedField } from './field.js'
import { closed, oneOf, RowTestOption, TableName } from './options.js'
import type { ColumnOption } from './options.js'
import { bindRecord } from './records.js'
import { listStatuses } from './status-field.js'
import type { Status, StatusMapping } from './status-field.js'
import { entriesMax } from './resolved-table.js'
import type { ResolvedTable } from './resolved-table.js'
import type { ChangeTimeMapping, TimeColumn } from './time-fields.js'
import { isLong, isLookedUp } from './found-column.js'
import { WorkspaceOption } from './workspace.js'
import { findPlace, listColumns } from './identifier-fields.js'
import type { IdentifierColumn, Places } from './identifier-fields.js'
import { EventFilterOption, findEventFilter } from './event-filter.js'
import type { EventFilterMapping } from './event-filter.js'

/** The options of a section of the mapping file beside its fields, of any collection. */
const section = {
  table: TableName,
  where: Type.Optional(
    Type.Array(RowTestOption, { description: 'a list of tests of columns; all of them must hold' }),
  ),
  workspace: WorkspaceOption,
  archived: Type.Union([RowTestOption, Type.Array(RowTestOption)], {
    description: `${RowTestOption.description}; or a list of such; an empty list where nothing is archived`,
  }),
  invalidRows: Type.Optional(oneOf(['skip', 'fail'], { default: 'skip' })),
  confirmed: Type.Optional(
    Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
      description:
        'findings of vitrine check that are meant, by the names that it prints, with the number of rows',
    }),
  ),
}

/** A section of the mapping file, of any collection. */
export type SectionMapping = Static<TObject<typeof section>> & {
  readonly eventId?: EventFilterMapping
  readonly fields: Readonly<Record<string, unknown>> & {
    readonly status: StatusMapping
    readonly createdAt: ColumnOption
    readonly updatedAt: ChangeTimeMapping
  }
}

/** The columns of the fields by which statements also filter or sort. */
interface Found {
  readonly id: IdentifierColumn
  readonly eventId?: Places
  readonly status: Status
  readonly updatedAt: TimeColumn
}
type ResolvedFields = Record<string, ResolvedField> & { [Name in keyof Found]: FieldOf<Found[Name]> }
/** Every public field, in the order of the contract. */
type DeclaredFields = Record<string, Field> & { [Name in keyof Found]: Field<FieldOf<Found[Name]>> }

interface Declaration extends Pick<DocumentedCollection, 'name' | 'typeName' | 'scope'> {
  readonly description: string
  readonly fields: DeclaredFields
}

type ResolveInput = ResolverInput & Pick<ResolvedTable, 'heartbeat'>

/**
 * Declares a collection, and derives from it the JSON schema of its records, its section of the mapping file, the columns
 * that are read, and how a section is resolved against a live schema. Source: `docs/contract.md`, "Records".
 */
export function defineCollection({ fields, description, ...declared }: Declaration) {
  const { name, typeName } = declared
  const schema = Type.Object(
    mapValues(fields, (field) => field.schema),
    { ...closed, $id: typeName, description },
  )
  const fieldOptions = Type.Object(
    mapValues(fields, ({ option }) => option),
    closed,
  )
  // Where records do not show their event, only a filter compares it.
  const eventOption = 'eventId' in fields ? {} : { eventId: EventFilterOption }
  const options = { ...section, ...eventOption, fields: fieldOptions }
  const describe = ({ fields: { status }, invalidRows = 'skip' }: SectionMapping): DocumentedCollection => ({
    ...declared,
    schema,
    contents: mapValues(fields, ({ content }) => content),
    statuses: listStatuses(status),
    invalidRows,
  })
  return {
    name,
    schema,
    /** The shape of the section in the mapping file. */
    section: Type.Unsafe<SectionMapping>(Type.Object(options, closed)),
    /** What routes and documents need of the collection; it needs no database. */
    describe,
    /** Finds the columns of a section in the live schema. */
    resolve: (mapped: SectionMapping, input: ResolveInput): BoundCollection => {
      const columns = new ColumnResolver(input, { table: mapped.table, path: name, fields: mapped.fields })
      const resolved = mapValues(fields, (field, fieldName) =>
        field.resolve(mapped.fields[fieldName], columns.ofField(fieldName)),
      ) as ResolvedFields
      return {
        ...describe(mapped),
        table: resolveTable(mapped, resolved, input, columns),
        fields: resolved,
        options: mapped.fields,
        record: bindRecord(resolved),
      }
    },
  }
}

/** What statements need from the collection. */
function resolveTable(
  section: SectionMapping,
  fields: ResolvedFields,
  { schema, heartbeat, entriesMax: givenMax }: ResolveInput,
  columns: ColumnResolver,
): ResolvedTable {
  const { isView = false, indexes = [] } = schema.get(section.table) ?? {}
  const workspace = findPlace(section.workspace, columns.at('workspace'), false)
  const [where, archived] = [columns.at('where'), columns.at('archived')]
  const table = {
    name: section.table,
    workspace,
    lookedUp: listColumns(workspace).find(isLookedUp),
    updatedAt: fields.updatedAt.found,
    where: (section.where ?? []).map((option) => where.findTest(option)),
    archived: [section.archived].flat().map((option) => archived.findTest(option)),
    projection: Object.values(fields).flatMap(({ projection }) => projection),
    id: fields.id.found,
    eventId:
      section.eventId === undefined
        ? fields.eventId?.found
        : findEventFilter(section.eventId, columns.at('eventId')),
    status: fields.status.found,
    order: toOrder({ id: fields.id.found, updatedAt: fields.updatedAt.found }),
    isView,
    heartbeat,
    indexes,
    entriesMax: givenMax ?? entriesMax,
  }
  checkId(table, columns.at('fields.id'))
  return table
}

/**
 * Adds an issue for an id that is an ENUM or SET: pages would lose rows, which are ordered by number and continue by label; and
 * for one that can be longer than what a cursor holds.
 * Adds one for an id that no index makes unique; the indexes behind a view are not known.
 */
function checkId({ name, id, isView, indexes }: ResolvedTable, columns: ColumnResolver): void {
  const { column } = id
  if (isEnumerated(column))
    columns.reportColumn(id, 'text, an integer or BINARY(16) for a UUID; no ENUM or SET')
  if (isLong(column))
    columns.reportColumn(id, 'text of at most 1,000 characters; in a view, cast(… as char(64))')
  const isUnique = indexes.some(({ uniqueOn }) => uniqueOn === column.name.toLowerCase())
  if (isView || isUnique || column.name === '') return
  columns.report(
    `${name}.${column.name}, which no index makes unique: two records could have the same id`,
    'a column that the primary key or a UNIQUE index makes unique by itself, which a partitioned or system-versioned table cannot have; or a view with a column that has each id once',
  )
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  toMapped: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toMapped(value, name)]))
}
