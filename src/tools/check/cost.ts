import type { Database } from '../../database/database.js'
import { readServerKind } from '../../database/server-kind.js'
import type { Schema } from '../../database/schema.js'
import type { ResolvedKeyTable } from '../../mapping/key-table.js'
import { pageSize } from '../../collections/list-query.js'
import { createError, createWarning } from '../../finding.js'
import { createSection, formatCount, toTable } from '../report/report.js'
import type { Finding } from '../../finding.js'
import type { Cell, Section } from '../report/report.js'
import { adviseIndex, adviseLookups, hasIndex } from './advise-index.js'
import { measureKey, measureRequests, rowsMax } from './requests.js'
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
    for (const one of samples) all.push(await measureRequests(one, run))
    return [...all, keys === undefined ? [] : [await measureKey(keys, run)]]
  })
  const found = [
    ...samples.flatMap((sample, at) =>
      (measured[at] ?? []).flatMap((one) => evaluateRequest(sample, schema, one)),
    ),
    ...(keys === undefined ? [] : evaluateKey(keys, schema, measured.at(-1) ?? [])),
  ]
  // One finding for all requests that the same fix helps.
  const findings = sortFindings(found, ({ object, fix }) => object + fix)
  const heads = {
    collection: 'Collection',
    request: 'Request',
    readRows: 'Rows read',
    sortedRows: 'Rows sorted',
    milliseconds: 'ms',
  }
  const rows = measured.flatMap((requests, at) =>
    requests.map((one) => ({ collection: samples[at]?.collection.name ?? 'keys', ...describeCost(one) })),
  )
  return createSection({
    ...costHead,
    intro: `Each kind of request, run with a page of ${pageSize.default} at the workspace with the most rows, with values that it has. The server counted the rows. More than ${rowsMax.own} rows read or sorted for each table of a record is too many; ${formatCount(rowsMax.byParents)} where a lookup finds the workspace.`,
    tables: [toTable('requests', heads, rows)],
    notes: samples.map(describeSize),
    findings: isProved ? findings : findings.map((one) => ({ ...one, severity: 'warning' })),
  })
}

/** MySQL does not count index entries that the storage engine rejects by a pushed condition: it checks each itself. */
const noPushdown = "set session optimizer_switch = 'index_condition_pushdown=off'"

function describeCost({ request, cost }: MeasuredRequest): Readonly<Record<string, Cell>> {
  const { readRows, sortedRows, milliseconds, failure } = cost
  if (failure !== undefined) return { request: `${request} ${failure}` }
  return { request, readRows, sortedRows, milliseconds: Math.round(milliseconds * 10) / 10 }
}

function describeSize({ collection: { name }, workspaces: [largest] }: Sample): string {
  const size =
    largest?.rows === undefined ? 'more rows than were counted' : `${formatCount(largest.rows)} rows`
  return `The largest workspace of ${name} has ${size}.`
}

/** A costly request: because of its lookups where it is cheap without them, else for want of an index. */
function evaluateRequest(
  { collection: { table, name }, workspaces: [largest] }: Sample,
  schema: Schema,
  { request, shape, cost, bare }: MeasuredRequest,
): readonly Finding[] {
  const { object, fix, isMissing } = adviseIndex(table, schema, shape)
  // A workspace with few rows does not show what a larger one will, so that the index is looked for.
  const isSmall = largest?.rows !== undefined && largest.rows <= rowsMax.own
  if (!cost.isCostly)
    return isSmall && isMissing && ['list', 'one record'].includes(request)
      ? [createError(object, `no index serves ${request} of ${name}`, fix)]
      : []
  const problem = describeCostly(request, cost)
  if (bare?.isCostly === false) {
    const without = `${problem}, and ${formatCount(bare.readRows)} without its lookups`
    const create = cost.failure === undefined ? createWarning : createError
    return adviseLookups(table, schema).map((one) => create(one.object, without, one.fix))
  }
  const isOptional = /by (?:eventId|status)$/.test(request) && cost.failure === undefined
  if (!isOptional) return [createError(object, problem, fix)]
  return isMissing ? [createWarning(object, problem, fix)] : []
}

/** What a request costs too much, in words. */
function describeCostly(request: string, { readRows, sortedRows, failure }: Cost): string {
  if (failure !== undefined) return `${request} ${failure}`
  const verbs = sortedRows > 0 ? 'reads and sorts' : 'reads'
  return `${request} ${verbs} ${formatCount(readRows)} rows for a page of ${pageSize.default}`
}

function evaluateKey(
  { table, hash }: ResolvedKeyTable,
  schema: Schema,
  [measured]: readonly MeasuredRequest[],
): readonly Finding[] {
  const found = schema.get(table)
  if (measured === undefined) return []
  const { request, cost } = measured
  if (!cost.isCostly && (found?.isView === true || hasIndex(found, [hash]))) return []
  const problem = cost.isCostly
    ? describeCostly(request, cost)
    : 'the lookup of an API key reads the whole table'
  return [createError(table, problem, 'make an index on the column of the hash; a unique one is best')]
}
