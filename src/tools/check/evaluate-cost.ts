import { describeBytes, estimateIndexBytes, renderCreateIndex } from '../planned-index.js'
import type { PlannedIndex } from '../planned-index.js'
import { toQuotedName } from '../../database/sql.js'
import type { Schema } from '../../database/schema.js'
import { chooseIndex, listFixedColumns } from '../../collections/choose-index.js'
import type { IndexedShape } from '../../collections/choose-index.js'
import { chooseIdIndex } from '../../collections/record.js'
import type { ResolvedTable } from '../../collections/resolved-table.js'
import {
  adviseIdIndex,
  adviseLinkIndex,
  adviseListIndex,
  adviseVisibleIndex,
  hasIndex,
} from './advise-index.js'
import { evaluateLookups } from './evaluate-lookups.js'
import { describeExcess, formatCount, hasFailed, isSmall, readsAll } from './measured-request.js'
import type { MeasuredRequest } from './measured-request.js'
import type { Workload, Workloads } from './workload.js'
import { createError, createWarning } from '../report/report.js'
import type { Finding } from '../report/report.js'

/** The requests of a collection, as they were measured. */
export interface CollectionCost extends Workloads {
  readonly requests: readonly MeasuredRequest[]
  /** With the tables of its lookups. */
  readonly schema: Schema
}

/** The shape of a list without a filter by a value. */
const noFilter = { event: false } as const satisfies IndexedShape

type Advice = Pick<Finding, 'problem' | 'fix'>

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
  const first = [
    ...evaluateLink(cost, request),
    ...evaluateLookups(cost.largest.collection, cost.schema, request),
  ]
  if (first.length > 0) return first
  if (cost.largest.collection.table.isView) return evaluateView(cost.largest, request)
  return isFiltered(request) ? evaluateFilter(cost.largest, request) : evaluatePaging(cost.largest, request)
}

/** The rows of a table or view cannot even be counted, or read without an order, in time. */
function evaluateUnfound({ largest: workload }: CollectionCost): readonly Finding[] {
  if (workload.isFound) return []
  const problem =
    'no workspace could be found within DATABASE_QUERY_TIMEOUT_MS, so no request could be measured'
  const { table } = workload.collection
  const fix = table.isView ? adviseTables(workload) : renderCreateIndex(adviseListIndex(table, noFilter))
  return [createFinding(workload, 'error', { problem, fix })]
}

/** Without an index on the link table, the filter by event reads all of it for every row. */
function evaluateLink(
  { largest: workload, schema }: CollectionCost,
  request: MeasuredRequest,
): readonly Finding[] {
  const advice = adviseLinkIndex(workload.collection.table)
  // The alias of the link table in the statements.
  const isRead = request.steps?.some((step) => step.table === 'link' && readsAll(step))
  if (advice === undefined || isRead !== true) return []
  const problem = describeExcess(request) ?? `${request.request} reads the whole link table for every row`
  const fix = hasIndex(schema.get(advice.table), advice)
    ? `ANALYZE TABLE ${toQuotedName(advice.table)}; the table has an index that serves, and the server does not use it`
    : renderCreateIndex(advice)
  return [createFinding(workload, 'error', { problem, fix })]
}

/** A view is as fast as what is behind it. */
function evaluateView(workload: Workload, request: MeasuredRequest): readonly Finding[] {
  const excess = describeExcess(request)
  const problem = excess ?? (isSmall(workload.workspaceRows) ? suspectView(request) : undefined)
  if (problem === undefined) return []
  const isOptional = isFiltered(request) && !hasFailed(request)
  const severity = excess === undefined || isOptional ? 'warning' : 'error'
  return [createFinding(workload, severity, { problem, fix: adviseTables(workload) })]
}

/** What the plan of a request shows where the few rows do not. */
function suspectView(request: MeasuredRequest): string | undefined {
  if (isFiltered(request)) return undefined
  if (request.steps === null)
    return `the few rows of this database do not show what ${request.request} costs, and the server hides its plan`
  return request.steps.some((step) => step.sorts || readsAll(step))
    ? `${request.request} reads and sorts all rows, of which there are few in this database`
    : undefined
}

function adviseTables({ collection: { table } }: Workload): string {
  const names = adviseListIndex(table, noFilter).columns.map(({ name }) => name)
  return `map the tables behind the view instead, with lookups and where; an index on (${names.join(', ')}), with the names of the table behind the view, would serve its lists`
}

/** A list without a filter by a value, and a single record, need an index. */
function evaluatePaging(workload: Workload, request: MeasuredRequest): readonly Finding[] {
  const { table } = workload.collection
  const excess = describeExcess(request)
  const isItem = request.fixed === undefined
  const serving = isItem ? chooseIdIndex(table) : chooseIndex(table, noFilter)
  if (serving !== undefined) return excess === undefined ? [] : [explainServed(workload, request, excess)]
  if (excess === undefined && !isSmall(workload.workspaceRows)) return []
  const advice = isItem ? adviseIdIndex(table) : adviseListIndex(table, noFilter)
  const what =
    excess ?? `no index serves ${isItem ? request.request : 'lists'} of ${workload.collection.name}`
  return [createFinding(workload, 'error', adviseIndex(`${what}. The index is needed`, advice, workload))]
}

