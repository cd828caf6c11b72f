import type { Column } from '../database/column.js'
import { toQuotedName } from '../database/sql.js'

/** An index that a table does not have. */
export interface PlannedIndex {
  readonly name: string
  readonly table: string
  readonly columns: readonly Column[]
}

/** The statement that makes an index. */
export function renderCreateIndex({ name, table, columns }: PlannedIndex): string {
  const names = columns.map((column) => toQuotedName(column.name)).join(', ')
  return `CREATE INDEX ${toQuotedName(name)} ON ${toQuotedName(table)} (${names});`
}
