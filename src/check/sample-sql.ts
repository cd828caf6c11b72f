import { all, quoteColumn, sql, toStatement } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import type { BoundValue, Statement } from '../database/statement.js'
import { listEventColumns } from '../resources/resolved-table.js'
import type { Projected, ResolvedTable } from '../resources/resolved-table.js'
import { chooseIndex } from '../query/choose-index.js'
import { from, listUnarchived, listVisible, selectRows } from '../query/rows.js'

/** Rows of any workspace by an index, the greatest ids first: where ids grow, these are the newest. */
export function renderNewestIds(table: ResolvedTable, limit: number): Statement {
  const where = listUnarchived(table)
  const conditions = where.length === 0 ? sql`` : sql` where ${all(where)}`
  return toStatement(selectSample(table, sql`${from(table)}${conditions} ${newest(table, limit)}`))
}

/** The rows of one workspace that changed last, by the index that serves its lists. */
export function renderLatest(table: ResolvedTable, workspace: BoundValue, limit: number): Statement {
  const [time, id] = [table.updatedAt, table.id].map(({ column }) => quoteColumn(table.name, column))
  const order = sql`order by ${time ?? sql``} desc, ${id ?? sql``} desc limit ${String(limit)}`
  const source = from(table, chooseIndex(table, { event: false }))
  const rest = sql`${source} where ${all(listVisible(table))} ${order}`
  return toStatement(selectSample(table, rest), { workspace })
}

/** A table whose rows have the workspace and the event too, which are no public fields of every resource. */
export function withUnseen(table: ResolvedTable): ResolvedTable {
  const projection: readonly Projected[] = [
    ...table.projection,
    ...('constant' in table.workspace ? [] : [{ ...table.workspace, as: 'workspace' }]),
    ...listEventColumns(table.eventId)
      .slice(0, 1)
      .map((found) => ({ ...found, as: 'event' })),
  ]
  return { ...table, projection }
}

function selectSample(table: ResolvedTable, rest: Sql): Sql {
  return selectRows({ table: withUnseen(table), isHinted: true, isOrdered: false }, rest)
}

/** The rows with the greatest ids. */
export function newest(table: ResolvedTable, limit: number): Sql {
  return sql`order by ${quoteColumn(table.name, table.id.column)} desc limit ${String(limit)}`
}
