import { readPrimaryKeys } from '../database/schema.js'
import type { RunQuery } from '../database/statement.js'
import { isLookup } from '../collections/options.js'
import type { LookupMapping } from '../collections/options.js'
import { ConfigError } from '../errors.js'
import { findForbidden } from './mapped-columns.js'
import type { Mapping } from './mapping-schema.js'

/**
 * The mapping with the key of every lookup by its name: where the file names none, it is the primary key. A lookup with
 * tests gets the columns of the primary key too, which it reads. So everything that lists columns, such as the audit and
 * `vitrine grants`, lists them.
 *
 * @throws ConfigError where `neverRead` forbids a key that the file does not name.
 */
export async function fillMapping(mapping: Mapping, runQuery: RunQuery): Promise<Mapping> {
  const tables = listLookupOptions(mapping).filter(needsPrimary)
  if (tables.length === 0) return mapping
  const primaryKeys = await readPrimaryKeys(
    runQuery,
    tables.map(({ from }) => from),
  )
  const filled = fill(mapping, primaryKeys) as Mapping
  const issues = findForbidden(filled)
  if (issues.length > 0) throw new ConfigError(issues)
  return filled
}

/** Whether a lookup reads its primary key, and the mapping file does not name it. */
export function needsPrimary({ key, where, primary }: LookupMapping): boolean {
  return key === undefined || (where !== undefined && primary === undefined)
}

/** Every lookup in a part of the mapping. */
export function listLookupOptions(part: unknown): readonly LookupMapping[] {
  if (typeof part !== 'object' || part === null) return []
  const within = Object.values(part as Readonly<Record<string, unknown>>).flatMap(listLookupOptions)
  return isLookup(part) ? [part, ...within] : within
}

function fill(part: unknown, keys: ReadonlyMap<string, readonly string[]>): unknown {
  if (Array.isArray(part)) return part.map((one) => fill(one, keys))
  if (typeof part !== 'object' || part === null) return part
  const filled = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, fill(value, keys)]))
  return isLookup(part) ? { ...filled, ...listKeys(part, keys.get(part.from)) } : filled
}

function listKeys({ key: named, where }: LookupMapping, primary: readonly string[] = []): object {
  const [key] = primary
  return {
    ...(named === undefined && key !== undefined && primary.length === 1 ? { key } : {}),
    ...(where === undefined || key === undefined ? {} : { primary }),
  }
}
