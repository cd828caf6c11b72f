import { LRUCache } from 'lru-cache'
import type { BoundValue, QueryContext, RunQuery, Statement } from '../database/statement.js'
import { bindWorkspace } from './filters.js'
import { chooseIndex } from './choose-index.js'
import type { Filters } from './cursor.js'
import { findEventColumn, findOwnColumn, isLookedUp } from './resolved-table.js'
import type { LookedUpWorkspace, ResolvedTable } from './resolved-table.js'
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

/** The keys of the parent rows that have a page of their own; undefined where rows are found by their own columns alone. */
export type Parents = readonly BoundValue[] | undefined

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

interface ParentsInput {
  readonly table: ResolvedTable
  /** Of the table. */
  readonly lookedUp: LookedUpWorkspace
  readonly workspaceId: string
  readonly filters: Filters
  readonly runQuery: RunQuery
  readonly context: QueryContext
  /** The fewest rows of a parent row for a page of its own. */
  readonly rowsMin?: number
}

/**
 * The parent rows of the workspace that have a page of their own. It reads which have many rows, unless that is known.
 *
 * @returns undefined where rows are found by their own columns alone: the filter by event leaves one parent row, because the event
 *   of a record is what its workspace is looked up by.
 */
export async function chooseParents(input: ParentsInput): Promise<Parents> {
  const { table, lookedUp, workspaceId, filters } = input
  const event = filters.eventId === undefined ? undefined : findEventColumn(table)
  const isByOwn = event !== undefined && !isLookedUp(event)
  if (isByOwn && event.column.name === findOwnColumn(lookedUp).name) return undefined
  return knownOf.get(table)?.get(workspaceId) ?? readParents(input)
}

async function readParents(input: ParentsInput): Promise<Parents> {
  const { table, lookedUp, workspaceId, runQuery, context, rowsMin } = input
  const choice = renderChoice(table, lookedUp, workspaceId, rowsMin)
  const [first] = listChain(lookedUp.lookup)
  const rows = choice === undefined ? [] : await runQuery(choice, { ...context, table: first?.table })
  const parents = pad(rows.map(({ [parentName]: key }) => (Buffer.isBuffer(key) ? key : String(key))))
  knownOf.set(table, (knownOf.get(table) ?? new LRUCache(limits)).set(workspaceId, parents))
  return parents
}

/** The parent rows with many rows, by workspace, for some minutes. */
const knownOf = new WeakMap<ResolvedTable, LRUCache<string, readonly BoundValue[]>>()
const limits = {
  ...{ max: 10_000, maxSize: 8 * 1024 * 1024, ttl: 5 * 60_000, ttlResolution: 0 },
  // About: two bytes for each character of the keys, and what holds them.
  sizeCalculation: (parents: readonly BoundValue[], workspaceId: string): number =>
    parents.reduce((sum, parent) => sum + 32 + 2 * (parent?.length ?? 0), 128 + 2 * workspaceId.length),
}

/** Keys up to a power of two, so that there are few texts for each table. NULL equals none. */
export function pad(keys: readonly BoundValue[]): readonly BoundValue[] {
  if (keys.length < 2) return keys
  const padded = [...keys]
  for (const size = 2 ** Math.ceil(Math.log2(keys.length)); padded.length < size;) padded.push(null)
  return padded
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
  lookedUp: LookedUpWorkspace,
  workspaceId: string,
  rowsMin = rowsOfOwnPageMin,
): Statement | undefined {
  const workspace = bindWorkspace(table, workspaceId)
  const on = findOwnColumn(lookedUp)
  const counting = table.indexes.find(({ columns: [first] }) => first === on.name.toLowerCase())
  if (workspace === undefined || counting === undefined || chooseIndex(table) === undefined) return undefined
  const isOfOne = sql`${quoteColumn(table.name, on)} = ${parentKey}`
  // Built anew: it is read every few minutes, and its text is short.
  const row = sql`(select 1 from ${from(table, counting)} where ${isOfOne} limit 1 offset ${String(rowsMin - 1)})`
  const parents = sql`(${selectParents(lookedUp)} limit ${String(countedMax)}) as ${quote(parentsName)}`
  const statement = sql`select ${parentKey} from ${parents} where ${row} = 1 limit ${String(ownPagesMax)}`
  return toStatement(statement, new Map([['workspace', workspace]]))
}

/** A table behind FROM, read by the rows that refer to a parent row of the workspace, but to none of these. */
export function fromParents(
  { name }: ResolvedTable,
  lookedUp: LookedUpWorkspace,
  others: readonly Hole[],
): Sql {
  const on = findOwnColumn(lookedUp)
  const keys = others.map((hole) => toOperand(on, hole))
  // NULL among the keys makes IN true or NULL.
  const isOther = keys.length === 0 ? sql`` : sql` and (${parentKey} in (${join(keys, ', ')})) is not true`
  const isOfOne = sql`${quoteColumn(name, on)} = ${parentKey}${isOther}`
  return sql`(${selectParents(lookedUp)}) as ${quote(parentsName)} straight_join ${quote(name)} on ${isOfOne}`
}

/** The condition that a row refers to one parent row. */
export function isOfParent(lookedUp: LookedUpWorkspace, parent: Hole): Sql {
  const on = findOwnColumn(lookedUp)
  return sql`${quote(on.name)} = ${toOperand(on, parent)}`
}

function selectParents({ column, lookup }: LookedUpWorkspace): Sql {
  const chain = listChain(lookup)
  const { on, key } = chain[0] ?? lookup
  const { collation, characterSet } = on.column
  const quoted = quoteColumn('link1', key)
  // In the collation of the column that refers to it, by which an index on that column serves.
  const isSame = characterSet === null || (collation === key.collation && characterSet === key.characterSet)
  // Without its zeros, because MySQL can put it in the place of the column that refers to it, whose text has none.
  const value = key.zerofill ? sql`cast(${quoted} as unsigned)` : isSame ? quoted : convert(quoted, on.column)
  const name = sql`${value} as ${quote(parentName)}`
  const isOwn = equals(column, quoteColumn(`link${chain.length}`, column), new Hole('workspace'))
  return sql`select distinct ${name} from ${fromChain(chain)} where ${isOwn}`
}
