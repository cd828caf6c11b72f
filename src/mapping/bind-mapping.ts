import type { Schema } from '../database/schema.js'
import { SchemaError } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import { bindInvoices } from './bind-invoices.js'
import { bindKeys } from './bind-keys.js'
import { bindRegistrations } from './bind-registrations.js'
import type { ResolvedMapping } from './bound.js'
import { createColumnFinder } from './find-columns.js'
import type { ColumnFinder } from './find-columns.js'
import type { Mapping } from './mapping-schema.js'

/** One section of the mapping, resolved against a schema; it can be used only where it has no faults. */
export interface ResolvedSection<Name extends keyof ResolvedMapping> {
  readonly bound: ResolvedMapping[Name]
  /** Every column that is missing or of a type that cannot be read truthfully. */
  readonly faults: readonly ConfigIssue[]
}

/** Every section of the mapping, each resolved apart from the others. */
export type ResolvedSections = { readonly [Name in keyof ResolvedMapping]: ResolvedSection<Name> }

/**
 * Resolves a mapping against the live schema.
 *
 * @throws SchemaError with the faults of every section.
 */
export function resolveMapping(mapping: Mapping, schema: Schema): ResolvedMapping {
  const { apiKeys, registrations, invoices } = resolveSections(mapping, schema)
  const faults = [apiKeys, registrations, invoices].flatMap((section) => section.faults)
  if (faults.length > 0) throw new SchemaError(faults)
  return { apiKeys: apiKeys.bound, registrations: registrations.bound, invoices: invoices.bound }
}

/** Resolves each section of a mapping, so that one which the schema does not fit leaves the others usable. */
export function resolveSections(mapping: Mapping, schema: Schema): ResolvedSections {
  const offsetMinutes = toOffsetMinutes(mapping.timezone)
  const resolve = <Bound>(
    bind: (finderOf: (table: string, section: string) => ColumnFinder, faults: ConfigIssue[]) => Bound,
  ): { bound: Bound; faults: readonly ConfigIssue[] } => {
    const faults: ConfigIssue[] = []
    const bound = bind(
      (table, section) => createColumnFinder({ schema, table, section, offsetMinutes, faults }),
      faults,
    )
    return { bound, faults }
  }
  return {
    apiKeys: resolve((finderOf, faults) =>
      bindKeys(mapping.apiKeys, finderOf(mapping.apiKeys.table, 'apiKeys'), faults),
    ),
    registrations: resolve((finderOf) =>
      bindRegistrations(
        mapping.registrations,
        schema,
        finderOf(mapping.registrations.table, 'registrations'),
      ),
    ),
    invoices: resolve((finderOf) => bindInvoices(mapping.invoices, schema, finderOf)),
  }
}

/** Minutes east of UTC of an offset such as `+03:00`. */
export function toOffsetMinutes(offset: string): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  return offset.startsWith('-') ? -minutes : minutes
}
