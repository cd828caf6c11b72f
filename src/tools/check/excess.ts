import { pageSize } from '../../collections/list-query.js'
import type { PagePlan } from '../../collections/page.js'
import type { ResolvedTable } from '../../collections/resolved-table.js'
import type { Measured } from './session-status.js'

/** A request that reads or sorts more rows than this is slow in every workspace that grows. */
export const rowsOfPageMax = 10 * (pageSize.default + 1)

/** How many rows a list may read or sort. */
export function countRowsMax({ order }: ResolvedTable, path: PagePlan['path']): number {
  // It finds the times of its page first, then the rows of these times.
  if (order !== undefined) return 2 * rowsOfPageMax
  // Parent rows with many rows have a page of their own, beside the one of all others.
  return rowsOfPageMax * (path === 'direct' ? 1 : path + 1)
}

/** A request with the most rows that it may read, and what it cost. */
export interface BoundedRequest {
  /** Such as `list by eventId, status`. */
  readonly request: string
  /** Whether the page begins behind a cursor. */
  readonly isDeep: boolean
  /** How many rows the request may read or sort, without its lookups. */
  readonly rowsMax: number
  /** Undefined where requests before it took too long. */
  readonly measured: Measured | undefined
  /** The same request without lookups but those of its filters; undefined where it has no others. */
  readonly bare: Measured | undefined
}

/** What a request costs too much without its lookups, in words; undefined where it does not, or was not measured. */
export function describeExcess(request: BoundedRequest): string | undefined {
  const { rowsMax, bare, measured = bare } = request
  const evaluated = bare ?? measured
  if (evaluated === undefined) return undefined
  if ('failure' in evaluated) return describeFailed(request, evaluated)
  const { readRows, sortedRows } = evaluated.cost
  if (readRows <= rowsMax && sortedRows <= rowsMax) return undefined
  const verbs = sortedRows > 0 ? 'reads and sorts' : 'reads'
  const without = bare === undefined ? '' : ', without its lookups'
  return `${nameRequest(request)} ${verbs} ${formatCount(readRows)} rows for a page of ${pageSize.default}${without}`
}

/** A request that did not end, in words. */
export function describeFailed(
  request: Pick<BoundedRequest, 'request' | 'isDeep'>,
  { failure, isTimeLimit }: Extract<Measured, { failure: string }>,
): string {
  const end = isTimeLimit ? 'does not end within DATABASE_QUERY_TIMEOUT_MS' : `fails: ${failure}`
  return `${nameRequest(request)} ${end}`
}

function nameRequest({ request, isDeep }: Pick<BoundedRequest, 'request' | 'isDeep'>): string {
  return isDeep ? `${request} behind a cursor` : request
}

/** The rows that the lookups of a request read; undefined where that is not known. */
export function countLookupRows({
  measured,
  bare,
}: Pick<BoundedRequest, 'measured' | 'bare'>): number | undefined {
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
