import type { Database } from '../../database/database.js'
import { readServerKind } from '../../database/server-kind.js'
import type { Schema } from '../../database/schema.js'
import type { ResolvedKeyTable } from '../../mapping/key-table.js'
import { pageSize } from '../../collections/list-query.js'
import { hasOwnOrder } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { adviseIndex, hasIndex, listLookupIndexes } from './advise-index.js'
import { listRequests, measureRequests, planKey } from './requests.js'
import type { Measured, MeasuredRequest } from './requests.js'
import { readWorkload } from './workload.js'
import type { Workload } from './workload.js'
import { createError, createWarning } from '../../finding.js'
import { createSection, formatCount, toTable } from '../report/report.js'
import type { Finding } from '../../finding.js'
import type { Cell, Section } from '../report/report.js'

/** The section of what follows. */
export const costHead = { id: 'cost', title: 'Indexes and cost of requests' } as const

interface CostInput {
  readonly keys: ResolvedKeyTable | undefined
  readonly collections: readonly BoundCollection[]
  readonly schema: Schema
  readonly database: Pick<Database, 'runQuery' | 'runTask'>
  /** Whether nothing contradicts the mapping: until then, a missing index is a warning. */
  readonly isProved: boolean
}

/** What each kind of request costs the database at the largest workspace, and the indexes that are missing. */
export async function checkCost({
  keys,
  collections,
  schema,
  database,
  isProved,
}: CostInput): Promise<Section> {
  const workloads: Workload[] = []
  for (const one of collections) workloads.push(await readWorkload(one, database.runQuery))
  const measured = await database.runTask(async (run) => {
    if ((await readServerKind(run)).dialect === 'mysql') await run({ sql: noPushdown, values: [] })
    const costs: (readonly MeasuredRequest[])[] = []
    for (const one of workloads) costs.push(await measureRequests(listRequests(one), run))
    return [...costs, keys === undefined ? [] : await measureRequests([planKey(keys)], run)]
  })
  const findings = [
    ...workloads.flatMap((one, at) => evaluateRequests({ ...one, schema }, measured[at] ?? [])),
    ...(keys === undefined ? [] : evaluateKey(keys, schema, measured.at(-1) ?? [])),
  ]
  const heads = {
    collection: 'Collection',
    request: 'Request',
    readRows: 'Rows read',
    lookupRows: 'For lookups',
    sortedRows: 'Rows sorted',
    milliseconds: 'ms',
  }
  const rows = measured.flatMap((requests, at) =>
    requests.map((request) => ({
      collection: workloads[at]?.collection.name ?? 'keys',
      ...describeCost(request),
    })),
  )
  return createSection({
    ...costHead,
    intro: `Each kind of request, run with a page of ${pageSize.default} at the workspace with the most rows, with values that it has. The server counted the rows. More than ${rowsMax.own} rows read or sorted, beside those for lookups, is too many; ${formatCount(rowsMax.byParents)} where a lookup finds the workspace.`,
    tables: [toTable('requests', heads, rows)],
    notes: workloads.map(describeSize),
    findings: isProved ? findings : findings.map((one) => ({ ...one, severity: 'warning' })),
  })
}

/** MySQL does not count index entries that the storage engine rejects by a pushed condition: it checks each itself. */
const noPushdown = "set session optimizer_switch = 'index_condition_pushdown=off'"

/** A request that reads or sorts more rows than this is slow in every workspace that grows. */
const rowsMax = { own: 10 * (pageSize.default + 1), byParents: 10_000 } as const

function describeCost(request: MeasuredRequest): Readonly<Record<string, Cell>> {
  const { request: name, measured, bare } = request
  if (measured === undefined) return { request: `${name}: not run, because others took too long` }
  if ('failure' in measured) return { request: `${name}: ${measured.failure}` }
  const { readRows, sortedRows, milliseconds } = measured.cost
  const lookupRows = bare === undefined ? null : countLookupRows(request)
  return { request: name, readRows, lookupRows, sortedRows, milliseconds: Math.round(milliseconds * 10) / 10 }
}

function describeSize({ collection: { name }, workspaceRows }: Workload): string {
  const size =
    workspaceRows === undefined ? 'more rows than were counted' : `${formatCount(workspaceRows)} rows`
  return `The largest workspace of ${name} has ${size}.`
}

interface Measurement extends Workload {
  readonly schema: Schema
}

