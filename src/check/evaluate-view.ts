import type { Finding } from '../audit/finding.js'
import { adviseListIndex } from './advise-index.js'
import { describeView } from './describe-view.js'
import type { ViewAdvice } from './describe-view.js'
import { createFinding, describeExcess, hasFailed, isFiltered, isSmall, noFilter } from './excess.js'
import type { CollectionCost } from './excess.js'
import type { MeasuredRequest } from './measure-requests.js'

/** A view is as fast as what is behind it. */
export function evaluateView(cost: CollectionCost, request: MeasuredRequest): readonly Finding[] {
  const { workload, definition } = cost
  const excess = describeExcess(request)
  const problem = excess ?? suspect(cost, request)
  if (problem === undefined) return []
  const advice = definition && describeView(workload.resource, definition, request.steps)
  const severity = excess === undefined || isOptional(request) ? 'warning' : 'error'
  return [
    createFinding(workload, severity, {
      problem: advice === undefined ? problem : `${problem}: ${toReasons(advice)}`,
      fix: renderFix(cost, advice),
    }),
  ]
}

function toReasons({ reasons }: ViewAdvice): string {
  return reasons.length === 0 ? 'no index gives the rows behind the view in order' : reasons.join('; ')
}

/** The rows of a table or view cannot even be counted, or read without an order, in time. */
export function evaluateUnfound(cost: CollectionCost): readonly Finding[] {
  const { workload, isView, definition } = cost
  if (workload.isFound) return []
  const advice = definition && describeView(workload.resource, definition, [])
  const { sql } = adviseListIndex(workload.resource.table, noFilter)
  return [
    createFinding(workload, 'error', {
      problem:
        'no workspace could be found within DATABASE_QUERY_TIMEOUT_MS, so no request could be measured',
      fix: isView ? renderFix(cost, advice) : sql,
    }),
  ]
}

/** Whether a request is a filter that ends in time. */
function isOptional(request: MeasuredRequest): boolean {
  return isFiltered(request) && !hasFailed(request)
}

/** What the plan of a request shows where the few rows do not. */
function suspect({ workload, definition }: CollectionCost, measured: MeasuredRequest): string | undefined {
  if (!isSmall(workload) || isFiltered(measured)) return undefined
  const { request, steps } = measured
  const readsAll = (steps ?? []).some(({ access, sorts }) => sorts || access === 'ALL' || access === 'index')
  if (readsAll) return `${request} reads and sorts all rows, of which there are few in this database`
  if (definition !== undefined) return undefined
  return `the few rows of this database do not show what ${request} costs, and this user may not see the view`
}

function renderFix({ workload }: CollectionCost, advice: ViewAdvice | undefined): string {
  const { sql } = adviseListIndex(workload.resource.table, noFilter)
  const ownNames = `make this index on the table behind it, with that table's names: ${sql}`
  if (advice === undefined)
    return `run what vitrine grants prints, so that check can see the view; or ${ownNames}`
  const { options, index } = advice
  if (options.length === 0) return index ?? ownNames
  const mapped = `map the table behind the view instead, with ${options.join('; ')}`
  return index === undefined ? mapped : `${mapped}. It needs this index: ${index}`
}
