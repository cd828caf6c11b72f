import type { ConfigIssue } from '../errors.js'
import type { EventFilterMapping } from './event-field.js'
import type { Field } from './field.js'
import type { ArchivedMapping, RowTestMapping, WorkspaceMapping } from './section-options.js'
import { isLines, nameOf } from './options.js'
import type { CollectionName } from './collection.js'
import { findFirstIssue } from './text-source.js'

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

type DeclaredFields = Readonly<Record<string, Field>>

/** What is wrong with a section that its shape cannot express. */
export function findIssues(
  name: CollectionName,
  fields: DeclaredFields,
  section: SectionMapping,
): readonly ConfigIssue[] {
  const filter = findFirstIssue(section.eventId)
  const ofFilter = filter === undefined ? [] : [{ ...filter, path: `${name}.eventId${filter.path}` }]
  const ofFields = Object.entries(fields).flatMap(([field, declared]) => {
    const issue = declared.findIssue?.(optionOf(section, field), { ...section.fields })
    return issue === undefined ? [] : [{ ...issue, path: `${name}.fields.${field}${issue.path}` }]
  })
  return [...ofFilter, ...ofFields]
}

/** Whether the filter `eventId` reads a table that links invoices to events. */
export function isLink(
  option: EventFilterMapping | undefined,
): option is Extract<EventFilterMapping, { table: string }> {
  return typeof option === 'object' && option !== null && 'table' in option
}

/** What the section says for a field. Rows of another table belong to the id, unless it says otherwise. */
export function optionOf({ fields }: SectionMapping, field: string): unknown {
  const { [field]: option, id } = fields as Readonly<Record<string, unknown>>
  if (!isLines(option) || option.on !== undefined) return option
  return { ...option, on: nameOf(id as Parameters<typeof nameOf>[0]) }
}
