import { chooseIndex } from '../collections/choose-index.js'
import type { BoundCollection } from '../collections/collection.js'
import type { ColumnTypes, Schema } from '../database/schema.js'
import { toIssueText } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import type { ResolvedKeyTable } from './resolve-mapping.js'
import { listMappedColumns, listSections } from './mapped-columns.js'
import type { Mapping, SectionName } from './mapping-schema.js'
import { resolveSections } from './resolve-mapping.js'

/** A section of the mapping, bound to a schema. */
export interface BoundSection {
  readonly table: string
  /** What its statements are made from; the same object while its columns and indexes are unchanged. */
  readonly value: ResolvedKeyTable | BoundCollection
  /** The columns and indexes as text. */
  readonly text: string
  /** Why it cannot be served; empty if it can. */
  readonly issues: readonly string[]
  /** The index that serves lists in their order; undefined for the keys and for a view. */
  readonly pagingIndex: string | undefined
}

/** The sections that the mapping has. */
export type BoundSections = ReadonlyMap<SectionName, BoundSection>

/** What the mapping is compared with. */
export interface SchemaReading {
  readonly schema: Schema
  /** The types of the columns of each section, or why its tables cannot be read. */
  readonly types: ReadonlyMap<SectionName, ColumnTypes | string>
}

/**
 * Binds each section to a schema. A section with issues leaves the others usable.
 *
 * @param started the schema at the start of the service. A column whose kind has changed since is an issue, even if the
 *   mapping could read it: its values would not mean what earlier answers meant.
 * @param before whose objects stay in use where nothing has changed, so that their compiled statements do too.
 */
export function bind(
  mapping: Mapping,
  { schema, types }: SchemaReading,
  started: Schema,
  before?: BoundSections,
): BoundSections {
  const resolved = resolveSections(mapping, schema)
  const changed = listChangedKinds(mapping, schema, started)
  const toSection = (name: SectionName): readonly (readonly [SectionName, BoundSection])[] => {
    const { resolved: value, issues } = resolved[name]
    if (value === undefined) return []
    const found = [...issues, ...changed.filter(({ path }) => path.startsWith(`${name}.`))]
    // A view whose definer was dropped still has its columns in the schema.
    const unreadable = types.get(name)
    const isUnreadable = found.length === 0 && typeof unreadable === 'string'
    const section = { ...bindSection(value, before?.get(name)), issues: found.map(toIssueText) }
    return [[name, isUnreadable ? { ...section, issues: [`${name}: ${unreadable}`] } : section]]
  }
  return new Map(listSections(mapping).flatMap(toSection))
}

function bindSection(
  value: BoundSection['value'],
  before: BoundSection | undefined,
): Omit<BoundSection, 'issues'> {
  const table = 'record' in value ? value.table : undefined
  const text = JSON.stringify(table ?? value)
  return {
    table: 'record' in value ? value.table.name : value.table,
    value: before?.text === text ? before.value : value,
    text,
    pagingIndex: table && chooseIndex(table)?.name,
  }
}

function listChangedKinds(mapping: Mapping, schema: Schema, started: Schema): readonly ConfigIssue[] {
  return listMappedColumns(mapping).flatMap(({ table, column, path }) => {
    const [before, now] = [started, schema].map((one) => one.get(table)?.columns.get(column.toLowerCase()))
    if (before === undefined || now === undefined || before.kind === now.kind) return []
    const found = `${table}.${now.name}, which changed from ${before.type} to ${now.type} since the start`
    return [{ path, found, allowed: `${before.type}, or a restart that takes the new type into use` }]
  })
}

/** A change of a section while the service runs. */
export interface SchemaEvent {
  readonly is: 'broken' | 'recovered' | 'bound anew' | 'without paging index'
  readonly section: SectionName
  readonly table: string
  readonly issues?: readonly string[]
  readonly index?: string
}

/** The changes from one binding to the next. */
export function listSchemaEvents(before: BoundSections, next: BoundSections): readonly SchemaEvent[] {
  return [...next].flatMap(([section, now]): readonly SchemaEvent[] => {
    const old = before.get(section)
    if (old === undefined) return []
    const { table, issues, text, pagingIndex } = now
    if (issues.length > 0)
      return old.issues.join() === issues.join() ? [] : [{ is: 'broken', section, table, issues }]
    if (old.issues.length > 0) return [{ is: 'recovered', section, table }]
    if (old.text === text) return []
    const lost = pagingIndex === undefined ? old.pagingIndex : undefined
    return [
      { is: 'bound anew', section, table },
      ...(lost === undefined ? [] : [{ is: 'without paging index', section, table, index: lost } as const]),
    ]
  })
}