/** What the measurements of a collection show; one finding for all requests that the same fix helps, an error if one is. */
function evaluateRequests(workload: Measurement, requests: readonly MeasuredRequest[]): readonly Finding[] {
  const { object, fix } = adviseIndex(workload.collection.table, workload.schema, { event: false })
  const unknown = 'no workspace could be found within DATABASE_QUERY_TIMEOUT_MS'
  if (!workload.isFound) return [createError(object, unknown, fix)]
  const findings = requests.flatMap((request) => evaluateRequest(workload, request))
  const errors = findings.filter(({ severity }) => severity === 'error')
  const byFix = new Map([...errors, ...findings].toReversed().map((one) => [one.object + one.fix, one]))
  return [...byFix.values()].toReversed()
}

/** A request over its limit: because of its lookups where it is cheap without them, else for want of an index. */
function evaluateRequest(workload: Measurement, request: MeasuredRequest): readonly Finding[] {
  const { table } = workload.collection
  const { request: what, bare, measured } = request
  const limit = hasOwnOrder(table) ? rowsMax.own : rowsMax.byParents
  const excess = describeExcess(what, bare ?? measured, limit)
  if (excess === undefined) return evaluateSmall(workload, request, limit)
  const { object, fix, isMissing } = adviseIndex(table, workload.schema, request.shape)
  const isOptional = /by (?:eventId|status)$/.test(what) && !isFailed(measured)
  const problem = `${excess}${bare === undefined ? '' : ', without its lookups'}`
  if (!isOptional) return [createError(object, problem, fix)]
  return isMissing ? [createWarning(object, problem, fix)] : []
}

/** A workspace with few rows does not show what a larger one will, so that the index is looked for. */
function evaluateSmall(workload: Measurement, request: MeasuredRequest, limit: number): readonly Finding[] {
  const { table, name } = workload.collection
  const isSmall = workload.workspaceRows !== undefined && workload.workspaceRows <= limit
  const { object, fix, isMissing } = adviseIndex(table, workload.schema, request.shape)
  if (isSmall && isMissing && ['list', 'one record'].includes(request.request))
    return [createError(object, `no index serves ${request.request} of ${name}`, fix)]
  return request.bare === undefined ? [] : evaluateLookups(workload, request)
}

/** More rows than this for each lookup of a record show that the index of its key leaves out too few. */
const rowsOfLookupMax = 10

function evaluateLookups(
  { collection: { table, name }, schema }: Measurement,
  request: MeasuredRequest,
): readonly Finding[] {
  const { tables, missing } = listLookupIndexes(table, schema)
  const perRecord = Math.round(
    countLookupRows(request) / (request.shape === undefined ? 1 : pageSize.default + 1),
  )
  const isEnded = !isFailed(request.measured)
  if (isEnded && perRecord <= rowsOfLookupMax * tables.length) return []
  const problem = isEnded
    ? `lookups of ${name} read ${formatCount(perRecord)} rows for each record, most of which do not count`
    : `${describeExcess(request.request, request.measured, 0) ?? ''}, and ends without its lookups`
  const less = { object: name, fix: `map less of ${tables.join(', ')}, or raise DATABASE_QUERY_TIMEOUT_MS` }
  const fixes = missing.length > 0 || isEnded ? missing : [less]
  return fixes.map(({ object, fix }) => (isEnded ? createWarning : createError)(object, problem, fix))
}

function isFailed(measured: Measured | undefined): boolean {
  return measured !== undefined && 'failure' in measured
}

/** What a request costs too much, in words; undefined where it does not, or was not measured. */
function describeExcess(request: string, measured: Measured | undefined, limit: number): string | undefined {
  if (measured === undefined) return undefined
  if ('failure' in measured)
    return `${request} ${measured.isTimeLimit ? 'does not end within DATABASE_QUERY_TIMEOUT_MS' : `fails: ${measured.failure}`}`
  const { readRows, sortedRows } = measured.cost
  if (readRows <= limit && sortedRows <= limit) return undefined
  const verbs = sortedRows > 0 ? 'reads and sorts' : 'reads'
  return `${request} ${verbs} ${formatCount(readRows)} rows for a page of ${pageSize.default}`
}

/** The rows that the lookups of a request read; 0 where that is not known. */
function countLookupRows({ measured, bare }: MeasuredRequest): number {
  if (measured === undefined || bare === undefined || 'failure' in measured || 'failure' in bare) return 0
  return Math.max(0, measured.cost.readRows - bare.cost.readRows)
}

function evaluateKey(
  { table, hash }: ResolvedKeyTable,
  schema: Schema,
  [request]: readonly MeasuredRequest[],
): readonly Finding[] {
  const excess = describeExcess('an API key', request?.measured, rowsMax.own)
  const found = schema.get(table)
  if (excess === undefined && (found?.isView === true || hasIndex(found, [hash]))) return []
  const fix = 'make an index on the column of the hash; a unique one is best'
  return [createError(table, excess ?? 'the lookup of an API key reads the whole table', fix)]
}
