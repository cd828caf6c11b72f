import { isNeverRead } from '../mapping/never-read.js'
import type { ColumnSources } from './table-definition.js'

/** A table, and what its columns are computed from, as far as that can be seen. */
interface TracedTable {
  readonly name: string
  readonly columns: ColumnSources
}

/** Where a column's values may come from: a column that `neverRead` forbids, or one that cannot be seen. */
export interface Trace {
  readonly kind: 'forbidden' | 'unseen'
  readonly column: string
}

/** Follows a column to all that it is computed from, in however many steps; undefined where all is allowed. */
export function traceColumn(
  neverRead: readonly string[],
  { name: table, columns }: TracedTable,
  column: string,
): Trace | undefined {
  const seen = new Set<string>()
  const queue = [...(columns.get(column.toLowerCase()) ?? [])]
  let unseen: string | undefined
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const key = next.toLowerCase()
    if (seen.has(key)) continue
    seen.add(key)
    if (isNeverRead(neverRead, table, next)) return { kind: 'forbidden', column: next }
    const sources = columns.get(key)
    if (sources === undefined) unseen ??= next
    else queue.push(...sources)
  }
  return unseen === undefined ? undefined : { kind: 'unseen', column: unseen }
}
