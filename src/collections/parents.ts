import { LRUCache } from 'lru-cache'
import type { QueryContext, RunQuery, Statement } from '../database/statement.js'
import { all, bind, convert, equals, Hole, quote, quoteColumn, sql } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import { chooseIndex, listCompared } from './choose-index.js'
import { bindWorkspace } from './workspace.js'
import type { ListQuery } from './list-query.js'
import { comparesBytes, fromChain, isChosen, listChain, testRow } from './lookup.js'
import { from, listVisibilityTests } from './resolved-table.js'
import type { LookedUpWorkspace, ResolvedTable } from './resolved-table.js'
import { isIndexable } from './row-test.js'
import { prepareCells, toCell } from './selection.js'
import { findOwnColumn, isLookedUp } from './found-column.js'
import { listTimeRanges, toStoredTime } from './time-fields.js'
import type { TimeRange } from './time-fields.js'
import { findEventColumn } from './event-filter.js'

/*
 * A workspace that is found by a lookup has parent rows: the rows of the lookup's first table that lead to it. A page is read
 * by one of two access paths, which give the same records: from all rows of all parent rows, or from the entries of an index
 * in the order of lists, each compared with the workspace through its own lookup, up to `entriesMax` of them. A page is read by
 * the path that reads fewer entries.
 */

/** How the rows of a page are found: by their own columns alone, by the parent rows, or from the entries of an index. */
export type AccessPath =
  | { readonly kind: 'own' | 'entries' }
  | {
      readonly kind: 'parents'
      /** The workspace of the table. */
      readonly lookedUp: LookedUpWorkspace
    }

/** The names of the parent rows and of their key, which no table and no column of a product is likely to have. */
const [parentsName, parentName] = ['vitrine parents', 'vitrine parent']
const parentKey = sql`${quote(parentsName)}.${quote(parentName)}`

interface PathInput {
  readonly table: ResolvedTable
  readonly lookedUp: LookedUpWorkspace
  readonly workspaceId: string
  readonly query: Pick<ListQuery, 'filters' | 'crawl'>
  readonly runQuery: RunQuery
  readonly context: QueryContext
}

/** The access path of a page. It counts the rows of the workspace, unless their number is known. */
export async function choosePath(input: PathInput): Promise<AccessPath> {
  const { table, lookedUp, workspaceId, query } = input
  const ofEvent = findEventPath(input)
  if (ofEvent !== undefined) return ofEvent
  const start = knownOf.get(table)?.get(workspaceId) ?? (await readStart(input))
  const isByEntries = start === '' || isLater(table, findTime(table, query), start)
  return isByEntries ? { kind: 'entries' } : { kind: 'parents', lookedUp }
}

/**
 * The access path of a filter by event where an index has the rows of one event in order. Where the workspace is looked up by the
 * event of a record, these are the rows of one parent row.
 */
function findEventPath({ table, lookedUp, query }: PathInput): AccessPath | undefined {
  const { eventId } = query.filters
  const event = eventId === undefined ? undefined : findEventColumn(table)
  if (event === undefined || isLookedUp(event)) return undefined
  if (event.column.name === findOwnColumn(lookedUp).name) return { kind: 'own' }
  const name = event.column.name.toLowerCase()
  const hasEvent = (range: TimeRange): boolean =>
    listCompared(chooseIndex(table, { eventId }, range), range).includes(name)
  return listTimeRanges(table.updatedAt).every(hasEvent) ? { kind: 'entries' } : undefined
}

/** The time at which a page begins, as it is stored; empty for the earliest. */
function findTime({ updatedAt }: ResolvedTable, { crawl, filters }: PathInput['query']): string {
  if (crawl !== undefined) return crawl.position.updatedAt ?? ''
  return filters.updatedSince === undefined ? '' : (toStoredTime(updatedAt, filters.updatedSince) ?? '')
}

function isLater({ updatedAt: { epoch } }: ResolvedTable, time: string, than: string): boolean {
  return time !== '' && (epoch === undefined ? time >= than : Number(time) >= Number(than))
}

/**
 * The time from which on the pages of a workspace are read from the entries of an index: no more entries follow than the workspace
 * has rows. Empty for always, as for a workspace with too many rows. By workspace, for some minutes.
 */
const knownOf = new WeakMap<ResolvedTable, LRUCache<string, string>>()
const limits = { max: 10_000, ttl: 5 * 60_000, ttlResolution: 0 }
/** Later than every time. */
const never = '~'

