import { chooseIndex } from '../collections/choose-index.js'
import type { BoundCollection } from '../collections/collection.js'
import { countDigits } from '../database/column.js'
import type { Column } from '../database/column.js'
import type { Schema } from '../database/schema.js'
import { toIssueText } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import { listMappedColumns, listSections } from './mapped-columns.js'
import type { Mapping, SectionName } from './mapping-schema.js'
import { resolveMapping } from './resolve-mapping.js'
import type { ResolvedKeyTable } from './resolve-mapping.js'

/** A section of the mapping, bound to a schema. */
export interface BoundSection {
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
  /** Why the tables of sections cannot be read. */
  readonly unreadable: ReadonlyMap<SectionName, string>
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
  { schema, unreadable }: SchemaReading,
  started: Schema,
  before?: BoundSections,
): BoundSections {
  const resolved = resolveMapping(mapping, schema)
  const all = [...resolved.issues, ...listChangedKinds(mapping, schema, started)]
  const listIssues = (name: SectionName): readonly string[] => {
    const found = all.filter(({ path }) => path.startsWith(`${name}.`)).map(toIssueText)
    // A view whose definer was dropped still has its columns in the schema.
    const reason = unreadable.get(name)
    return found.length === 0 && reason !== undefined ? [`${name}: ${reason}`] : found
  }
  const toSection = (name: SectionName): readonly (readonly [SectionName, BoundSection])[] => {
    const value = resolved[name]
    if (value === undefined) return []
    const table = 'record' in value ? value.table : undefined
    const text = JSON.stringify(table ?? value)
    const pagingIndex = table && chooseIndex(table)?.name
    const old = before?.get(name)
    const kept = old?.text === text ? old.value : value
    return [[name, { value: kept, text, pagingIndex, issues: listIssues(name) }]]
  }
  return new Map(listSections(mapping).flatMap(toSection))
}

function listChangedKinds(mapping: Mapping, schema: Schema, started: Schema): readonly ConfigIssue[] {
  return listMappedColumns(mapping).flatMap(({ table, column, path }) => {
    const [before, now] = [started, schema].map((one) => one.get(table)?.columns.get(column.toLowerCase()))
    if (before === undefined || now === undefined || toMeaning(before) === toMeaning(now)) return []
    const found = `${table}.${now.name}, which changed from ${before.type} to ${now.type} since the start`
    return [{ path, found, allowed: `${before.type}, or a restart that takes the new type into use` }]
  })
}

/** What the values of a column are read as. Whole numbers that get decimals were minor units, and are not any more. */
function toMeaning(column: Column): string {
  return column.kind === 'decimal' && countDigits(column) === 0 ? 'whole numbers' : column.kind
}

/** A change of a section while the service runs. */
export interface SchemaEvent {
  readonly kind: 'schema broken' | 'schema recovered' | 'schema bound anew' | 'paging index dropped'
  readonly section: SectionName
  readonly table: string
  readonly issues?: readonly string[]
  readonly index?: string
}

/** The changes from one binding to the next. */
export function listSchemaEvents(before: BoundSections, next: BoundSections): readonly SchemaEvent[] {
  return [...next].flatMap(([section, { value, text, issues, pagingIndex }]): readonly SchemaEvent[] => {
    const old = before.get(section)
    const table = 'record' in value ? value.table.name : value.table
    if (old === undefined) return []
    if (issues.length > 0)
      return old.issues.join() === issues.join() ? [] : [{ kind: 'schema broken', section, table, issues }]
    if (old.issues.length > 0) return [{ kind: 'schema recovered', section, table }]
    if (old.text === text) return []
    const index = pagingIndex === undefined ? old.pagingIndex : undefined
    const bound = { kind: 'schema bound anew', section, table } as const
    return index === undefined ? [bound] : [bound, { kind: 'paging index dropped', section, table, index }]
  })
}
