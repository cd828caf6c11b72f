import { LRUCache } from 'lru-cache'
import type { Column } from '../database/column.js'
import type { BoundValue, QueryContext, RunQuery, Statement } from '../database/statement.js'
import { bindWorkspace } from './filters.js'
import { chooseIndex } from './choose-index.js'
import type { Filters } from './cursor.js'
import {
  findEventColumn,
  findLookedUpWorkspace,
  findOwnColumn,
  findWorkspaceColumn,
  isLookedUp,
} from './resolved-table.js'
import type { ResolvedTable } from './resolved-table.js'
import { fromChain, listChain } from './lookup.js'
import { from } from './rows.js'
import {
  convert,
  equals,
  Hole,
  join,
  quote,
  quoteColumn,
  sql,
  toOperand,
  toStatement,
} from '../database/sql.js'
import type { Sql } from '../database/sql.js'

/*
 * A workspace that is found by a lookup has parent rows: the rows of the lookup's first table that lead to it. A page reads
 * the rows of all of them together. A parent row with many rows gets a page of its own from the index instead, which reads
 * no more than limit + 1 of them. Each row that is visited is compared with the workspace through its own lookup, and the
 * statement finds the parent rows of the workspace itself. So the list of those with many rows decides only what the page
 * costs, and can be minutes old.
 */

/**
 * How the rows of a page are found: `direct` by their own columns, or through the parent rows of the workspace, of which
 * these have a page of their own.
 */
export type AccessPath = 'direct' | readonly BoundValue[]

/** The names of the parent rows and of their key, which no table and no column of a product is likely to have. */
const [parentsName, parentName] = ['vitrine parents', 'vitrine parent']
const parentKey = sql`${quote(parentsName)}.${quote(parentName)}`
/** The most parent rows with a page of their own. */
const ownPagesMax = 128
/**
 * The fewest rows of a parent row for a page of its own. Beside the rows of the others, the part of a statement that reads
 * such a page takes both servers as long as 100 rows for a page of 25, and 200 for one of 100.
 */
const rowsOfOwnPageMin = 200
/** The most parent rows of a workspace whose rows are counted. */
const countedMax = 2000

interface PathInput {
  readonly table: ResolvedTable
  readonly workspaceId: string
  readonly filters: Filters
  readonly runQuery: RunQuery
  readonly context: QueryContext
  /** The fewest rows of a parent row for a page of its own. */
  readonly rowsMin?: number
}

/** Chooses the access path. It reads which parent rows of the workspace have many rows, unless that is known. */
export function chooseAccessPath(input: PathInput): AccessPath | Promise<AccessPath> {
  const { table, workspaceId, filters } = input
  if (findLookedUpWorkspace(table) === undefined || hasOneParent(table, filters)) return 'direct'
  return findKnown(table).get(workspaceId) ?? readParents(input)
}

async function readParents({
  table,
  workspaceId,
  runQuery,
  context,
  rowsMin,
}: PathInput): Promise<AccessPath> {
  const choice = renderChoice(table, workspaceId, rowsMin)
  const [first] = listChain(requireLookedUp(table).lookup)
  const rows = choice === undefined ? [] : await runQuery(choice, { ...context, table: first?.table })
  const parents = rows.map(({ [parentName]: key }) => (Buffer.isBuffer(key) ? key : String(key)))
  findKnown(table).set(workspaceId, parents)
  return parents
}

const knownOf = new WeakMap<ResolvedTable, LRUCache<string, readonly BoundValue[]>>()
const limits = { max: 10_000, maxSize: 8 * 1024 * 1024, ttl: 5 * 60_000, ttlResolution: 0 } as const

/** The parent rows with many rows, by workspace, for some minutes. */
function findKnown(table: ResolvedTable): LRUCache<string, readonly BoundValue[]> {
  // About: two bytes for each character of the keys, and what holds them.
  const sizeCalculation = (parents: readonly BoundValue[], workspaceId: string): number =>
    parents.reduce((sum, parent) => sum + 32 + 2 * (parent?.length ?? 0), 128 + 2 * workspaceId.length)
  const known = knownOf.get(table) ?? new LRUCache({ ...limits, sizeCalculation })
  knownOf.set(table, known)
  return known
}

/** Up to a power of two, so that there are few texts for each table. NULL equals no parent. */
export function pad(parents: readonly BoundValue[]): readonly BoundValue[] {
  const size = parents.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(parents.length))
  return Array.from({ length: size }, (_, at) => parents[at] ?? null)
}

/** Whether the filter by event leaves one parent row: the event of a record is what its workspace is looked up by. */
function hasOneParent(table: ResolvedTable, { eventId }: Filters): boolean {
  const event = findEventColumn(table)
  if (eventId === undefined || event === undefined || isLookedUp(event)) return false
  return event.column.name === findWorkspaceColumn(table)?.name
}

/**
 * The keys of the parent rows of a workspace with at least so many rows, each once by the collation of the column that
 * refers to them. The statement reads at most so many index entries of each of 2,000 parent rows.
 *
 * @returns undefined where no index gives the rows of a parent row in the order of lists: a page of its own would read all
 *   of them too.
 */
export function renderChoice(
  table: ResolvedTable,
  workspaceId: string,
  rowsMin = rowsOfOwnPageMin,
): Statement | undefined {
  const workspace = bindWorkspace(table, workspaceId)
  const on = findOwnColumn(requireLookedUp(table))
  const counting = table.indexes.find(({ columns: [first] }) => first === on.name.toLowerCase())
  const paging = chooseIndex(table, { event: false })
  if (workspace === undefined || counting === undefined || paging === undefined) return undefined
  const isOfParent = sql`${quoteColumn(table.name, on)} = ${parentKey}`
  // Built anew: it is read every few minutes, and its text is short.
  const row = sql`(select 1 from ${from(table, counting)} where ${isOfParent} limit 1 offset ${String(rowsMin - 1)})`
  const parents = sql`(${selectParents(table)} limit ${String(countedMax)}) as ${quote(parentsName)}`
  const statement = sql`select ${parentKey} from ${parents} where ${row} = 1 limit ${String(ownPagesMax)}`
  return toStatement(statement, { workspace })
}

/** A table behind FROM, read by the rows that refer to a parent row of the workspace, but to none of these. */
export function fromParents(table: ResolvedTable, others: readonly Hole[]): Sql {
  const on = findOwnColumn(requireLookedUp(table))
  const keys = others.map((hole) => toOperand(on, hole))
  // NULL among the keys makes IN true or NULL.
  const isOther = keys.length === 0 ? sql`` : sql` and (${parentKey} in (${join(keys, ', ')})) is not true`
  const isOfParent = sql`${quoteColumn(table.name, on)} = ${parentKey}${isOther}`
  return sql`(${selectParents(table)}) as ${quote(parentsName)} straight_join ${quote(table.name)} on ${isOfParent}`
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
  return on.characterSet === null || isSame ? quoted : convert(quoted, on)
}

function requireLookedUp(table: ResolvedTable): NonNullable<ReturnType<typeof findLookedUpWorkspace>> {
  const workspace = findLookedUpWorkspace(table)
  if (workspace === undefined) throw new Error('The workspace is found by no lookup')
  return workspace
}
