import type { Database } from '../../database/database.js'
import { readServer } from '../../database/server.js'
import type { Schema } from '../../database/schema.js'
import type { ResolvedKeyTable } from '../../mapping/resolve-mapping.js'
import { pageSize } from '../../collections/list-query.js'
import { createError, createWarning, sortFindings } from '../../finding.js'
import { createSection, formatCount, toTable } from '../report/report.js'
import type { Finding } from '../../finding.js'
import type { Cell, Section } from '../report/report.js'
import { adviseIndex, adviseLookups, hasIndex } from './advise-index.js'
import type { Advice } from './advise-index.js'
import { measureKey, measureRequests } from './requests.js'
import type { Cost, MeasuredRequest } from './requests.js'
import type { Sample } from './sample.js'
import { listLookups } from '../../collections/lookup.js'
import { entriesMax, listRecordColumns } from '../../collections/resolved-table.js'
import type { ResolvedTable } from '../../collections/resolved-table.js'

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
    if ((await readServer(run)).dialect === 'mysql') await run({ sql: noPushdown, values: [] })
    const all: MeasuredRequest[] = []
    for (const one of samples) all.push(...(await measureRequests(one, run)))
    return keys === undefined ? all : [...all, await measureKey(keys, run)]
  })
  const found = [
    ...measured.flatMap((one) => evaluateRequest(one, schema)),
    ...samples.flatMap((one) => findMissing(one, schema)),
    ...(keys === undefined ? [] : evaluateKey(keys, schema, measured.at(-1))),
  ]
  // One finding for all requests that the same fix helps.
  const findings = sortFindings(found, ({ object, fix }) => object + fix)
  const heads = {
    collection: 'Collection',
    request: 'Request',
    readRows: 'Rows read',
    sortedRows: 'Rows sorted',
    rowsMax: 'Too many above',
    milliseconds: 'ms',
  }
  const rows = measured.map(describeCost)
  return createSection({
    ...costHead,
    intro: `Each kind of request, run with a page of ${pageSize.default} at the workspace with the most rows, with values that it has. The server counted the rows. Where a lookup finds the workspace, an index is proposed before one has more than ${formatCount(entriesMax)} rows.`,
    tables: [toTable('requests', heads, rows)],
    findings: isProved ? findings : findings.map((one) => ({ ...one, severity: 'warning' })),
  })
}

/** MySQL does not count index entries that the storage engine rejects by a pushed condition: it checks each itself. */
const noPushdown = "set session optimizer_switch = 'index_condition_pushdown=off'"

function describeCost({ collection: of, request, cost }: MeasuredRequest): Readonly<Record<string, Cell>> {
  const { readRows, sortedRows, rowsMax, milliseconds, failure } = cost
  const collection = of?.name ?? 'keys'
  if (failure !== undefined) return { collection, request: `${request} ${failure}` }
  return {
    collection,
    request,
    readRows,
    sortedRows,
    rowsMax,
    milliseconds: Math.round(milliseconds * 10) / 10,
  }
}

/**
 * A small workspace does not show what a larger one will, so that the indexes of lists and records are looked for. Where a lookup
 * finds the workspace, small ones need none for lists.
 */
function findMissing({ collection: { table, name } }: Sample, schema: Schema): readonly Finding[] {
  return [['list', {}] as const, ['one record'] as const].flatMap(([request, filters]) => {
    const { object, fix, isMissing } = adviseIndex(table, schema, filters)
    const create = request === 'list' && table.lookedUp !== undefined ? createWarning : createError
    return isMissing ? [create(object, `no index serves ${request} of ${name}`, fix)] : []
  })
}

/** A costly request; and a list that is not, as long as no workspace is large. */
function evaluateRequest(measured: MeasuredRequest, schema: Schema): readonly Finding[] {
  const { collection, request, filters, cost } = measured
  if (collection === undefined) return []
  const { table } = collection
  const advice = adviseIndex(table, schema, filters)
  if (cost.isCostly) return evaluateCostly(table, measured, advice, schema)
  const isByParents = request === 'list' && table.lookedUp !== undefined && advice.isMissing
  const problem = `${describeCostly(request, cost)}, with lookups: an index is needed before a workspace has more than ${formatCount(entriesMax)} rows`
  return isByParents ? [createWarning(advice.object, problem, advice.fix)] : []
}

/** For want of the index of a list or record, else of those of its lookups. */
function evaluateCostly(
  table: ResolvedTable,
  { request, cost }: MeasuredRequest,
  advice: Advice,
  schema: Schema,
): readonly Finding[] {
  const problem = describeCostly(request, cost)
  const isEnded = cost.failure === undefined
  const lookups = listLookups(listRecordColumns(table))
  if (advice.isMissing || lookups.length === 0) {
    const isOptional = /by (?:eventId|status)$/.test(request) && isEnded
    if (isOptional && !advice.isMissing) return []
    return [(isOptional ? createWarning : createError)(advice.object, problem, advice.fix)]
  }
  const found = adviseLookups(table, schema)
  const create = isEnded ? createWarning : createError
  return (found.length > 0 ? found : [advice]).map(({ object, fix }) => create(object, problem, fix))
}

/** What a request costs too much, in words. */
function describeCostly(request: string, { readRows, sortedRows, failure }: Cost): string {
  if (failure !== undefined) return `${request} ${failure}`
  const verbs = sortedRows > 0 ? 'reads and sorts' : 'reads'
  return `${request} ${verbs} ${formatCount(readRows)} rows for a page of ${pageSize.default}`
}

/** An index on the hash; a view, whose indexes are not known, is as good where its cost is. */
function evaluateKey(
  { table, hash }: ResolvedKeyTable,
  schema: Schema,
  measured: MeasuredRequest | undefined,
): readonly Finding[] {
  const found = schema.get(table)
  const isServed = found?.isView === true ? measured?.cost.isCostly === false : hasIndex(found, [hash])
  const fix = 'make an index on the column of the hash; a unique one is best'
  return isServed ? [] : [createError(table, 'the lookup of an API key reads the whole table', fix)]
}
