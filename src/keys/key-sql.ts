import { builder, equalsExactly, quoteName, raw, slot, toTemplate } from '../database/fragments-sql.js'
import type { Column } from '../database/column.js'
import type { Template } from '../database/fragments-sql.js'

/** The resolved columns of the key table. */
export interface KeyColumns {
  readonly table: string
  readonly hash: Column
  /** A constant workspace needs no column. */
  readonly workspace: { readonly column: Column } | { readonly constant: string }
  readonly scopes: Column | undefined
  readonly expiresAt: { readonly column: Column } | undefined
  readonly revokedAt: { readonly column: Column } | undefined
}

/** The lookup of a key by its hash, with the slot `hash`. A second row shows that the hash is not unique. */
export function compileKeyLookup(keys: KeyColumns): Template {
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
