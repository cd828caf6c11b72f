import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import { bindRecord } from './collection.js'
import type { DocumentedCollection, BoundCollection, CollectionName } from './collection.js'
import { createColumnResolver } from './column-resolver.js'
import type { ColumnResolver, Field, ResolvedField, SectionInput } from './field.js'
import { TableName, closed, isConstant } from './options.js'
import type { Scope } from './options.js'
import {
  ArchivedOption,
  InvalidRowsOption,
  listArchivedTests,
  RowTestOption,
  WorkspaceOption,
} from './section-options.js'
import { listStatuses } from './status-field.js'
import type { StatusMapping } from './status-field.js'
import { isEnumerated } from '../database/column.js'
import { toQuotedName } from '../database/sql.js'
import type { Column } from '../database/column.js'
import type {
  EventChoice,
  IdentifierColumn,
  ResolvedTable,
  StatusCases,
  StatusColumn,
  TimeColumn,
} from './resolved-table.js'
import { resolveEventColumn } from './event-field.js'
import { findIssues, isLink, optionOf } from './section.js'
import type { SectionMapping } from './section.js'

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
type Schemas<Fields extends DeclaredFields> = {
  readonly [Name in keyof Fields]: Fields[Name]['schema']
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
type ResolveInput = SectionInput & Pick<BoundCollection, 'epoch'> & Pick<ResolvedTable, 'heartbeat'>

/**
 * Declares a collection, and derives from it the JSON schema of its records, its section of the mapping file, the columns
 * that are read, and how a section is resolved against a live schema. Source: `docs/contract.md`, "Records".
 */
export function defineCollection<
  Fields extends DeclaredFields,
  SectionOptions extends Readonly<Record<string, TSchema>>,
>(declaration: Declaration<Fields, SectionOptions>) {
  const { name, typeName, scope, description, fields } = declaration
  const schema = Type.Object(mapValues(fields, (field) => field.schema) as Schemas<Fields>, {
    ...closed,
    $id: typeName,
    description,
  })
  const section = defineSection<Fields, SectionOptions>(declaration)
  const describe = (mapped: SectionMapping): DocumentedCollection => {
    return {
      name,
      typeName,
      scope,
      schema,
      statuses: listStatuses(optionOf(mapped, 'status') as StatusMapping),
    }
  }
  return {
    name,
    schema,
    /** The shape of the section in the mapping file. */
    section,
    /** What routes and documents need of the collection; it needs no database. */
    describe,
    /** What is wrong with the section that its shape cannot express. */
    findIssues: (mapped: SectionMapping) => findIssues(name, fields, mapped),
    /** Finds the columns of a section in the live schema. */
    resolve: (mapped: SectionMapping, input: ResolveInput): BoundCollection<Resolved<Fields>> => {
      const resolver = createColumnResolver({ ...input, table: mapped.table, section: name })
      const resolved = mapValues(fields, (field, fieldName) =>
        field.resolve(optionOf(mapped, fieldName), fieldName, resolver),
      ) as Resolved<Fields>
      return {
        ...describe(mapped),
        table: resolveTable(mapped, resolved, { ...input, name, resolver }),
        invalidRows: mapped.invalidRows ?? 'skip',
        epoch: input.epoch,
        fields: resolved,
        record: bindRecord(resolved),
      }
    },
  }
}

/** The shape of the section in the mapping file. */
function defineSection<
  Fields extends DeclaredFields,
  SectionOptions extends Readonly<Record<string, TSchema>>,
>({ fields, sectionOptions }: Declaration<Fields, SectionOptions>) {
  return Type.Object(
    {
      table: TableName,
      where: Type.Optional(
        Type.Array(RowTestOption, {
          description: 'a list of tests of columns; all of them must hold',
        }),
      ),
      workspace: WorkspaceOption,
      archived: ArchivedOption,
      invalidRows: InvalidRowsOption,
      ...sectionOptions,
      fields: Type.Object(mapValues(fields, ({ option }) => option) as Options<Fields>, closed),
    },
    closed,
  )
}

/** Where the columns of a collection are found. */
interface TableInput extends ResolveInput {
  readonly name: CollectionName
  /** Finds columns of the table of the section. */
  readonly resolver: ColumnResolver
}

/** What statements need from the collection. */
function resolveTable(
  section: SectionMapping,
  fields: Resolved<DeclaredFields>,
  input: TableInput,
): ResolvedTable {
  const { resolver, schema } = input
  const { isView = false, indexes = [] } = schema.get(section.table) ?? {}
  const workspace = isConstant(section.workspace)
    ? section.workspace
    : resolver.follow(section.workspace, 'workspace').findWorkspace(section.workspace, 'workspace')
  checkId(section, fields.id.found.column, input)
  return {
    name: section.table,
    workspace,
    updatedAt: fields.updatedAt.found,
    where: (section.where ?? []).map((option) => resolver.findTest(option, 'where')),
    archived: listArchivedTests(section.archived).map((option) => resolver.findTest(option, 'archived')),
    projection: Object.values(fields).flatMap(({ projection }) => projection),
    id: fields.id.found,
    eventId: resolveEvent(section, fields, input),
    status: fields.status.found,
    isView,
    heartbeat: input.heartbeat,
    indexes,
  }
}

/**
 * Adds an issue for an id that is an ENUM or SET: pages would lose rows, which are ordered by number and continue by label.
 * Adds one for an id that no index makes unique; the indexes behind a view are not known.
 */
function checkId(
  { table: tableName }: SectionMapping,
  column: Column,
  { name, schema, issues }: TableInput,
): void {
  const path = `${name}.fields.id`
  const place = `${tableName}.${column.name}`
  if (isEnumerated(column))
    issues.push({
      path,
      found: `${place} of type ${column.type}`,
      allowed: 'text, an integer or BINARY(16) for a UUID; no ENUM or SET',
    })
  const table = schema.get(tableName)
  if (table === undefined || table.isView || column.name === '') return
  if (table.indexes.some(({ uniqueOn }) => uniqueOn === column.name.toLowerCase())) return
  const unique = [...new Set(table.indexes.flatMap(({ uniqueOn }) => uniqueOn ?? []))].filter(
    (one) => table.columns.get(one)?.nullable !== true,
  )
  const statement = `CREATE UNIQUE INDEX ${toQuotedName('uq_vitrine_id')} ON ${toQuotedName(tableName)} (${toQuotedName(column.name)})`
  issues.push({
    path,
    found: `${place}, which no index makes unique: two records could have the same id`,
    allowed: `a column that the primary key or a UNIQUE index makes unique by itself${
      unique.length > 0
        ? `, such as ${unique.join(' or ')}`
        : `; this table has none. If the product never stores a value twice: ${statement}; otherwise a view with a unique column`
    }`,
  })
}

/** The column of the filter `eventId`: an option of the section, or else the field of this name. */
function resolveEvent(
  { eventId }: SectionMapping,
  fields: Resolved<DeclaredFields>,
  { name, resolver, ...input }: TableInput,
): ResolvedTable['eventId'] {
  if (eventId === undefined)
    return (fields['eventId'] as unknown as { readonly found: IdentifierColumn | EventChoice }).found
  if (eventId === null) return undefined
  if (!isLink(eventId)) return resolveEventColumn(eventId, 'eventId', resolver)
  const link = createColumnResolver({ ...input, table: eventId.table, section: `${name}.eventId` })
  return {
    table: eventId.table,
    invoice: link.findIdentifier(eventId.invoice, 'invoice'),
    event: link.findIdentifier(eventId.event, 'event'),
  }
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  toMapped: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toMapped(value, name)]))
}
