import type { ConfigIssue } from '../errors.js'
import { invoices } from '../collections/invoices.js'
import { registrations } from '../collections/registrations.js'
import { collectionNames } from '../collections/collection.js'
import type { MappedColumn } from '../collections/collection.js'
import { listKeyColumns } from './key-table.js'
import type { Mapping } from './mapping-schema.js'

/** The sections of the mapping file that name tables, in its order. */
export const sectionNames = ['apiKeys', ...collectionNames] as const

/** A section of the mapping file that a schema may fit or not. */
export type SectionName = (typeof sectionNames)[number]

/** The sections that a mapping has, in the order of the file. */
export function listSections(mapping: Mapping): readonly SectionName[] {
  return sectionNames.filter((name) => mapping[name] !== undefined)
}

/** Every column that statements name, once for each place: a status may test a column in several cases. */
export function listMappedColumns(mapping: Mapping): readonly MappedColumn[] {
  const mapped = [
    ...listHeartbeatColumns(mapping),
    ...listKeyColumns(mapping.apiKeys),
    ...(mapping.registrations === undefined ? [] : registrations.listColumns(mapping.registrations)),
    ...(mapping.invoices === undefined ? [] : invoices.listColumns(mapping.invoices)),
  ]
  const toName = ({ table, column, path }: MappedColumn): string => [table, column, path].join('\0')
  return [...new Map(mapped.map((one) => [toName(one), one])).values()]
}

function listHeartbeatColumns({ heartbeat }: Mapping): readonly MappedColumn[] {
  if (heartbeat === undefined) return []
  const { table, column, oldestOpen } = heartbeat
  const also = oldestOpen === undefined ? [] : [{ table, column: oldestOpen, path: 'heartbeat.oldestOpen' }]
  return [{ table, column, path: 'heartbeat.column' }, ...also]
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
  const name = `${table}.${column}`
  return patterns.some((pattern) => toExpression(pattern).test(name))
}

/** Whether `neverRead` forbids any column of a table. */
export function hasNeverRead(patterns: readonly string[], table: string): boolean {
  return patterns.some((pattern) => toExpression(pattern.slice(0, pattern.indexOf('.'))).test(table))
}

/** An issue for each mapped column that `neverRead` forbids. */
export function findForbidden(mapping: Mapping): readonly ConfigIssue[] {
  return listMappedColumns(mapping)
    .filter(({ table, column }) => isNeverRead(mapping.neverRead, table, column))
    .map(({ table, column, path }) => ({
      path,
      found: `${table}.${column}, which neverRead forbids`,
      allowed: 'a column outside neverRead',
    }))
}

function toExpression(pattern: string): RegExp {
  const escaped = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\\*', '.*')
  return new RegExp(`^${escaped}$`, 'isu')
}
