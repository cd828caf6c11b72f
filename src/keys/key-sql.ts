import type { Column } from '../database/column.js'
import { equals, join, quote, sql, toStatement } from '../database/sql.js'
import type { BoundValue, Statement } from '../database/statement.js'
import type { ResolvedKeyTable } from '../mapping/key-table.js'

/** The lookup of a key by its hash. A second row shows that the hash is not unique. */
export function renderKeyLookup(keys: ResolvedKeyTable, hash: BoundValue): Statement {
  const projection: readonly (readonly [as: string, column: Column | undefined])[] = [
    ['workspace', 'column' in keys.workspace ? keys.workspace.column : undefined],
    ['scopes', keys.scopes],
    ['expiresAt', keys.expiresAt?.column],
    ['revokedAt', keys.revokedAt?.column],
    ['rateLimitPerMinute', keys.rateLimitPerMinute],
  ]
  const columns = projection.flatMap(([as, column]) =>
    column === undefined ? [] : [sql`${quote(column.name)} as ${quote(as)}`],
  )
  const cells = columns.length === 0 ? sql`1` : join(columns, ', ')
  const isKey = equals(keys.hash, quote(keys.hash.name), hash)
  return toStatement(sql`select ${cells} from ${quote(keys.table)} where ${isKey} limit ${'2'}`)
}
