import { readSchema } from '../database/schema.js'
import type { Schema } from '../database/schema.js'
import type { RunQuery } from '../database/statement.js'
import { isLookup } from '../resources/options.js'
import type { LookupMapping } from '../resources/options.js'
import type { Mapping } from './mapping-schema.js'

/**
 * The mapping with the key of every lookup by its name: where the file names none, it is the primary key. So everything
 * that lists columns, such as the audit and `vitrine grants`, lists the key too.
 */
export async function fillKeys(mapping: Mapping, runQuery: RunQuery): Promise<Mapping> {
  const tables = listLookupOptions(mapping).flatMap(({ from, key }) => (key === undefined ? [from] : []))
  if (tables.length === 0) return mapping
  return fill(mapping, await readSchema(runQuery, tables)) as Mapping
}

/** Every lookup in a part of the mapping. */
export function listLookupOptions(part: unknown): readonly LookupMapping[] {
  if (typeof part !== 'object' || part === null) return []
  const within = Object.values(part as Readonly<Record<string, unknown>>).flatMap(listLookupOptions)
  return isLookup(part) ? [part, ...within] : within
}

function fill(part: unknown, schema: Schema): unknown {
  if (Array.isArray(part)) return part.map((one) => fill(one, schema))
  if (typeof part !== 'object' || part === null) return part
  const filled = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, fill(value, schema)]))
  if (!isLookup(part) || part.key !== undefined) return filled
  const key = findPrimaryKey(schema, part.from)
  return key === undefined ? filled : { ...filled, key }
}

/** In the spelling of the server; undefined where there is none of one column. */
function findPrimaryKey(schema: Schema, name: string): string | undefined {
  const table = schema.get(name)
  const key = table?.indexes.find((index) => index.name === 'PRIMARY')?.uniqueOn
  return key === undefined ? undefined : (table?.columns.get(key)?.name ?? key)
}
