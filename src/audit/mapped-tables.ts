import { listMappedColumns } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'

/** A table or view as a definition names it. */
export interface ObjectName {
  readonly database: string
  readonly name: string
}

/** The columns that Vitrine may read, by table; columns in lower case, tables by `toTableKey`. */
export function listMappedColumnsByTable(
  mapping: Mapping,
  casedTables: boolean,
): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, Set<string>>()
  for (const { table, column } of listMappedColumns(mapping)) {
    const key = toTableKey(table, casedTables)
    tables.set(key, (tables.get(key) ?? new Set()).add(column.toLowerCase()))
  }
  return tables
}

/** The name of a table or database as the server compares it. */
export function toTableKey(name: string, casedTables: boolean): string {
  return casedTables ? name : name.toLowerCase()
}

/** The name of a table or view with its database as the server compares it. */
export function toObjectKey({ database, name }: ObjectName, casedTables: boolean): string {
  return JSON.stringify([toTableKey(database, casedTables), toTableKey(name, casedTables)])
}

/** Whether two names mean one table. */
export function isSameTable(one: ObjectName, other: ObjectName, casedTables: boolean): boolean {
  return toObjectKey(one, casedTables) === toObjectKey(other, casedTables)
}

/** Whether the database of a grant on schemas, which can be a pattern, includes this database. */
export function covers(pattern: string, database: string): boolean {
  const expression = pattern
    .replace(/[.*+?^${}()|[\]]/g, '\\$&')
    .replace(/\\([%_])|%|_/g, (match, plain: string | undefined) => plain ?? (match === '%' ? '.*' : '.'))
  return pattern === '*' || new RegExp(`^${expression}$`, 'isu').test(database)
}
