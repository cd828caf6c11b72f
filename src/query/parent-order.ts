import type { Index } from '../database/column.js'
import { all, equals, Hole, quote, quoteColumn, sql } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import type { ParentOrder, ResolvedTable } from '../resources/resolved-table.js'
import { matchKey } from './lookups.js'

/*
 * A page whose times are those of parent rows. No index has the order (time, id) of two tables, so the page is found in two
 * steps of one statement. The first reads parent rows by their index in the order of time, and the rows of each, until it has
 * as many rows as the page: it gives the times of the page. The second reads all rows of parent rows with these times, and
 * sorts them. So a page reads its rows twice, and beside them only rows that have the same time as its last one.
 */

/** Names that no column of a product is likely to have: so those of the table itself need no table before them. */
const [parents, parentKey, parentTime, pageTime] = [
  'vitrine parents',
  'vitrine parent',
  'vitrine time',
  'vitrine page time',
].map(quote) as [Sql, Sql, Sql, Sql]

/** The time of a row in the conditions and the order of a page. */
export function nameTime({ order, updatedAt }: ResolvedTable): Sql {
  return order === undefined ? quote(updatedAt.column.name) : parentTime
}

interface PageRows {
  readonly conditions: readonly Sql[]
  readonly isHinted: boolean
  readonly limit: Hole
}

/** What follows FROM for the rows of a page that meet its conditions, in the order of lists. */
export function fromParentOrder(
  table: ResolvedTable,
  order: ParentOrder,
  { conditions, isHinted, limit }: PageRows,
): Sql {
  const hint = ({ name }: Index): Sql => (isHinted ? sql` force index (${quote(name)})` : sql``)
  const { key, on, table: parent } = order.updatedAt.lookup
  const time = order.updatedAt.column
  const isOwn = 'constant' in table.workspace ? sql`` : sql` where ${isInWorkspace(table.workspace)}`
  const source = sql`(select ${quote(key.name)} as ${parentKey}, ${quote(time.name)} as ${parentTime} from ${quote(parent)}${hint(order.times)}${isOwn}) as ${parents}`
  const matches = matchKey(on.column, quoteColumn(table.name, on.column), key, parentKey)
  const rows = sql`straight_join ${quote(table.name)}${hint(order.rows)} on ${all([matches, ...conditions])} order by ${parentTime}`
  const first = sql`(select ${parentTime} as ${pageTime} from ${source} ${rows} limit ${limit}) as \`first\``
  const times = sql`(select distinct ${pageTime} from ${first}) as \`times\``
  const id = quoteColumn(table.name, table.id.column)
  return sql`${times} straight_join ${source} on ${parentTime} <=> ${pageTime} ${rows}, ${id} limit ${limit}`
}

function isInWorkspace({ column }: Exclude<ResolvedTable['workspace'], { readonly constant: string }>): Sql {
  return equals(column, quote(column.name), new Hole('workspace'))
}
