import type { ConfigIssue } from '../errors.js'
import { listMappedColumns } from './mapped-columns.js'
import type { Mapping } from './mapping-schema.js'

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