async function readStart(input: PathInput): Promise<string> {
  const { table, workspaceId, runQuery, context } = input
  const isServed = (range: TimeRange): boolean => chooseIndex(table, {}, range) !== undefined
  let start = never
  if (listTimeRanges(table.updatedAt).every(isServed)) {
    const count = await countRows(input)
    const [row = {}] = count > table.entriesMax ? [] : await runQuery(renderTimes(table, count), context)
    const times = Object.values(row).filter((time) => typeof time === 'string')
    start = times.reduce((latest, time) => (isLater(table, latest, time) ? latest : time), '')
  }
  knownOf.set(table, (knownOf.get(table) ?? new LRUCache(limits)).set(workspaceId, start))
  return start
}

/**
 * The number of rows of a workspace and of parent rows without any, up to one more than `entriesMax`; infinite where no index gives
 * the rows of a parent row.
 */
async function countRows(input: PathInput): Promise<number> {
  const { table, lookedUp, workspaceId, runQuery, context } = input
  const on = findOwnColumn(lookedUp)
  const index = table.indexes.find(({ columns: [first] }) => first === on.name.toLowerCase())
  if (index === undefined) return Infinity
  const limit = String(table.entriesMax + 1)
  const parents = sql`(${selectParents(lookedUp)} limit ${limit}) as ${quote(parentsName)}`
  const isOfOne = sql`${quoteColumn(table.name, on)} = ${parentKey}`
  const rows = sql`select 1 from ${parents} left join ${from(table, index)} on ${isOfOne} limit ${limit}`
  const counted = prepareCells([toCell('rows', sql`count(*)`)], sql`(${rows}) as ${quote('counted')}`)
  // Built anew: it is read every few minutes, and its text is short.
  const values = new Map([['workspace', bindWorkspace(table, workspaceId) ?? null]])
  const [row] = await runQuery(bind(counted, values), context)
  return Number(row?.['rows'])
}

/** For each range of times, the time of the entry behind which so many others stand; NULL where there are fewer. */
function renderTimes(table: ResolvedTable, count: number): Statement {
  const tests = listVisibilityTests(table).filter(isIndexable)
  const times = listTimeRanges(table.updatedAt).map((range, at) => {
    const { column, conditions = [] } = range
    const [time, id] = [quote(column.name), quote(table.id.column.name)]
    const fits = all([...conditions, ...tests.map((test) => testRow(test, table))])
    const entries = sql`${from(table, chooseIndex(table, {}, range))} where ${fits}`
    const found = sql`select cast(${time} as char) from ${entries} order by ${time} desc, ${id} desc limit 1`
    return toCell(`time${at}`, sql`(${found} offset ${String(count)})`)
  })
  return bind(prepareCells(times, sql`dual`), new Map())
}

/** Whether every row that `fromParents` finds is of the workspace, by the rule of `matchKey`, without a test of each. */
export function isProved({ lookup }: LookedUpWorkspace): boolean {
  const first = listChain(lookup)[0] ?? lookup
  const { key, on, tests } = first
  return tests.length === 0 && !isChosen(first) && !key.zerofill && !comparesBytes(key, on.column)
}

/** A table behind FROM, read by the rows that refer to a parent row of the workspace. */
export function fromParents({ name }: ResolvedTable, lookedUp: LookedUpWorkspace): Sql {
  const isOfOne = sql`${quoteColumn(name, findOwnColumn(lookedUp))} = ${parentKey}`
  return sql`(${selectParents(lookedUp)}) as ${quote(parentsName)} straight_join ${quote(name)} on ${isOfOne}`
}

function selectParents({ column, lookup }: LookedUpWorkspace): Sql {
  const chain = listChain(lookup)
  const { on, key } = chain[0] ?? lookup
  const quoted = quoteColumn('link1', key)
  // In the collation of the column that refers to it, by which an index on that column serves.
  const inCollation = comparesBytes(key, on.column) ? convert(quoted, on.column) : quoted
  // Without its zeros, because MySQL can put it in the place of the column that refers to it, whose text has none.
  const value = key.zerofill ? sql`cast(${quoted} as unsigned)` : inCollation
  const name = sql`${value} as ${quote(parentName)}`
  const isOwn = equals(column, quoteColumn(`link${chain.length}`, column), new Hole('workspace'))
  return sql`select distinct ${name} from ${fromChain(chain)} where ${isOwn}`
}
