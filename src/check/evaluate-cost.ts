import type { Finding } from '../audit/finding.js'
import { adviseLinkIndex, adviseListIndex } from './advise-index.js'
import { evaluateFilter, evaluatePaging } from './evaluate-table.js'
import { createFinding, describeExcess, hasFailed, isFiltered, isSmall, noFilter } from './excess.js'
import type { CollectionCost } from './excess.js'
import type { MeasuredRequest } from './measure-requests.js'

/** What the measurements of a collection show, errors first; one finding for all requests that the same fix helps. */
export function evaluateCost(cost: CollectionCost): readonly Finding[] {
  const findings = [
    ...evaluateUnfound(cost),
    ...cost.requests.flatMap((request) => evaluateRequest(cost, request)),
  ]
  const errors = findings.filter(({ severity }) => severity === 'error')
  const byFix = new Map<string, Finding>()
  for (const finding of [...errors, ...findings]) {
    const key = JSON.stringify([finding.object, finding.fix])
    if (!byFix.has(key)) byFix.set(key, finding)
  }
  return [...byFix.values()]
}

function evaluateRequest(cost: CollectionCost, request: MeasuredRequest): readonly Finding[] {
  const link = evaluateLink(cost, request)
  if (link.length > 0) return link
  if (cost.isView) return evaluateView(cost, request)
  return isFiltered(request) ? evaluateFilter(cost.workload, request) : evaluatePaging(cost.workload, request)
}

/** Without an index on the link table, the filter by event reads all of it for every row. */
function evaluateLink({ workload }: CollectionCost, request: MeasuredRequest): readonly Finding[] {
  const advice = adviseLinkIndex(workload.resource.table)
  // The alias of the link table in the statements.
  const isRead = request.steps?.some(
    ({ table, access }) => table === 'link' && (access === 'ALL' || access === 'index'),
  )
  if (advice === undefined || isRead !== true) return []
  const problem = describeExcess(request) ?? `${request.request} reads the whole link table for every row`
  return [createFinding(workload, 'error', { problem, fix: advice.sql })]
}

/** The rows of a table or view cannot even be counted, or read without an order, in time. */
function evaluateUnfound({ workload, isView }: CollectionCost): readonly Finding[] {
  if (workload.isFound) return []
  const { sql } = adviseListIndex(workload.resource.table, noFilter)
  return [
    createFinding(workload, 'error', {
      problem:
        'no workspace could be found within DATABASE_QUERY_TIMEOUT_MS, so no request could be measured',
      fix: isView ? adviseTables(workload) : sql,
    }),
  ]
}

/** A view is as fast as what is behind it. */
function evaluateView({ workload }: CollectionCost, request: MeasuredRequest): readonly Finding[] {
  const excess = describeExcess(request)
  const problem = excess ?? (isSmall(workload) ? suspectView(request) : undefined)
  if (problem === undefined) return []
  const isOptional = isFiltered(request) && !hasFailed(request)
  return [
    createFinding(workload, excess === undefined || isOptional ? 'warning' : 'error', {
      problem,
      fix: adviseTables(workload),
    }),
  ]
}

/** What the plan of a request shows where the few rows do not. */
function suspectView(request: MeasuredRequest): string | undefined {
  if (isFiltered(request)) return undefined
  if (request.steps === null)
    return `the few rows of this database do not show what ${request.request} costs, and the server hides its plan`
  return request.steps.some(({ access, sorts }) => sorts || access === 'ALL' || access === 'index')
    ? `${request.request} reads and sorts all rows, of which there are few in this database`
    : undefined
}

function adviseTables({ resource: { table } }: CollectionCost['workload']): string {
  const { columns } = adviseListIndex(table, noFilter)
  const names = columns.map(({ name }) => name).join(', ')
  return `map the tables behind the view instead, with lookups and where; an index on (${names}), with the names of the table behind the view, would serve its lists`
}
