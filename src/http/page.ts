import type { ResolvedResource } from '../resources/collection.js'
import type { Row, RunQuery } from '../database/statement.js'
import { Problem, RowFault } from '../errors.js'
import type { ListQuery, Position } from '../query/conditions.js'
import { encodeCursor } from '../query/cursor.js'
import { readIdentifier } from '../values/identifier.js'
import { toInstantText, readServerClock } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import type { Caller } from '../database/claim.js'
import type { ListPlan } from '../query/list-plan.js'
import { clockStatement, renderList } from '../query/list-sql.js'

/** One page of a list. */
export interface Page {
  readonly data: readonly object[]
  /** What to send for the next page; null on the last one. */
  readonly cursor: string | null
  /** What to send as `updatedSince` in the next sync. */
  readonly nextUpdatedSince: string
}

/** Told of a stored row that cannot be shown, with its id where that can be read. */
export type OnInvalidRow = (collection: string, id: string | null, reason: string) => void

interface PageInput {
  readonly collection: ResolvedResource
  readonly workspaceId: string
  readonly query: ListQuery
  /** Up to one row more than the page holds. */
  readonly rows: readonly Row[]
  /** When the crawl began, by the database's clock. */
  readonly startedAt: Instant
  readonly overlapSeconds: number
  readonly onInvalidRow: OnInvalidRow
}

/**
 * Rows as a page.
 *
 * @throws Problem `internal_error` for a row that cannot be shown, where the mapping says `fail`.
 */
export function toPage(input: PageInput): Page {
  const { collection, query, rows, startedAt } = input
  const shown = Math.min(rows.length, query.limit)
  const data: object[] = []
  for (const row of rows.slice(0, shown)) {
    const view = toViewOrNone(collection, row, input.onInvalidRow)
    if (view !== undefined) data.push(view)
  }
  const last = rows[shown - 1]
  const more = rows.length > query.limit && last !== undefined
  return {
    data,
    cursor: more
      ? encodeCursor(
          { filters: query.filters, startedAt, position: toPosition(collection, last) },
          { collection: collection.name, workspaceId: input.workspaceId },
        )
      : null,
    nextUpdatedSince: toNextUpdatedSince(startedAt, input.overlapSeconds),
  }
}

interface ConfirmInput<Result> {
  /** Makes the answer of rows, and calls back for each that cannot be shown. */
  readonly map: (onInvalidRow: OnInvalidRow) => Result
  readonly isEmpty: (result: Result) => boolean
  /** Throws where the schema is no longer the one that the rows were read by. */
  readonly confirm: () => Promise<void>
  readonly onInvalidRow: OnInvalidRow
}

/**
 * Makes an answer of rows. Where it would leave out a row, hold none or fail, the schema is confirmed first: a column of
 * another type looks like rows that cannot be shown, or like no rows at all.
 *
 * @throws Problem
 */
export async function mapConfirmed<Result>({
  map,
  isEmpty,
  confirm,
  onInvalidRow,
}: ConfirmInput<Result>): Promise<Result> {
  const invalid: Parameters<OnInvalidRow>[] = []
  const outcome = attempt(() => map((...row) => invalid.push(row)))
  if ('error' in outcome || invalid.length > 0 || isEmpty(outcome.result)) await confirm()
  for (const row of invalid) onInvalidRow(...row)
  if ('error' in outcome) throw outcome.error
  return outcome.result
}

function attempt<Result>(make: () => Result): { readonly result: Result } | { readonly error: unknown } {
  try {
    return { result: make() }
  } catch (error) {
    return { error }
  }
}

/** The record of a row; undefined where it cannot be shown truthfully and the mapping says `skip`. */
export function toViewOrNone(
  collection: ResolvedResource,
  row: Row,
  onInvalidRow: OnInvalidRow,
): object | undefined {
  try {
    return collection.toView(row)
  } catch (error) {
    if (!(error instanceof RowFault)) throw error
    onInvalidRow(collection.name, readIdOrNull(collection, row), error.message)
    if (collection.invalidRows === 'skip') return undefined
    throw new Problem('internal_error', 'A stored record cannot be shown. The operator has been told.', {
      cause: error,
    })
  }
}

/** Where the next page begins: behind the last row read, whether it could be shown or not. */
function toPosition(collection: ResolvedResource, row: Row): Position {
  const updatedAt = row['updatedAt']
  const id = readIdOrNull(collection, row)
  if (id === null)
    throw new Problem('internal_error', 'A stored record has no id.', {
      cause: new Error('The id of a row is NULL or not of its type'),
    })
  return { updatedAt: typeof updatedAt === 'string' ? updatedAt : null, id }
}

function readIdOrNull({ table: source }: ResolvedResource, row: Row): string | null {
  try {
    return readIdentifier(row['id'], source.id.identifier)
  } catch {
    return null
  }
}

/** Cut to the millisecond, which errs on the safe side. */
function toNextUpdatedSince(startedAt: Instant, overlapSeconds: number): string {
  const text = toInstantText({ ...startedAt, seconds: startedAt.seconds - overlapSeconds })
  if (text === undefined) throw new Error('The clock of the database is out of range')
  return `${text.slice(0, 23)}Z`
}

/** The instant before which nothing is missing from rows that may be too old; undefined for others. */
export type FindDataTime = (rows: readonly Row[]) => Instant | undefined

interface ReadInput {
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
}: ReadInput): Promise<RowsAndStart> {
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
