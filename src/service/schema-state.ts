import { findUnreadable } from '../audit/audit.js'
import type { MappedTables } from '../audit/evaluate-schema.js'
import { createCoalescer } from '../coalescer.js'
import type { BoundCollection } from '../collections/collection.js'
import { isAccessDenied, isSchemaError } from '../database/errors.js'
import { readSchema, readTypes } from '../database/schema.js'
import type { ColumnTypes, Schema } from '../database/schema.js'
import { renderTypes } from '../database/schema-sql.js'
import type { RunQuery, Statement } from '../database/statement.js'
import { toIssueText, unwrapProblem } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import { listCollections, resolveSections } from '../mapping/resolve-mapping.js'
import type { ResolvedKeyTable } from '../mapping/key-table.js'
import {
  listColumnsOf,
  listMappedColumns,
  listMappedTables,
  listSections,
} from '../mapping/mapped-columns.js'
import type { Mapping, SectionName } from '../mapping/mapping-schema.js'
import { chooseIndex } from '../collections/choose-index.js'

/** A section of the mapping, resolved against a schema. */
interface SectionState {
  readonly table: string
  /** The resolved columns and the indexes as text. */
  readonly resolved: string
  /** Why the section cannot be served; empty if it can. */
  readonly issues: readonly string[]
  /** The index that serves lists in their order. */
  readonly pagingIndex: string | undefined
}

/** The whole mapping, resolved against a schema. A section without issues can be served. */
export interface SchemaState {
  /** Those that the mapping has. */
  readonly sections: ReadonlyMap<SectionName, SectionState>
  readonly keys: ResolvedKeyTable
  readonly collections: readonly BoundCollection[]
}

/** The state of a section that the mapping has. */
export function findState({ sections }: SchemaState, name: SectionName): SectionState {
  const section = sections.get(name)
  if (section === undefined) throw new Error(`The mapping has no section ${name}`)
  return section
}

/**
 * Resolves the mapping against a schema.
 *
 * @param started the schema at the start of the service. A column whose kind has changed since is an issue, even if the
 *   mapping could read it: its values would not mean what earlier answers meant.
 */
export function toSchemaState(mapping: Mapping, schema: Schema, started: Schema): SchemaState {
  const changed = listChangedKinds(mapping, schema, started)
  const resolved = resolveSections(mapping, schema)
  const toSection = (name: SectionName, table: object, tableName: string): SectionState => ({
    table: tableName,
    resolved: JSON.stringify(table),
    issues: [...resolved[name].issues, ...listOf(name, changed)].map(toIssueText),
    pagingIndex: undefined,
  })
  const keys = resolved.apiKeys.resolved
  const collections = listCollections({
    registrations: resolved.registrations.resolved,
    invoices: resolved.invoices.resolved,
  })
  const toCollection = ({ name, table }: BoundCollection): SectionState => {
    const section = toSection(name, table, table.name)
    if (resolved[name].issues.length > 0) return section
    return { ...section, pagingIndex: chooseIndex(table, { event: false })?.name }
  }
  return {
    sections: new Map<SectionName, SectionState>([
      ['apiKeys', toSection('apiKeys', keys, keys.table)],
      ...collections.map((one) => [one.name, toCollection(one)] as const),
    ]),
    keys,
    collections,
  }
}

function listChangedKinds(mapping: Mapping, schema: Schema, started: Schema): readonly ConfigIssue[] {
  return listMappedColumns(mapping).flatMap(({ table, column, path }) => {
    const [before, now] = [started, schema].map((one) => one.get(table)?.columns.get(column.toLowerCase()))
    if (before === undefined || now === undefined || before.kind === now.kind) return []
    const found = `${table}.${now.name}, which changed from ${before.type} to ${now.type} since the last load`
    return [{ path, found, allowed: `${before.type}, or a reload that takes the new type into use` }]
  })
}

function listOf(section: SectionName, issues: readonly ConfigIssue[]): readonly ConfigIssue[] {
  return issues.filter(({ path }) => path.startsWith(`${section}.`))
}

/** The mapped tables, and the types of the columns of each section; undefined where one of its tables cannot be read. */
export interface SchemaReading extends MappedTables {
  readonly types: ReadonlyMap<SectionName, ColumnTypes | undefined>
}

/** Reads the types of the columns of a section, as `probeTypes` does. */
export type ProbeSection = (section: SectionName) => Promise<ColumnTypes | undefined>

