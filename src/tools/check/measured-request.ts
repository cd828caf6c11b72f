import type { IndexedShape } from '../../collections/choose-index.js'
import { pageSize } from '../../collections/list-query.js'
import type { PagePlan } from '../../collections/page.js'
import type { Measured } from './session-status.js'

/** A request that reads or sorts more rows than this is slow in every workspace that grows. */
export const rowsOfPageMax = 10 * (pageSize.default + 1)

/** How many rows a list may read or sort. */
export function countRowsMax(path: PagePlan['path']): number {
  // Parent rows with many rows have a page of their own, beside the one of all others.
  return rowsOfPageMax * (path === 'direct' ? 1 : path + 1)
}

/** The filters of a list. */
export const filterNames = ['updatedSince', 'eventId', 'status'] as const

/** One kind of request, as the service runs it, and what it cost. */
export interface MeasuredRequest {
  /** Such as `list by eventId, status`. */
  readonly request: string
  /** Whether the page begins behind a cursor. */
  readonly isDeep: boolean
  readonly filters: readonly (typeof filterNames)[number][]
  /** What a list compares with one value; undefined for a single record or a key. */
  readonly fixed: IndexedShape | undefined
  /** How a page finds its rows; undefined for a single record or a key. */
  readonly path: PagePlan['path'] | undefined
  /** Null where the server denies the plan, as it can for a view. */
  readonly steps: readonly PlanStep[] | null
  /** How many rows the request may read or sort, without its lookups. */
  readonly rowsMax: number
  /** Undefined where requests before it took too long. */
  readonly measured: Measured | undefined
  /** The same request without lookups but those of its filters; undefined where it has no others. */
  readonly bare: Measured | undefined
}

/** One table of a plan. */
export interface PlanStep {
  readonly table: string
  readonly access: string
  readonly index: string | null
  readonly sorts: boolean
}

/** Whether a plan reads a whole table, or a whole index. */
export function readsAll({ access }: PlanStep): boolean {
  return access === 'ALL' || access === 'index'
}

/** Whether a request did not end. */
export function hasFailed({ measured }: MeasuredRequest): boolean {
  return measured !== undefined && 'failure' in measured
}

/** What a request costs too much without its lookups, in words; undefined where it does not, or was not measured. */
export function describeExcess(request: MeasuredRequest): string | undefined {
  const { rowsMax, bare, measured = bare } = request
  const evaluated = bare ?? measured
  if (evaluated === undefined) return undefined
  if ('failure' in evaluated) return describeFailure(request, evaluated)
  const { readRows, sortedRows } = evaluated.cost
  if (readRows <= rowsMax && sortedRows <= rowsMax) return undefined
  const verbs = sortedRows > 0 ? 'reads and sorts' : 'reads'
  const without = bare === undefined ? '' : ', without its lookups'
  return `${nameRequest(request)} ${verbs} ${formatCount(readRows)} rows for a page of ${pageSize.default}${without}`
}

/** A request that did not end, in words; undefined for any other. */
export function describeFailure(request: MeasuredRequest, measured = request.measured): string | undefined {
  if (measured === undefined || !('failure' in measured)) return undefined
  const { failure, isTimeLimit } = measured
  const end = isTimeLimit ? 'does not end within DATABASE_QUERY_TIMEOUT_MS' : `fails: ${failure}`
  return `${nameRequest(request)} ${end}`
}

function nameRequest({ request, isDeep }: MeasuredRequest): string {
  return isDeep ? `${request} behind a cursor` : request
}

/** The rows that the lookups of a request read; undefined where that is not known. */
export function countLookupRows({ measured, bare }: MeasuredRequest): number | undefined {
  if (measured === undefined || bare === undefined || 'failure' in measured || 'failure' in bare)
    return undefined
  return Math.max(0, measured.cost.readRows - bare.cost.readRows)
}

/** Whether a workspace has too few rows for a missing index to show in the numbers. */
export function isSmall(workspaceRows: number | undefined): boolean {
  return workspaceRows !== undefined && workspaceRows <= rowsOfPageMax
}

/** A number for readers, such as `52,692`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}
