import type { ConfigIssue } from '../errors.js'
import type { EventFilterMapping } from './event-field.js'
import type { Field } from './field.js'
import { isLookup, listArchivedTests } from './section-options.js'
import type { ArchivedMapping, RowTestMapping, WorkspaceMapping } from './section-options.js'
import { isLines, listColumnNames, listParts, nameOf } from './options.js'
import type { MappedColumn, CollectionName } from './collection.js'
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

/** Every column that a section names; a column that is used twice is listed twice. */
export function listColumns(
  name: CollectionName,
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
  const of = (path: string, whole: unknown): readonly MappedColumn[] =>
    listParts(whole).flatMap((option) => [
      ...listColumnNames(option).map((column) =>
        at(path, column, isLookup(option) ? option.from : section.table),
      ),
      ...listLookupColumns(option, section.table).map((one) =>
        at(`${path}${one.path}`, one.column, one.table),
      ),
    ])
  return [
    ...of('workspace', workspace),
    ...where.flatMap((test) => of('where', test)),
    ...listArchivedTests(archived).flatMap((test) => of('archived', test)),
    ...of('eventId', eventId),
    ...Object.keys(fields).flatMap((field) => of(`fields.${field}`, optionOf(section, field))),
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

/** Assumed where the mapping does not name the key or the primary key, and the schema was not read. */
export const assumedKey = 'id'

/** A column by which a lookup finds its row, and the place in the option that names it. */
interface NamedColumn {
  readonly table: string
  readonly column: string
  /** Below the path of the option, such as `.on`. */
  readonly path: string
}

/** The columns by which a lookup finds its row. `table` is the one that `on` belongs to. */
export function listLookupColumns(option: unknown, table: string, path = ''): readonly NamedColumn[] {
  if (!isLookup(option)) return []
  const onTable = isLookup(option.on) ? option.on.from : table
  const { from, where = [] } = option
  const primary = where.length === 0 ? [] : (option.primary ?? [assumedKey])
  return [
    { table: onTable, column: nameOf(option.on), path: `${path}.on` },
    { table: from, column: option.key ?? assumedKey, path: `${path}.key` },
    ...where.map(({ column }) => ({ table: from, column, path: `${path}.where` })),
    ...primary.map((column) => ({ table: from, column, path: `${path}.where` })),
    ...listLookupColumns(option.on, table, `${path}.on`),
  ]
}
