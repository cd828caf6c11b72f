import type { Schema } from '../db/read-schema.js'
import { SchemaError } from '../errors.js'
import type { Fault } from '../errors.js'
import { bindInvoices } from './bind-invoices.js'
import { bindKeys } from './bind-keys.js'
import { bindRegistrations } from './bind-registrations.js'
import type { BoundMapping } from './bound.js'
import { createColumnFinder } from './find-columns.js'
import type { ColumnFinder } from './find-columns.js'
import type { Mapping } from './mapping-schema.js'

/**
 * Resolves a mapping against the live schema.
 *
 * @throws SchemaError with every column that is missing or of a type that cannot be read truthfully.
 */
export function bindMapping(mapping: Mapping, schema: Schema): BoundMapping {
  const faults: Fault[] = []
  const offsetMinutes = toOffsetMinutes(mapping.timezone)
  const finder = (table: string, section: string): ColumnFinder =>
    createColumnFinder({ schema, table, section, offsetMinutes, faults })
  const bound = {
    apiKeys: bindKeys(mapping.apiKeys, finder(mapping.apiKeys.table, 'apiKeys'), faults),
    registrations: bindRegistrations(
      mapping.registrations,
      schema,
      finder(mapping.registrations.table, 'registrations'),
    ),
    invoices: bindInvoices(mapping.invoices, schema, finder),
  }
  if (faults.length > 0) throw new SchemaError(faults)
  return bound
}

/** Minutes east of UTC of an offset such as `+03:00`. */
export function toOffsetMinutes(offset: string): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  return offset.startsWith('-') ? -minutes : minutes
}