/** Reads everything that the mapping is compared with. @throws Problem when the database does not answer. */
export async function readSchemaState(
  mapping: Mapping,
  runQuery: RunQuery,
  probe: ProbeSection = createProbe(mapping, runQuery),
): Promise<SchemaReading> {
  // Before the schema: the types of a column that changes meanwhile are not those of the next probe. One after the
  // other, so that a check opens no more sessions than it needs.
  const types = new Map<SectionName, ColumnTypes | undefined>()
  for (const name of listSections(mapping)) types.set(name, await probe(name))
  const schema = await readSchema(runQuery, listMappedTables(mapping))
  const isRead = [...types.values()].every((one) => one !== undefined)
  return { types, schema, unreadable: isRead ? new Map() : await findUnreadable(mapping, runQuery) }
}

/** Probes of each section, of which those at the same time share one. */
export function createProbe(mapping: Mapping, runQuery: RunQuery): ProbeSection {
  const probes = new Map(
    listSections(mapping).map((name) => {
      const statement = renderTypes(listColumnsOf(mapping, name))
      return [name, createCoalescer(() => probeTypes(runQuery, statement))]
    }),
  )
  return async (section) => probes.get(section)?.()
}

/**
 * The types of the columns of a section, by a statement that reads no row; undefined where one of its tables cannot be read.
 *
 * @throws Problem when the database does not answer.
 */
export async function probeTypes(runQuery: RunQuery, statement: Statement): Promise<ColumnTypes | undefined> {
  try {
    return await readTypes(runQuery, statement)
  } catch (error) {
    const cause = unwrapProblem(error)
    if (!isSchemaError(cause) && !isAccessDenied(cause)) throw error
    return undefined
  }
}

/**
 * Adds the tables that cannot be read to the issues of sections whose types could not be read. A view whose definer was
 * dropped still has its columns in the schema.
 */
export function addReadIssues(
  state: SchemaState,
  { types, unreadable }: Pick<SchemaReading, 'types' | 'unreadable'>,
  mapping: Mapping,
): SchemaState {
  const sections = new Map(state.sections)
  for (const [name, section] of state.sections) {
    if (section.issues.length > 0 || types.get(name) !== undefined) continue
    const issues = listMappedTables(mapping, name).flatMap((table) => {
      const reason = unreadable.get(table)
      return reason === undefined ? [] : [`${name}: ${table} cannot be read: ${reason}`]
    })
    sections.set(name, { ...section, issues })
  }
  return { ...state, sections }
}

/** The newer state, with the older objects of unchanged sections, so that their compiled statements stay in use. */
export function keepUnchanged(next: SchemaState, before: SchemaState): SchemaState {
  const isSame = (name: SectionName): boolean =>
    next.sections.get(name)?.resolved === before.sections.get(name)?.resolved
  return {
    ...next,
    keys: isSame('apiKeys') ? before.keys : next.keys,
    collections: next.collections.map((collection) =>
      isSame(collection.name)
        ? (before.collections.find(({ name }) => name === collection.name) ?? collection)
        : collection,
    ),
  }
}

/** A change of a section while the service runs. */
export type SchemaEvent = { readonly section: SectionName; readonly table: string } & (
  | { readonly is: 'resolved anew' | 'recovered' }
  | { readonly is: 'broken'; readonly issues: readonly string[] }
  | { readonly is: 'without paging index'; readonly index: string }
)

/** The changes from one state to the next. */
export function listSchemaEvents(before: SchemaState, next: SchemaState): readonly SchemaEvent[] {
  return [...next.sections].flatMap(([name, now]): readonly SchemaEvent[] => {
    const old = before.sections.get(name)
    if (old === undefined) return []
    const about = { section: name, table: now.table }
    if (now.issues.length > 0)
      return old.issues.join() === now.issues.join() ? [] : [{ ...about, is: 'broken', issues: now.issues }]
    const change =
      old.issues.length > 0 ? 'recovered' : old.resolved === now.resolved ? undefined : 'resolved anew'
    const lost = old.issues.length === 0 && now.pagingIndex === undefined ? old.pagingIndex : undefined
    return [
      ...(change === undefined ? [] : [{ ...about, is: change } as const]),
      ...(lost === undefined ? [] : [{ ...about, is: 'without paging index', index: lost } as const]),
    ]
  })
}
