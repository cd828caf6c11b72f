import type { Index, Table } from '../database/column.js'
import type { Schema } from '../database/schema.js'
import { Hole, all, equals, quote, quoteColumn, sql, toQuotedName } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import type { ConfigIssue } from '../errors.js'
import { matchKey } from './lookup.js'
import { isLookedUp, toLookupKey } from './resolved-table.js'
import type {
  Lookup,
  LookupColumn,
  ParentOrder,
  ResolvedTable,
  RowTest,
  TimeColumn,
} from './resolved-table.js'

/*
 * Where a lookup finds `updatedAt`, the rows of the parent table have the order of lists: an index of it gives the parent
 * rows of the workspace by time, and an index of the table itself the rows of each.
 *
 * A page whose times are those of parent rows. No index has the order (time, id) of two tables, so the page is found in two
 * steps of one statement. The first reads parent rows by their index in the order of time, and the rows of each, until it has
 * as many rows as the page: it gives the times of the page. The second reads all rows of parent rows with these times, and
 * sorts them. So a page reads its rows twice, and beside them only rows that have the same time as its last one.
 */

interface OrderInput {
  readonly schema: Schema
  /** The section of the mapping. */
  readonly name: string
  /** Issues are added here. */
  readonly issues: ConfigIssue[]
}

/** The order by parent rows; undefined where the table itself has the time, and with an issue where no index serves. */
export function findParentOrder(
  table: TimedTable,
  { schema, name, issues }: OrderInput,
): ParentOrder | undefined {
  const { updatedAt } = table
  if (!isLookedUp(updatedAt)) return undefined
  const found = findIndexes(table, updatedAt, schema)
  if (found !== undefined && 'times' in found) return found
  if (found !== undefined) issues.push({ path: `${name}.fields.updatedAt`, ...found })
  return undefined
}

type TimedTable = Pick<ResolvedTable, 'name' | 'workspace' | 'updatedAt'>

/** The indexes, or why none serves; undefined where a table or a column is missing, which is reported elsewhere. */
function findIndexes(
  { name, workspace }: TimedTable,
  updatedAt: LookupColumn<TimeColumn>,
  schema: Schema,
): ParentOrder | Omit<ConfigIssue, 'path'> | undefined {
  const { lookup, column } = updatedAt
  const [own, parent] = [schema.get(name), schema.get(lookup.table)]
  if (own === undefined || parent === undefined || column.name === '') return undefined
  const [place, on] = [`${lookup.table}.${column.name}`, lookup.on.column.name]
  const before = findWorkspaceOfParent(workspace, lookup)
  if (before === undefined)
    return {
      found: `${place}, but a workspace that is no column of ${lookup.table}`,
      allowed: `a column of ${name}, or workspace: { from: ${lookup.table}, on: ${on}, column: COLUMN }, so that one index has the workspace and the time`,
    }
  if (!hasOneCollation(lookup))
    return {
      found: `${place} by ${name}.${on} of another collation than ${lookup.table}.${lookup.key.name}`,
      allowed: `a column of ${name}: no index has its rows in the order of ${lookup.table}`,
    }
  const [times, rows] = [findIndex(parent, [...before, column.name]), findIndex(own, [on])]
  if (times !== undefined && rows !== undefined) return { updatedAt, times, rows }
  const missing =
    times === undefined ? { of: lookup.table, names: [...before, column.name] } : { of: name, names: [on] }
  const columns = missing.names.map(toQuotedName).join(', ')
  return {
    found: `${place}, by which no index of ${missing.of} has the order of lists`,
    allowed: `a column of ${name}, or this index: CREATE INDEX ${toQuotedName('ix_vitrine_sync')} ON ${toQuotedName(missing.of)} (${columns})`,
  }
}

/** A row without a parent row is no record: no list finds it, and where the workspace is constant nothing else says so. */
export function listParentTests({ workspace, updatedAt }: TimedTable): readonly RowTest[] {
  return 'constant' in workspace && isLookedUp(updatedAt)
    ? [{ column: updatedAt.lookup.key, lookup: updatedAt.lookup, is: 'set' }]
    : []
}

/** The column of the parent row that has the workspace; none where it is constant, undefined where it is elsewhere. */
function findWorkspaceOfParent(
  workspace: ResolvedTable['workspace'],
  parent: Lookup,
): readonly string[] | undefined {
  if ('constant' in workspace) return []
  return workspace.lookup !== undefined && toLookupKey(workspace.lookup) === toLookupKey(parent)
    ? [workspace.column.name]
    : undefined
}

function hasOneCollation({ key, on: { column } }: Lookup): boolean {
  return (
    key.kind !== 'text' || (key.collation === column.collation && key.characterSet === column.characterSet)
  )
}

function findIndex({ indexes }: Table, names: readonly string[]): Index | undefined {
  return indexes.find(({ columns }) => names.every((name, at) => columns[at] === name.toLowerCase()))
}

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
