import type { Schema } from '../database/schema.js'
import { SchemaError } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import { invoices } from '../collections/invoices.js'
import { ColumnResolver } from '../collections/column-resolver.js'
import type { ResolverInput } from '../collections/column-resolver.js'
import { registrations } from '../collections/registrations.js'
import type { DocumentedCollection } from '../collections/collection.js'
import { parseZone } from '../values/zone.js'
import { resolveKeyTable } from './key-table.js'
import { sectionNames } from './mapping-schema.js'
import type { Mapping } from './mapping-schema.js'

/** Each section of the mapping with its issues; a collection without a section is undefined, and has none. */
export type ResolvedSections = ReturnType<typeof resolveSections>

/** The mapping with every name resolved to a column of the live database. */
export type ResolvedMapping = {
  readonly [Name in keyof ResolvedSections]: ResolvedSections[Name]['resolved']
}

/**
 * Resolves a mapping against the live schema.
 *
 * @throws SchemaError with the issues of every section.
 */
export function resolveMapping(mapping: Mapping, schema: Schema): ResolvedMapping {
  const sections = resolveSections(mapping, schema)
  const issues = [
    ...findHeartbeatIssues(mapping, schema),
    ...sectionNames.flatMap((name) => sections[name].issues),
  ]
  if (issues.length > 0) throw new SchemaError(issues)
  return {
    apiKeys: sections.apiKeys.resolved,
    registrations: sections.registrations.resolved,
    invoices: sections.invoices.resolved,
  }
}

/** A heartbeat that cannot be read; while the service runs, it then proves nothing of a page. */
export function findHeartbeatIssues(
  { heartbeat }: Mapping,
  schema: Schema,
  onColumn?: ResolverInput['onColumn'],
): readonly ConfigIssue[] {
  if (heartbeat === undefined) return []
  const { table, column, oldestOpen } = heartbeat
  const issues: ConfigIssue[] = []
  const input = { schema, zone: undefined, issues, onColumn }
  const columns = new ColumnResolver(input, { table, path: 'heartbeat' })
  const beats = { kinds: ['timestamp', 'datetime', 'text'], form: 'TIMESTAMP, DATETIME or text' } as const
  columns.at('column').find(column, beats)
  if (oldestOpen !== undefined) columns.at('oldestOpen').find(oldestOpen, beats)
  return issues
}

/** Resolves each section by itself, so that a section with issues leaves the others usable. */
export function resolveSections(mapping: Mapping, schema: Schema, onColumn?: ResolverInput['onColumn']) {
  const { epoch = 0, heartbeat, zeroDates, primaryKeys } = mapping
  const zone = mapping.timezone === '+00:00' ? undefined : parseZone(mapping.timezone)
  const begin = () => ({
    ...{ schema, zone, zeroDates, primaryKeys, onColumn, epoch, heartbeat },
    issues: [] as ConfigIssue[],
  })
  const resolve = <Resolved>(toResolved: (input: ReturnType<typeof begin>) => Resolved) => {
    const input = begin()
    return { resolved: toResolved(input), issues: input.issues as readonly ConfigIssue[] }
  }
  return {
    apiKeys: resolve((input) => resolveKeyTable(mapping.apiKeys, input)),
    registrations: resolve(
      (input) => mapping.registrations && registrations.resolve(mapping.registrations, input),
    ),
    invoices: resolve((input) => mapping.invoices && invoices.resolve(mapping.invoices, input)),
  }
}

/** What the OpenAPI document needs of the collections that a mapping has; no database is needed for it. */
export function describeCollections(mapping: Mapping): readonly DocumentedCollection[] {
  return [
    mapping.registrations && registrations.describe(mapping.registrations),
    mapping.invoices && invoices.describe(mapping.invoices),
  ].filter((collection) => collection !== undefined)
}
