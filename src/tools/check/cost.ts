import type { Database } from '../../database/database.js'
import { readServerKind } from '../../database/server-kind.js'
import type { Schema } from '../../database/schema.js'
import type { ResolvedKeyTable } from '../../mapping/key-table.js'
import { pageSize } from '../../collections/list-query.js'
import { hasOwnOrder } from '../../collections/resolved-table.js'
import { createError, createWarning } from '../../finding.js'
import { createSection, formatCount, toTable } from '../report/report.js'
import type { Finding } from '../../finding.js'
import type { Cell, Section } from '../report/report.js'
import { adviseIndex, adviseLookups, hasIndex } from './advise-index.js'
import { measureKey, measureRequests } from './requests.js'
import type { Cost, MeasuredRequest } from './requests.js'
import { sortFindings } from './findings.js'
import type { Sample } from './sample.js'

/** The section of what follows. */
export const costHead = { id: 'cost', title: 'Indexes and cost of requests' } as const

interface CostInput {
  readonly keys: ResolvedKeyTable | undefined
  readonly samples: readonly Sample[]
  readonly schema: Schema
  readonly database: Pick<Database, 'runTask'>
  /** Whether nothing contradicts the mapping: until then, a missing index is a warning. */
  readonly isProved: boolean
}

/** What each kind of request costs the database at the largest workspace, and the indexes that are missing. */
export async function checkCost(input: CostInput): Promise<Section> {
  const { keys, samples, schema, database, isProved } = input
  const measured = await database.runTask(async (run) => {
    if ((await readServerKind(run)).dialect === 'mysql') await run({ sql: noPushdown, values: [] })
    const all: (readonly MeasuredRequest[])[] = []
    for (const one of samples) all.push(one.failure === undefined ? await measureRequests(one, run) : [])
    return [...all, keys === undefined ? [] : [await measureKey(keys, run)]]
  })
  const findings = [
    ...samples.flatMap((one, at) => evaluateRequests(one, schema, measured[at] ?? [])),
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
    requests.map((one) => ({ collection: samples[at]?.collection.name ?? 'keys', ...describeCost(one) })),
  )
  return createSection({
    ...costHead,
    intro: `Each kind of request, run with a page of ${pageSize.default} at the workspace with the most rows, with values that it has. The server counted the rows. More than ${rowsMax.own} rows read or sorted, beside those for lookups, is too many; ${formatCount(rowsMax.byParents)} where a lookup finds the workspace.`,
    tables: [toTable('requests', heads, rows)],
    notes: samples.map(describeSize),
    findings: isProved ? findings : findings.map((one) => ({ ...one, severity: 'warning' })),
  })
}

/** MySQL does not count index entries that the storage engine rejects by a pushed condition: it checks each itself. */
const noPushdown = "set session optimizer_switch = 'index_condition_pushdown=off'"

/** A request that reads or sorts more rows than this is slow in every workspace that grows. */
const rowsMax = { own: 10 * (pageSize.default + 1), byParents: 10_000 } as const

function describeCost({ request, cost, bare }: MeasuredRequest): Readonly<Record<string, Cell>> {
  const { readRows, sortedRows, milliseconds, failure } = cost
  if (failure !== undefined) return { request: `${request} ${failure}` }
  const lookupRows = bare === undefined ? null : Math.max(0, readRows - bare.readRows)
  return { request, readRows, lookupRows, sortedRows, milliseconds: Math.round(milliseconds * 10) / 10 }
}

function describeSize({ collection: { name }, workspaces: [largest] }: Sample): string {
  const size =
    largest?.rows === undefined ? 'more rows than were counted' : `${formatCount(largest.rows)} rows`
  return `The largest workspace of ${name} has ${size}.`
}

/** What the measurements of a collection show; one finding for all requests that the same fix helps, an error if one is. */
function evaluateRequests(
  sample: Sample,
  schema: Schema,
  requests: readonly MeasuredRequest[],
): readonly Finding[] {
  const { object, fix } = adviseIndex(sample.collection.table, schema, { event: false })
  if (sample.failure !== undefined)
    return [createError(object, `no workspace could be found: ${sample.failure}`, fix)]
  const findings = requests.flatMap((one) => evaluateRequest(sample, schema, one))
  return sortFindings(findings, (one) => one.object + one.fix)
}

/** A request over its limit: because of its lookups where it is cheap without them, else for want of an index. */
function evaluateRequest(
  { collection, workspaces: [largest] }: Sample,
  schema: Schema,
  measured: MeasuredRequest,
): readonly Finding[] {
  const { table, name } = collection
  const { request, shape, cost, bare = cost } = measured
  const limit = hasOwnOrder(table) ? rowsMax.own : rowsMax.byParents
  const { object, fix, isMissing } = adviseIndex(table, schema, shape)
  if (bare.readRows > limit || bare.sortedRows > limit) {
    const problem = describeCostly(request, bare)
    const isOptional = /by (?:eventId|status)$/.test(request) && bare.failure === undefined
    if (!isOptional) return [createError(object, problem, fix)]
    return isMissing ? [createWarning(object, problem, fix)] : []
  }
  // A workspace with few rows does not show what a larger one will, so that the index is looked for.
  const isSmall = largest?.rows !== undefined && largest.rows <= limit
  if (isSmall && isMissing && ['list', 'one record'].includes(request))
    return [createError(object, `no index serves ${request} of ${name}`, fix)]
  return evaluateLookups(collection, schema, measured)
}

/** What a request costs too much, in words. */
function describeCostly(request: string, { readRows, sortedRows, failure }: Cost): string {
  if (failure !== undefined) return `${request} ${failure}`
  const verbs = sortedRows > 0 ? 'reads and sorts' : 'reads'
  return `${request} ${verbs} ${formatCount(readRows)} rows for a page of ${pageSize.default}`
}

/** More rows than this for each lookup of a record show that the index of its key leaves out too few. */
const rowsOfLookupMax = 10

/** Lookups that read rows which do not count, or that do not end. */
function evaluateLookups(
  { table, name }: Sample['collection'],
  schema: Schema,
  { request, shape, cost, bare = cost }: MeasuredRequest,
): readonly Finding[] {
  const { tables, missing } = adviseLookups(table, schema)
  const records = shape === undefined ? 1 : pageSize.default + 1
  const perRecord = Math.round((cost.readRows - bare.readRows) / records)
  if (cost.failure !== undefined) {
    const fix = `map less of ${tables.join(', ')}, or raise DATABASE_QUERY_TIMEOUT_MS`
    const fixes = missing.length > 0 ? missing : [{ object: name, fix }]
    const problem = `${request} ${cost.failure}, and ends without its lookups`
    return fixes.map((one) => createError(one.object, problem, one.fix))
  }
  if (perRecord <= rowsOfLookupMax * tables.length) return []
  const problem = `lookups of ${name} read ${formatCount(perRecord)} rows for each record, most of which do not count`
  return missing.map(({ object, fix }) => createWarning(object, problem, fix))
}

function evaluateKey(
  { table, hash }: ResolvedKeyTable,
  schema: Schema,
  [measured]: readonly MeasuredRequest[],
): readonly Finding[] {
  const found = schema.get(table)
  const isCheap = measured !== undefined && measured.cost.readRows <= rowsMax.own
  if (measured === undefined || (isCheap && (found?.isView === true || hasIndex(found, [hash])))) return []
  const problem = isCheap
    ? 'the lookup of an API key reads the whole table'
    : describeCostly(measured.request, measured.cost)
  return [createError(table, problem, 'make an index on the column of the hash; a unique one is best')]
}
