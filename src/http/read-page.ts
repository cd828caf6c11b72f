import type { Caller } from '../database/claim.js'
import type { Row, RunQuery } from '../database/statement.js'
import type { ListPlan } from '../query/list-plan.js'
import { clockStatement, renderList } from '../query/list-sql.js'
import { readServerClock } from '../values/instant.js'
import type { Instant } from '../values/instant.js'

/** The instant before which nothing is missing from rows that may be too old; undefined for others. */
export type FindDataTime = (rows: readonly Row[]) => Instant | undefined

interface PageInput {
  readonly workspaceId: string
  readonly plan: ListPlan
  /** Undefined on a crawl's first page. */
  readonly startedAt: Instant | undefined
  readonly runQuery: RunQuery
  readonly findDataTime: FindDataTime
  readonly caller: Caller
}

interface RowsAndStart {
  readonly rows: readonly Row[]
  readonly startedAt: Instant
}

/**
 * The rows of a page, and when its crawl began by the database's clock. The first page's own statement brings
 * the time along; where no row carried it, the clock is read and then the list again, since a time that is
 * later than the look at the rows could pass over one that was committed in between.
 *
 * Each page may come from another replica. One that is read at an instant shows all that was committed the lag of its
 * host earlier, and no page is read before the crawl began. So what is not seen was committed later than that beginning
 * less the lag, and the next sync, which goes back by the overlap, sees it, as long as lag, lateness of commits and
 * difference of clocks together stay below the overlap. A host beyond the limit of lag serves only where no other can;
 * then the crawl counts as begun when the data of that host end, so that nothing is lost whatever the lag.
 */
export async function readPage({
  workspaceId,
  plan,
  startedAt,
  runQuery,
  findDataTime,
  caller,
}: PageInput): Promise<RowsAndStart> {
  const claim = { caller, workspaceId, table: plan.table.name }
  const rows = await runQuery(renderList(plan), claim)
  const known = startedAt ?? (rows[0] === undefined ? undefined : readServerClock(rows[0]['startedAt']))
  if (known !== undefined) return { rows, startedAt: findEarlier(known, findDataTime(rows)) }
  const clock = await runQuery(clockStatement, { caller, workspaceId })
  const again = await runQuery(renderList(plan), claim)
  return {
    rows: again,
    startedAt: findEarlier(readServerClock(clock[0]?.['startedAt']), findDataTime(again)),
  }
}

function findEarlier(instant: Instant, other: Instant | undefined): Instant {
  if (other === undefined) return instant
  const later = other.seconds - instant.seconds || other.micros - instant.micros
  return later < 0 ? other : instant
}
