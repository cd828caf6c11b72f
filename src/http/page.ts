import type { Caller, Row, RunQuery } from '../database/statement.js'
import { Problem, RowFault } from '../errors.js'
import type { Position } from '../query/cursor.js'
import type { ListQuery } from '../query/list-query.js'
import { encodeCursor } from '../query/cursor.js'
import { createRepeated } from '../query/batching.js'
import { planList } from '../query/list-plan.js'
import { clockStatement, renderList } from '../query/list-sql.js'
import { needsReferences, readReferences } from '../query/references.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import type { ResolvedResource } from '../resources/resource.js'
import { readIdentifier } from '../values/identifier.js'
import { readServerClock, toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'

/** How the rows of a page are read. */
export interface PageDatabase {
  readonly runQuery: RunQuery
  /** The instant up to which data of a lagging replica are complete; undefined for rows of any other host. */
  readonly findDataTime: (rows: readonly Row[]) => Instant | undefined
}

interface ReadInput {
  readonly table: ResolvedTable
  readonly workspaceId: string
  readonly query: ListQuery
  readonly caller: Caller
}

interface PageRows {
  readonly rows: readonly Row[]
  readonly startedAt: Instant
}

/**
 * Reads the rows of a page, and when its crawl began by the clock of the database. The statement of the first page also
 * reads the clock. If it returns no row, the clock is read first and then the list again: a clock that is read after
 * the rows could skip a row that was committed in between.
 *
 * Each page can come from another replica. A page that is read at an instant shows everything committed before that
 * instant less the lag of its host, and no page is read before the crawl began. So a row that is missing was committed
 * later than the beginning less the lag. The next sync goes back by the overlap and reads it, if replica lag, late
 * commits and clock differences are together below the overlap. A host beyond the lag limit is used only if there is no
 * other; then the crawl counts as begun when the data of that host end, so that no row is lost at any lag.
 *
 * What the list needs to know of other tables is read first, and counts as data of the page.
 */
export async function readPage(
  { runQuery, findDataTime }: PageDatabase,
  { table, workspaceId, query, caller }: ReadInput,
): Promise<PageRows> {
  const context = { caller, workspaceId, table: table.name }
  const { references, rows: known } = needsReferences(table, query.filters)
    ? await readReferences({ table, workspaceId, filters: query.filters, runQuery, context })
    : { references: {}, rows: [] }
  const statement = renderList(planList(table, workspaceId, query, references))
  const toPageRows = (rows: readonly Row[], startedAt: Instant): PageRows => {
    requireDistinct(table, rows)
    return { rows, startedAt: [...known, rows].map(findDataTime).reduce(findEarlier, startedAt) }
  }
  const rows = await runQuery(statement, context)
  const begun = query.crawl?.startedAt ?? (rows[0] && readServerClock(rows[0]['startedAt']))
  if (begun !== undefined) return toPageRows(rows, begun)
  const [clock] = await runQuery(clockStatement, { caller, workspaceId })
  return toPageRows(await runQuery(statement, context), readServerClock(clock?.['startedAt']))
}

/**
 * A lookup whose key is no longer unique would repeat a record. The next comparison with the schema finds it too.
 *
 * @throws Problem `database_unavailable`
 */
function requireDistinct({ projection }: ResolvedTable, rows: readonly Row[]): void {
  if (!projection.some((one) => 'lookup' in one && one.lookup !== undefined)) return
  const isRepeated = rows.some(({ id }, at) => at > 0 && String(id) === String(rows[at - 1]?.['id']))
  if (isRepeated) throw createRepeated()
}

function findEarlier(instant: Instant, other: Instant | undefined): Instant {
  if (other === undefined) return instant
  const difference = other.seconds - instant.seconds || other.micros - instant.micros
  return difference < 0 ? other : instant
}

/** One page of a list. */
export interface Page {
  readonly data: readonly object[]
  /** The cursor of the next page; null on the last one. */
  readonly cursor: string | null
  /** The `updatedSince` of the next sync. */
  readonly nextUpdatedSince: string
}

/** A stored row that cannot be represented. */
export interface InvalidRow {
  readonly collection: string
  /** Null if it cannot be read. */
  readonly id: string | null
  readonly reason: string
  /** The stored code of a status that the mapping does not list. */
  readonly code: string | undefined
}

/** Reports a stored row that cannot be represented. */
export type OnInvalidRow = (row: InvalidRow) => void

interface PageInput {
  readonly resource: ResolvedResource
  readonly workspaceId: string
  readonly query: ListQuery
  /** Up to one row more than the page holds. */
  readonly rows: readonly Row[]
  /** When the crawl began, by the clock of the database. */
  readonly startedAt: Instant
  readonly overlapSeconds: number
  readonly onInvalidRow: OnInvalidRow
}

/**
 * Builds a page from rows.
 *
 * @throws Problem `internal_error` for a row that cannot be represented, if the mapping has `invalidRows: fail`.
 */
export function toPage(input: PageInput): Page {
  const { resource, workspaceId, query, rows, startedAt } = input
  const pageRows = rows.slice(0, query.limit)
  const data: object[] = []
  for (const row of pageRows) {
    const view = toViewOrNone(resource, row, input.onInvalidRow)
    if (view !== undefined) data.push(view)
  }
  const last = rows.length > query.limit ? pageRows.at(-1) : undefined
  return {
    data,
    cursor:
      last === undefined
        ? null
        : encodeCursor(
            { filters: query.filters, startedAt, position: toPosition(resource, last) },
            { collection: resource.name, workspaceId },
          ),
    nextUpdatedSince: toNextUpdatedSince(startedAt, input.overlapSeconds),
  }
}

/** The record of a row; undefined if it cannot be represented and the mapping has `invalidRows: skip`. */
export function toViewOrNone(
  resource: ResolvedResource,
  row: Row,
  onInvalidRow: OnInvalidRow,
): object | undefined {
  try {
    return resource.toView(row)
  } catch (error) {
    if (!(error instanceof RowFault)) throw error
    onInvalidRow({
      collection: resource.name,
      id: readIdOrNull(resource, row),
      reason: error.message,
      code: error.code,
    })
    if (resource.invalidRows === 'skip') return undefined
    throw new Problem(
      'internal_error',
      'A stored record cannot be shown. The operator can read why in the log.',
      {
        cause: error,
      },
    )
  }
}

/** The position of the next page: after the last row read, even if that row is invalid. */
function toPosition(resource: ResolvedResource, row: Row): Position {
  const updatedAt = row['updatedAt']
  const id = readIdOrNull(resource, row)
  if (id === null)
    throw new Problem('internal_error', 'A stored record has no id.', {
      cause: new Error('The id of a row is NULL or not of its type'),
    })
  // An integer time arrives as a number or as text, depending on its size.
  const isTime = typeof updatedAt === 'string' || typeof updatedAt === 'number'
  return { updatedAt: isTime ? String(updatedAt) : null, id }
}

function readIdOrNull({ table }: ResolvedResource, row: Row): string | null {
  try {
    return readIdentifier(row['id'], table.id.identifier)
  } catch {
    return null
  }
}

/** Cut to the millisecond: an earlier instant loses no row. */
function toNextUpdatedSince(startedAt: Instant, overlapSeconds: number): string {
  const text = toInstantText({ ...startedAt, seconds: startedAt.seconds - overlapSeconds })
  if (text === undefined) throw new Error('The clock of the database is out of range')
  return `${text.slice(0, 23)}Z`
}

interface ConvertInput<Result> {
  /** Makes the answer of rows, and reports each invalid row. */
  readonly convert: (onInvalidRow: OnInvalidRow) => Result
  readonly isEmpty: (result: Result) => boolean
  /** Throws if the schema differs from the one that the statement was made for. */
  readonly confirm: () => Promise<void>
  readonly onInvalidRow: OnInvalidRow
}

/**
 * Converts rows to an answer. If the answer would leave out a row, be empty or fail, the schema is confirmed first: a
 * column whose type has changed can look like invalid rows, or like no rows.
 *
 * @throws Problem
 */
export async function convertRows<Result>(input: ConvertInput<Result>): Promise<Result> {
  const invalid: InvalidRow[] = []
  const outcome = attempt(() => input.convert((row) => invalid.push(row)))
  if ('error' in outcome || invalid.length > 0 || input.isEmpty(outcome.result)) await input.confirm()
  for (const row of invalid) input.onInvalidRow(row)
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
