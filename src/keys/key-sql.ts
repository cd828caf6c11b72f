import { builder, equalsExactly, quoteName, raw, slot, toTemplate } from '../database/fragments-sql.js'
import type { Column } from '../database/column.js'
import type { Template } from '../database/fragments-sql.js'
import type { ResolvedKeyTable } from '../mapping/key-table.js'

/** The lookup of a key by its hash, with the slot `hash`. A second row shows that the hash is not unique. */
export function compileKeyLookup(keys: ResolvedKeyTable): Template {
  const projection: readonly (readonly [as: string, column: Column | undefined])[] = [
    ['workspace', 'column' in keys.workspace ? keys.workspace.column : undefined],
    ['scopes', keys.scopes],
    ['expiresAt', keys.expiresAt?.column],
    ['revokedAt', keys.revokedAt?.column],
  ]
  const columns = projection.flatMap(([as, column]) =>
    column === undefined ? [] : [raw('? as ?', quoteName(column.name), quoteName(as))],
  )
  return toTemplate(
    builder
      // A query without any column would select all of them.
      .select(columns.length === 0 ? [raw('1')] : columns)
      .from(quoteName(keys.table))
      .where(equalsExactly(keys.hash, quoteName(keys.hash.name), slot('hash')))
      .limit(2),
  )
}
