import { listPrimaryKey, readSchema } from '../database/schema.js'
import type { Schema } from '../database/schema.js'
import type { RunQuery } from '../database/statement.js'
import { ConfigError } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import type { MappedColumn } from '../collections/column-resolver.js'
import type { Mapping, SectionName } from './mapping-schema.js'
import { resolveMapping } from './resolve-mapping.js'

/**
 * Every column that the statements read, once for each place that names it: what is resolved is what is listed. No database is
 * needed, but for the keys and the row ends of `fillMapping`.
 */
export function listMappedColumns(mapping: Mapping): readonly MappedColumn[] {
  const found = new Map<string, MappedColumn>()
  const add = (mapped: MappedColumn): void => {
    found.set([mapped.table, mapped.column, mapped.path].join('\0'), mapped)
  }
  resolveMapping(mapping, noSchema, add)
  for (const [table, column] of mapping.rowEnds ?? [])
    add({ table, column, path: 'the end of each row, which MariaDB reads with its table', isAssumed: false })
  return [...found.values()]
}

const noSchema: Schema = new Map()

/** What is wrong with the options of a mapping that its shape cannot express. Without a schema, every column is missing. */
export function findOptionIssues(mapping: Mapping): readonly ConfigIssue[] {
  return resolveMapping(mapping, noSchema).issues.filter(({ missing }) => missing === undefined)
}

/**
 * The mapping with the primary keys of its tables, for lookups where the file names no key or a lookup chooses among rows, and
 * with the row ends of those that are system-versioned. So everything that lists columns, such as the audit and
 * `vitrine grants`, lists them.
 *
 * @throws ConfigError where `neverRead` forbids a key that the file does not name.
 */
export async function fillMapping(mapping: Mapping, runQuery: RunQuery): Promise<Mapping> {
  const schema = [...(await readSchema(runQuery, listMappedTables(mapping)))]
  const primaryKeys = new Map(schema.map(([name, table]) => [name, listPrimaryKey(table)]))
  const rowEnds = schema.flatMap(([name, { rowEnd }]) =>
    rowEnd === undefined ? [] : [[name, rowEnd] as const],
  )
  const filled = { ...mapping, primaryKeys, rowEnds }
  const issues = findForbidden(filled)
  if (issues.length > 0) throw new ConfigError(issues)
  return filled
}

/** Every column that the statements of a section name, once for each place. */
export function listColumnsOf(mapping: Mapping, section: SectionName): readonly MappedColumn[] {
  return listMappedColumns(mapping).filter(({ path }) => path.startsWith(`${section}.`))
}

/** Every table and view of the mapping, or of one of its sections, once each. */
export function listMappedTables(mapping: Mapping, section?: SectionName): readonly string[] {
  const columns = section === undefined ? listMappedColumns(mapping) : listColumnsOf(mapping, section)
  return [...new Set(columns.map(({ table }) => table))]
}

/**
 * Whether `neverRead` forbids a column. Names are compared without regard to case: MySQL's columns have none,
 * and a rule that forbids too much is safer than one that forbids too little.
 */
export function isNeverRead(patterns: readonly string[], table: string, column: string): boolean {
  return patterns.some((pattern) => {
    const escaped = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\\*', '.*')
    return new RegExp(`^${escaped}$`, 'isu').test(`${table}.${column}`)
  })
}

/** An issue for each mapped column that `neverRead` forbids. */
export function findForbidden(mapping: Mapping): readonly ConfigIssue[] {
  return listMappedColumns(mapping)
    .filter(({ isAssumed, table, column }) => !isAssumed && isNeverRead(mapping.neverRead, table, column))
    .map(({ table, column, path }) => ({
      path,
      found: `${table}.${column}, which neverRead forbids`,
      allowed: 'a column outside neverRead',
    }))
}
