import type { TSchema } from '@sinclair/typebox'
import type { ConfigIssue } from '../errors.js'
import type { Field } from './field.js'
import { nameOf } from './options.js'
import type { ArchivedMapping, EventFilterMapping, IdentifierMapping } from './options.js'
import type { MappedColumn, ResourceName } from './resource.js'

/** A section of the mapping file, of any resource. */
export interface SectionMapping {
  readonly table: string
  readonly workspace: IdentifierMapping
  readonly archived: ArchivedMapping
  readonly invalidRows?: 'skip' | 'fail'
  readonly eventId?: EventFilterMapping
  readonly fields: object
}

type DeclaredFields = Readonly<Record<string, Field>>

/** Every column that a section names; a column that is used twice is listed twice. */
export function listColumns(
  name: ResourceName,
  fields: DeclaredFields,
  section: SectionMapping,
): readonly MappedColumn[] {
  const at = (path: string, column: string, table = section.table): MappedColumn => ({
    table,
    column,
    path: `${name}.${path}`,
  })
  const { archived, eventId } = section
  const archivedTests = Array.isArray(archived) ? archived : [archived]
  return [
    at('workspace', nameOf(section.workspace)),
    ...archivedTests.map(({ column }) => at('archived', column)),
    ...(eventId === undefined || isLink(eventId) ? [] : [at('eventId', nameOf(eventId))]),
    ...Object.entries(fields).flatMap(([field, declared]) =>
      declared.listColumns(optionOf(section, field)).map((column) => ({
        ...at(`fields.${field}`, column),
        isRequired: !isNullable(declared.schema),
      })),
    ),
    ...(eventId !== undefined && isLink(eventId)
      ? [
          at('eventId.invoice', nameOf(eventId.invoice), eventId.table),
          at('eventId.event', nameOf(eventId.event), eventId.table),
        ]
      : []),
  ]
}

function isNullable({ type }: TSchema): boolean {
  return Array.isArray(type) && type.includes('null')
}

/** What is wrong with a section that its shape cannot express. */
export function findIssues(
  name: ResourceName,
  fields: DeclaredFields,
  section: SectionMapping,
): readonly ConfigIssue[] {
  return Object.entries(fields).flatMap(([field, declared]) => {
    const issue = declared.findIssue?.(optionOf(section, field), { ...section.fields })
    return issue === undefined ? [] : [{ ...issue, path: `${name}.fields.${field}${issue.path}` }]
  })
}

/** Whether the filter `eventId` reads a table that links invoices to events. */
export function isLink(option: EventFilterMapping): option is Extract<EventFilterMapping, { table: string }> {
  return typeof option === 'object' && 'table' in option
}

/** What the section says for a field. */
export function optionOf({ fields }: SectionMapping, field: string): unknown {
  return (fields as Readonly<Record<string, unknown>>)[field]
}
