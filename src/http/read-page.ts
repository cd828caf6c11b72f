import type { Caller, RowReader, RunStatement } from '../database/statement.js'
import type { ListQuery } from '../query/list-query.js'
import { planPage } from '../query/page.js'
import { chooseAccessPath } from '../query/parents.js'
import { createPageReader } from '../query/records.js'
import type { Records } from '../query/records.js'
import type { ResolvedResource } from '../resources/resource.js'
import { findEarlier, subtractMs } from '../values/instant.js'
import type { Instant } from '../values/instant.js'

/** How the rows of a page are read. */
export interface PageDatabase {
  readonly runQuery: RunStatement
  /** The instant up to which data of a lagging replica are complete; undefined for a result of any other host. */
  readonly findDataTime: (result: object) => Instant | undefined
  /** An instant before which no transaction began whose changes a result lacks; undefined where that is not known. */
  readonly findOldestOpen: (result: object) => Instant | undefined
}

interface ReadInput {
  readonly resource: ResolvedResource
  readonly workspaceId: string
  readonly query: ListQuery
  readonly caller: Caller
}

/** A page as it was read. */
export interface ReadPage {
  readonly records: Records
  /** When the crawl began, by the clock of the database; undefined for a first page without rows. */
  readonly startedAt: Instant | undefined
  /** The earliest instant up to which the data of the page are complete; undefined if no host lagged. */
  readonly completeUntil: Instant | undefined
  /** Of the crawl until now, as `findOldestOpen`; undefined if it is not known for one of its pages. */
  readonly oldestOpen: Instant | undefined
  /** When the reading began, by `performance.now`. */
  readonly beganAtMs: number
}

/**
 * Reads the records of a page, and when its crawl began by the clock of the database. The statement of the first page reads
 * the clock too: the clock of a statement is not later than the rows that it sees. Without a row there is no clock: then
 * `findStart` takes the one of the comparison with the schema, which follows each page without records.
 *
 * Each page can come from another replica. A page that is read at an instant shows everything committed before that
 * instant less the lag of its host, and no page is read before the crawl began. So a row that is missing was committed
 * later than the beginning less the lag. The next sync goes back by the overlap and reads it, if replica lag, late
 * commits and clock differences are together below the overlap. A host beyond the lag limit is used only if there is no
 * other; then the crawl counts as begun when the data of that host end, so that no row is lost at any lag.
 */
export async function readPage(
  { runQuery, findDataTime, findOldestOpen }: PageDatabase,
  { resource, workspaceId, query, caller }: ReadInput,
): Promise<ReadPage> {
  const { table } = resource
  const context = { caller, workspaceId, table: table.name }
  const { crawl, filters } = query
  const beganAtMs = performance.now()
  const path = await chooseAccessPath({ table, workspaceId, filters, runQuery, context })
  const { statement } = planPage(table, workspaceId, query, path)
  const createReader = (): RowReader<Records> => createPageReader(resource, query.limit)
  const records = await runQuery({ ...statement, createReader }, context)
  return {
    records,
    startedAt: crawl?.startedAt ?? records.clock,
    oldestOpen: findOldest(findOldestOpen(records), crawl),
    completeUntil: findDataTime(records),
    beganAtMs,
  }
}

/** The earliest one of the pages until now; undefined where one of them does not know it. */
function findOldest(ofPage: Instant | undefined, crawl: ListQuery['crawl']): Instant | undefined {
  if (crawl === undefined || ofPage === undefined) return ofPage
  return crawl.oldestOpen && findEarlier(ofPage, crawl.oldestOpen)
}

/**
 * When a crawl began.
 *
 * @param clock of the database, read between the page and `nowMs`; undefined for a page with records.
 */
export function findStart(
  { startedAt, completeUntil, beganAtMs }: ReadPage,
  clock: Instant | undefined,
  nowMs: number,
): Instant {
  const start = startedAt ?? (clock && subtractMs(clock, nowMs - beganAtMs))
  if (start === undefined) throw new Error('A page has no clock')
  return findEarlier(start, completeUntil)
}
