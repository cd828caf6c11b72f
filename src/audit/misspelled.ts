import type { Schema } from '../database/schema.js'
import type { ConfigIssue } from '../errors.js'
import { listMappedColumns } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { findNearest } from '../client/nearest.js'
import type { Privileges } from './privileges.js'

/** A table or column of the mapping that does not exist, beside one with nearly the same name. */
export interface Misspelled {
  /** The table as the mapping names it. */
  readonly table: string
  /** Undefined where the name of the table is wrong. */
  readonly column: string | undefined
  /** The table or column that exists. */
  readonly nearest: string
}

/** The names of missing columns and tables that are probably misspelled. @param tables that the account can see. */
export function listMisspelled(
  issues: readonly ConfigIssue[],
  mapping: Mapping,
  schema: Schema,
  tables: readonly string[],
): readonly Misspelled[] {
  const mapped = listMappedColumns(mapping)
  return issues.flatMap(({ missing }): readonly Misspelled[] => {
    if (missing === undefined) return []
    const { table } = missing
    const found = schema.get(table)
    const column = found && missing.column
    const names = found === undefined ? tables : [...found.columns.values()].map(({ name }) => name)
    // A name that is mapped elsewhere is not the one that was meant here.
    const isMapped = (name: string): boolean =>
      mapped.some((one) =>
        found === undefined
          ? one.table === name
          : one.table === table && one.column.toLowerCase() === name.toLowerCase(),
      )
    const nearest = findNearest(
      column ?? table,
      names.filter((name) => !isMapped(name)),
    )
    return nearest === undefined ? [] : [{ table, column, nearest }]
  })
}

/** The privileges without those that the mapping needs once its names are corrected: they must not be revoked. */
export function withoutMisspelled(privileges: Privileges, misspelled: readonly Misspelled[]): Privileges {
  const isMeant = (table: string, column: string): boolean =>
    misspelled.some((one) =>
      one.column === undefined ? one.nearest === table : one.table === table && one.nearest === column,
    )
  const grants = privileges.grants.map((grant) => ({
    ...grant,
    privileges: grant.privileges.flatMap((privilege) => {
      if (privilege.name !== 'SELECT' || privilege.columns.length === 0) return [privilege]
      const columns = privilege.columns.filter((column) => !isMeant(grant.object.name, column))
      return columns.length === 0 ? [] : [{ ...privilege, columns }]
    }),
  }))
  return { ...privileges, grants }
}
