import type { ConfigIssue } from '../errors.js'
import type { Field } from './field.js'
import { listLookupColumns } from './lookup.js'
import { isLookup } from './lookup-option.js'
import { listColumnNames, nameOf } from './options.js'
import { listArchivedTests } from './section-options.js'
import type {
  ArchivedMapping,
  EventFilterMapping,
  RowTestMapping,
  WorkspaceMapping,
} from './section-options.js'
import type { MappedColumn, ResourceName } from './resource.js'

/** A section of the mapping file, of any resource. */
export interface SectionMapping {
  readonly table: string
  readonly where?: readonly RowTestMapping[]
  readonly workspace: WorkspaceMapping
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
  const { archived, eventId, where = [], workspace } = section
  const at = (path: string, column: string, table = section.table): MappedColumn => ({
    table,
    column,
    path: `${name}.${path}`,
  })
  /** The columns of an option: those that it names in its own table, and those by which a lookup finds that table. */
  const of = (path: string, option: unknown): readonly MappedColumn[] => [
    ...listColumnNames(option).map((column) =>
      at(path, column, isLookup(option) ? option.from : section.table),
    ),
    ...listLookupColumns(option, section.table).map((one) => at(`${path}${one.path}`, one.column, one.table)),
  ]
  return [
    ...of('workspace', workspace),
    ...where.flatMap((test) => of('where', test)),
    ...listArchivedTests(archived).flatMap((test) => of('archived', test)),
    ...of('eventId', eventId),
    ...Object.entries(fields).flatMap(([field, declared]) => {
      const option = optionOf(section, field)
      const parts = declared.listParts?.(option) ?? [option]
      return parts.flatMap((part) => of(`fields.${field}`, part))
    }),
    ...(isLink(eventId)
      ? [
          at('eventId.invoice', nameOf(eventId.invoice), eventId.table),
          at('eventId.event', nameOf(eventId.event), eventId.table),
        ]
      : []),
  ]
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

/** Whether the workspace is the same for all rows. */
export function isConstant(option: WorkspaceMapping): option is { constant: string } {
  return typeof option === 'object' && 'constant' in option
}

/** Whether the filter `eventId` reads a table that links invoices to events. */
export function isLink(
  option: EventFilterMapping | undefined,
): option is Extract<EventFilterMapping, { table: string }> {
  return typeof option === 'object' && option !== null && 'table' in option
}

/** What the section says for a field. */
export function optionOf({ fields }: SectionMapping, field: string): unknown {
  return (fields as Readonly<Record<string, unknown>>)[field]
}
