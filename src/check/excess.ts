import type { Finding } from '../audit/finding.js'
import { pageSize } from '../query/list-query.js'
import type { IndexedShape } from '../query/choose-index.js'
import { rowsOfPageMax } from './measure-requests.js'
import type { MeasuredRequest } from './measure-requests.js'
import type { SizedWorkload, Workload } from './workload.js'

/** The requests of a collection, as they were measured. */
export interface CollectionCost {
  /** Of the largest workspace. */
  readonly workload: Workload
  readonly others: readonly SizedWorkload[]
  readonly requests: readonly MeasuredRequest[]
  /** Whether the mapping names a view, which has no indexes. */
  readonly isView: boolean
  /** Rows without a workspace. */
  readonly unowned: number
}

/** The shape of a list without a filter by a value. */
export const noFilter = { event: false } as const satisfies IndexedShape

/** Whether the workspace has too few rows for a missing index to show in the numbers. */
export function isSmall({ workspaceRows }: Workload): boolean {
  return workspaceRows !== undefined && workspaceRows <= rowsOfPageMax
}

/** Whether a request is a list by event or status. */
export function isFiltered({ shape }: MeasuredRequest): boolean {
  return shape !== undefined && (shape.event || shape.status !== undefined)
}

/** Whether a request did not end. */
export function hasFailed({ measured }: MeasuredRequest): boolean {
  return measured !== undefined && 'failure' in measured
}

/** What a request costs too much, in words; undefined where it does not, or was not measured. */
export function describeExcess({ request, isDeep, rowsMax, measured }: MeasuredRequest): string | undefined {
  const what = isDeep ? `${request} behind a cursor` : request
  if (measured === undefined) return undefined
  if ('failure' in measured)
    return measured.isTimeLimit
      ? `${what} does not end within DATABASE_QUERY_TIMEOUT_MS`
      : `${what} fails: ${measured.failure}`
  const { readRows, sortedRows } = measured.cost
  if (readRows <= rowsMax && sortedRows <= rowsMax) return undefined
  const verbs = sortedRows > 0 ? 'reads and sorts' : 'reads'
  return `${what} ${verbs} ${toCountText(readRows)} rows for a page of ${pageSize.default}`
}

/** A number for readers, such as `52,692`. */
export function toCountText(count: number): string {
  return count.toLocaleString('en-US')
}

/** A finding about a table or view. */
export function createFinding(
  { resource: { table } }: Workload,
  severity: Finding['severity'],
  { problem, fix }: Pick<Finding, 'problem' | 'fix'>,
): Finding {
  return { severity, object: table.name, privilege: null, problem, fix }
}
