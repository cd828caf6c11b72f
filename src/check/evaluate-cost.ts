import type { Finding } from '../audit/finding.js'
import { adviseLinkIndex } from './advise-index.js'
import { evaluateFilter, evaluatePaging } from './evaluate-table.js'
import { evaluateUnfound, evaluateView } from './evaluate-view.js'
import { createFinding, describeExcess, isFiltered } from './excess.js'
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
