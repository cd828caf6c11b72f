import type { Row, RunQuery } from '../db/statement.js'
import type { ListPlan } from '../query/list-plan.js'
import { clockStatement, renderList } from '../query/list-sql.js'
import { parseDatabaseTime } from '../values/instant.js'
import type { Instant } from '../values/instant.js'

interface RowsAndStart {
  readonly rows: readonly Row[]
  readonly startedAt: Instant
}

/**
 * The rows of a page, and when its crawl began by the database's clock. The first page's own statement brings
 * the time along; where no row carried it, the clock is read and then the list again, since a time that is
 * later than the look at the rows could pass over one that was committed in between.
 */
export async function readPage(
  plan: ListPlan,
  startedAt: Instant | undefined,
  runQuery: RunQuery,
): Promise<RowsAndStart> {
  const rows = await runQuery(renderList(plan))
  if (startedAt !== undefined) return { rows, startedAt }
  if (rows[0] !== undefined) return { rows, startedAt: readStart(rows[0]) }
  const clock = await runQuery(clockStatement)
  return { rows: await runQuery(renderList(plan)), startedAt: readStart(clock[0]) }
}

function readStart(row: Row | undefined): Instant {
  const instant = parseDatabaseTime(String(row?.['startedAt']), 0)
  if (instant === undefined) throw new Error('The database did not tell its time')
  return instant
}