/** Many rows are read although an index serves the request. */
function explainServed(workload: Workload, request: MeasuredRequest, excess: string): Finding {
  const { table } = workload.collection
  const { isDeep, path } = request
  if (typeof path === 'number')
    return createFinding(workload, hasFailed(request) ? 'error' : 'warning', {
      problem: `${excess}: the workspace is found by a lookup, and a page reads all rows of each parent row that has few`,
      fix: 'map a column of the table itself that has the workspace, if there is one; DATABASE_QUERY_TIMEOUT_MS must allow such a page',
    })
  const advice = adviseVisibleIndex(table)
  if (advice !== undefined && !hasIndex(table, advice) && !isDeep) {
    const problem = `${excess}: most rows that it reads are archived, or no records by the mapping's where. The index is needed`
    return createFinding(workload, 'error', adviseIndex(problem, advice, workload))
  }
  // Only behind a cursor are rows with the time of its position read, and left out by their ids.
  const cause = isDeep ? 'the same updatedAt' : "no record by the mapping's archived or where"
  return createFinding(workload, 'error', {
    problem: `${excess}, although an index serves it: many rows in a row have ${cause}`,
    fix: 'no index helps; DATABASE_QUERY_TIMEOUT_MS must allow such a page',
  })
}

/**
 * A filter without an index of its own: the page is read in order, but rows that do not match are read and left out, so
 * a rare value is slow.
 */
function evaluateFilter(workload: Workload, request: MeasuredRequest): readonly Finding[] {
  const { table } = workload.collection
  const { fixed } = request
  if (fixed === undefined) return []
  const severity = hasFailed(request) ? 'error' : 'warning'
  const single = toSingleFilter(fixed, table)
  const problem = describeRareValue(workload, request)
  if (single === undefined || hasOwnIndex(table, single)) return listFailure(workload, request)
  // Each index serves its filter also beside the other one.
  if (isCombined(request) && severity === 'warning') return []
  const optional = `${problem}. An index is optional`
  return [createFinding(workload, severity, adviseIndex(optional, adviseListIndex(table, single), workload))]
}

function listFailure(workload: Workload, request: MeasuredRequest): readonly Finding[] {
  const problem = describeExcess(request)
  if (problem === undefined || !hasFailed(request)) return []
  return [createFinding(workload, 'error', { problem, fix: noIndexHelps })]
}

/** What a page costs, and what one costs whose filter few rows match. */
function describeRareValue(workload: Workload, request: MeasuredRequest): string {
  const cost = describeExcess(request) ?? `${request.request} reads rows of other values too`
  return `${cost}; a rare value reads ${describeAll(workload)}`
}

const noIndexHelps = 'no index of this table helps: map another column, or ask callers not to use this filter'

/**
 * The filter that limits one column to one value, for an index that has it before the time; a link table, or a lookup of its
 * own, is read for each row.
 */
function toSingleFilter({ event, status }: IndexedShape, table: ResolvedTable): IndexedShape | undefined {
  const single: IndexedShape = event ? { event } : { event, status }
  const known = listFixedColumns(table, noFilter)
  return listFixedColumns(table, single).some((column) => !known.includes(column)) ? single : undefined
}

function hasOwnIndex(table: ResolvedTable, single: IndexedShape): boolean {
  return chooseIndex(table, single)?.name !== chooseIndex(table, noFilter)?.name
}

function isCombined({ filters }: MeasuredRequest): boolean {
  return filters.includes('eventId') && filters.includes('status')
}

function describeAll({ workspaceRows }: Workload): string {
  return workspaceRows === undefined || isSmall(workspaceRows)
    ? 'all rows of the workspace'
    : `all ${formatCount(workspaceRows)} rows of the workspace`
}

function adviseIndex(problem: string, index: PlannedIndex, { tableRows }: Workload): Advice {
  const size = describeBytes(tableRows === undefined ? undefined : estimateIndexBytes(index, tableRows))
  return { problem: `${problem}; it takes ${size}`, fix: renderCreateIndex(index) }
}

/** Whether a request is a list by event or status. */
function isFiltered({ filters }: MeasuredRequest): boolean {
  return filters.includes('eventId') || filters.includes('status')
}

/** A finding about a table or view. */
function createFinding(
  { collection: { table } }: Workload,
  severity: Finding['severity'],
  { problem, fix }: Advice,
): Finding {
  const create = severity === 'error' ? createError : createWarning
  return create(table.name, problem, fix)
}
