import type { Column } from '../database/column.js'
import type { BoundValue, QueryContext, Row, RunQuery, Statement } from '../database/statement.js'
import { bindWorkspace } from './bound-values.js'
import type { Filters } from './cursor.js'
import { findLookedUpWorkspace, findOwnColumn, isLookedUp } from '../resources/resolved-table.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import { fromChain, listChain } from './lookups.js'
import { bind, convert, equals, Hole, prepare, quote, quoteColumn, sql } from '../database/sql.js'
import type { Sql } from '../database/sql.js'

/*
 * A workspace that is found by a lookup has parent rows: the rows of the lookup's first table that lead to it. Their keys
 * choose which index entries a page visits, and decide nothing: each row that is visited is compared with the workspace
 * through its own lookup.
 */

/**
 * How the rows of a page are found: `direct` by their own columns, `rows` through all rows of the workspace, or through
 * the pages of each of some parent rows.
 */
export type AccessPath = 'direct' | 'rows' | readonly BoundValue[]

/** The name of a key of a parent row, which no column of a mapped table is likely to have. */
const parentName = 'vitrine parent'
/** The most parent rows by which a page is read; a workspace with more is read by its rows. */
export const parentsMax = 128
/** The numbers of parent rows that a statement is built for, so that there are few texts for each table. */
const counts = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, parentsMax]

interface PathInput {
  readonly table: ResolvedTable
  readonly workspaceId: string
  readonly filters: Filters
  readonly runQuery: RunQuery
  readonly context: QueryContext
}

/** Chooses the cheaper access path. It reads the parent rows where a page is read by them; `rows` is what it read. */
export async function chooseAccessPath(
  input: PathInput,
): Promise<{ readonly path: AccessPath; readonly rows: readonly Row[] | undefined }> {
  const { table, workspaceId, filters, runQuery, context } = input
  const workspace = bindWorkspace(table, workspaceId)
  const found = findLookedUpWorkspace(table)
  if (found === undefined || !workspace || hasOneParent(table, filters))
    return { path: 'direct', rows: undefined }
  if (!table.isReadByParents) return { path: 'rows', rows: undefined }
  const [first] = listChain(found.lookup)
  const parents = { ...context, table: first?.table }
  const rows = await runQuery(renderParents(table, workspace, parentsMax + 1), parents)
  return { path: rows.length > parentsMax ? 'rows' : pad(rows.map(readParent)), rows }
}

/** NULL equals no parent. */
function pad(parents: readonly BoundValue[]): readonly BoundValue[] {
  const count = counts.find((one) => one >= parents.length) ?? parents.length
  return Array.from({ length: count }, (_, at) => parents[at] ?? null)
}

/** Whether the filter by event leaves one parent row: the event of a record is what its workspace is looked up by. */
function hasOneParent(table: ResolvedTable, { eventId: wanted }: Filters): boolean {
  const { eventId } = table
  const workspace = findLookedUpWorkspace(table)
  if (wanted === undefined || eventId === undefined || workspace === undefined) return false
  if (!('column' in eventId) || isLookedUp(eventId)) return false
  return eventId.column.name === findOwnColumn(workspace).name
}

/** The keys of the parent rows of a workspace, each once by the collation of the column that refers to them. */
export function renderParents(table: ResolvedTable, workspace: string | Buffer, limit: number): Statement {
  // Built anew: it is read before a page, and its text is short.
  return bind(
    prepare(() => sql`${selectParents(table)} limit ${String(limit)}`),
    { workspace },
  )
}

function readParent(row: Row): BoundValue {
  const cell = row[parentName]
  return Buffer.isBuffer(cell) ? cell : String(cell)
}

/** A table behind FROM, read by the rows that refer to a parent row of the workspace. */
export function fromParents(table: ResolvedTable): Sql {
  const on = quoteColumn(table.name, findOwnColumn(requireLookedUp(table)))
  return sql`(${selectParents(table)}) as \`parents\` straight_join ${quote(table.name)} on ${on} = \`parents\`.${quote(parentName)}`
}

function selectParents(table: ResolvedTable): Sql {
  const { column, lookup } = requireLookedUp(table)
  const chain = listChain(lookup)
  const first = chain[0] ?? lookup
  const key = toCollationOf(first.on.column, first.key, quoteColumn('link1', first.key))
  const isOwn = equals(column, quoteColumn(`link${chain.length}`, column), new Hole('workspace'))
  return sql`select distinct ${key} as ${quote(parentName)} from ${fromChain(chain)} where ${isOwn}`
}

/** A key in the collation of the column that refers to it, by which an index on that column serves. */
function toCollationOf(on: Column, key: Column, quoted: Sql): Sql {
  const isSame = on.collation === key.collation && on.characterSet === key.characterSet
  return on.kind !== 'text' || isSame ? quoted : convert(quoted, on)
}

function requireLookedUp(table: ResolvedTable): NonNullable<ReturnType<typeof findLookedUpWorkspace>> {
  const workspace = findLookedUpWorkspace(table)
  if (workspace === undefined) throw new Error('The workspace is found by no lookup')
  return workspace
}
