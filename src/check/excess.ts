import { pageSize } from '../query/list-query.js'
import { listLookups } from '../query/lookups.js'
import type { PagePlan } from '../query/page.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import type { Measured } from './session-status.js'

/** A request that reads or sorts more rows than this is slow in every workspace that grows. */
export const rowsOfPageMax = 10 * (pageSize.default + 1)

/** How many rows a list may read or sort. */
export function countRowsMax({ projection }: ResolvedTable, path: PagePlan['path']): number {
  const lookups = listLookups(projection).length
  // Parent rows with many rows have a page of their own, beside the one of all others.
  const pages = path === 'direct' ? 1 : path + 1
  return rowsOfPageMax * pages + (pageSize.default + 1) * lookups
}

/** A request with the most rows that it may read, and what it cost. */
export interface BoundedRequest {
  /** Such as `list by eventId, status`. */
  readonly request: string
  /** Whether the page begins behind a cursor. */
  readonly isDeep: boolean
  /** How many rows the request may read or sort. */
  readonly rowsMax: number
  /** Undefined where requests before it took too long. */
  readonly measured: Measured | undefined
}

/** What a request costs too much, in words; undefined where it does not, or was not measured. */
export function describeExcess({ request, isDeep, rowsMax, measured }: BoundedRequest): string | undefined {
  const what = isDeep ? `${request} behind a cursor` : request
  if (measured === undefined) return undefined
  if ('failure' in measured)
    return measured.isTimeLimit
      ? `${what} does not end within DATABASE_QUERY_TIMEOUT_MS`
      : `${what} fails: ${measured.failure}`
  const { readRows, sortedRows } = measured.cost
  if (readRows <= rowsMax && sortedRows <= rowsMax) return undefined
  const verbs = sortedRows > 0 ? 'reads and sorts' : 'reads'
  return `${what} ${verbs} ${formatCount(readRows)} rows for a page of ${pageSize.default}`
}

/** Whether a workspace has too few rows for a missing index to show in the numbers. */
export function isSmall(workspaceRows: number | undefined): boolean {
  return workspaceRows !== undefined && workspaceRows <= rowsOfPageMax
}

/** A number for readers, such as `52,692`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}
