import type { Caller } from '../db/claim.js'
import type { Row, RunQuery } from '../db/statement.js'
import type { ListPlan } from '../query/list-plan.js'
import { clockStatement, renderList } from '../query/list-sql.js'
import { parseDatabaseTime } from '../values/instant.js'
import type { Instant } from '../values/instant.js'

interface PageInput {
  readonly plan: ListPlan
  /** Undefined on a crawl's first page. */
  readonly startedAt: Instant | undefined
  readonly runQuery: RunQuery
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
 */
export async function readPage({ plan, startedAt, runQuery, caller }: PageInput): Promise<RowsAndStart> {
  const claim = { caller, table: plan.source.table }
  const rows = await runQuery(renderList(plan), claim)
  if (startedAt !== undefined) return { rows, startedAt }
  if (rows[0] !== undefined) return { rows, startedAt: readStart(rows[0]) }
  const clock = await runQuery(clockStatement, { caller })
  return { rows: await runQuery(renderList(plan), claim), startedAt: readStart(clock[0]) }
}

function readStart(row: Row | undefined): Instant {
  const instant = parseDatabaseTime(String(row?.['startedAt']), 0)
  if (instant === undefined) throw new Error('The database did not tell its time')
  return instant
}
