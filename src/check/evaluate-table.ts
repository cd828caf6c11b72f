import type { Finding } from '../audit/finding.js'
import { chooseItemIndex } from '../query/item-sql.js'
import { chooseIndex, listFixedColumns } from '../query/choose-index.js'
import type { IndexedShape } from '../query/choose-index.js'
import type { ListShape } from '../query/list-plan.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import { adviseIdIndex, adviseListIndex, adviseVisibleIndex, describeSize } from './advise-index.js'
import type { IndexAdvice } from './advise-index.js'
import { createFinding, describeExcess, hasFailed, isSmall, noFilter, toCountText } from './excess.js'
import type { MeasuredRequest } from './measure-requests.js'
import type { Workload } from './workload.js'

/** A list without a filter by a value, and a single record, need an index. */
export function evaluatePaging(workload: Workload, request: MeasuredRequest): readonly Finding[] {
  const { table } = workload.resource
  const excess = describeExcess(request)
  const isItem = request.shape === undefined
  const serving = isItem ? chooseItemIndex(table) : chooseIndex(table, noFilter)
  if (serving !== undefined) return excess === undefined ? [] : [explainServed(workload, request, excess)]
  if (excess === undefined && !isSmall(workload)) return []
  const advice = isItem ? adviseIdIndex(table) : adviseListIndex(table, noFilter)
  const what = excess ?? `no index serves ${isItem ? request.request : 'lists'} of ${workload.resource.name}`
  return [createFinding(workload, 'error', toProblem(what, 'needed', advice, workload))]
}

/** Many rows are read although an index serves the request. */
function explainServed(workload: Workload, request: MeasuredRequest, excess: string): Finding {
  const { table } = workload.resource
  const { isDeep, way } = request
  if (way === 'rows')
    return createFinding(workload, hasFailed(request) ? 'error' : 'warning', {
      problem: `${excess}: the workspace is found by a lookup, and a page reads all its rows`,
      fix: `add a column with the workspace to ${table.name}, and map it`,
    })
  const advice = adviseVisibleIndex(table)
  const exists = advice !== undefined && table.indexes.some((index) => startsWith(index.columns, advice))
  if (advice !== undefined && !exists && !isDeep)
    return createFinding(
      workload,
      'error',
      toProblem(
        `${excess}: most rows that it reads are archived, or no records by the mapping's where`,
        'needed',
        advice,
        workload,
      ),
    )
  return createFinding(workload, 'error', {
    problem: `${excess}, although an index serves it`,
    fix: 'many rows are archived, are no records, or have the same updatedAt, which no index helps: after a bulk change, give the rows different times',
  })
}

function startsWith(columns: readonly string[], { columns: advised }: IndexAdvice): boolean {
  return advised.every((column, at) => column.name.toLowerCase() === columns[at])
}

/**
 * A filter without an index of its own: the page is read in order, but rows that do not match are read and left out, so
 * a rare value is slow.
 */
export function evaluateFilter(workload: Workload, request: MeasuredRequest): readonly Finding[] {
  const { table } = workload.resource
  const { shape } = request
  if (shape === undefined) return []
  const excess = describeExcess(request)
  const single = toSingleFilter(shape, table)
  if (single === undefined || hasOwnIndex(table, single))
    return excess !== undefined && hasFailed(request)
      ? [createFinding(workload, 'error', { problem: excess, fix: noIndexHelps })]
      : []
  // Each index serves its filter also beside the other one.
  if (isCombined(shape) && !hasFailed(request)) return []
  const cost = excess ?? `${request.request} reads rows of other values too`
  return [
    createFinding(
      workload,
      hasFailed(request) ? 'error' : 'warning',
      toProblem(
        `${cost}; a rare value reads ${describeAll(workload)}`,
        'optional',
        adviseListIndex(table, single),
        workload,
      ),
    ),
  ]
}

const noIndexHelps = 'no index of this table helps: map another column, or ask callers not to use this filter'

/** The filter that limits one column to one value; a link table, or a lookup of its own, is read for each row. */
function toSingleFilter({ event, status }: ListShape, table: ResolvedTable): IndexedShape | undefined {
  const single = event ? { event } : { event, status }
  const known = listFixedColumns(table, noFilter)
  return listFixedColumns(table, single).some((column) => !known.includes(column)) ? single : undefined
}

function hasOwnIndex(table: ResolvedTable, single: IndexedShape): boolean {
  return chooseIndex(table, single)?.name !== chooseIndex(table, noFilter)?.name
}

function isCombined({ event, status }: ListShape): boolean {
  return event && status !== undefined
}

function describeAll({ workspaceRows }: Workload): string {
  return workspaceRows === undefined || isSmall({ workspaceRows } as Workload)
    ? 'all rows of the workspace'
    : `all ${toCountText(workspaceRows)} rows of the workspace`
}

function toProblem(
  problem: string,
  use: 'needed' | 'optional',
  advice: IndexAdvice,
  { tableRows }: Workload,
): Pick<Finding, 'problem' | 'fix'> {
  const size = describeSize(advice, tableRows)
  const sentence =
    use === 'needed' ? `The index is needed; it takes ${size}` : `An index is optional; it takes ${size}`
  return { problem: `${problem}. ${sentence}`, fix: advice.sql }
}
