import type { Database } from '../../database/database.js'
import { readServerKind } from '../../database/server-kind.js'
import type { Schema } from '../../database/schema.js'
import type { ResolvedKeyTable } from '../../mapping/key-table.js'
import { pageSize } from '../../collections/list-query.js'
import type { BoundCollection } from '../../collections/collection.js'
import { evaluateCost } from './evaluate-cost.js'
import type { CollectionCost } from './evaluate-cost.js'
import { listRequests, measureRequests, planKey } from './measure-requests.js'
import {
  countLookupRows,
  describeExcess,
  formatCount,
  isSmall,
  readsAll,
  rowsOfPageMax,
} from './measured-request.js'
import type { MeasuredRequest, PlanStep } from './measured-request.js'
import { noPushdownStatement } from './session-status.js'
import type { RunOnSession } from './session-status.js'
import { readWorkloads } from './workload.js'
import type { Workloads } from './workload.js'
import { createError, createSection, createWarning, toTable } from '../report/report.js'
import type { Cell, Finding, Section, Table } from '../report/report.js'

/** The section of what follows. */
export const costHead = { id: 'cost', title: 'Cost of requests' } as const

/**
 * What each kind of request costs the database, and the indexes that are missing: each is run at the largest workspace, and
 * lists at a middle and a small one, on one session of one host.
 */
export async function checkCost(
  keys: ResolvedKeyTable,
  collections: readonly BoundCollection[],
  schema: Schema,
  { runQuery, forEachHost }: Pick<Database, 'runQuery' | 'forEachHost'>,
): Promise<Section> {
  const found: Workloads[] = []
  for (const collection of collections) found.push(await readWorkloads(collection, runQuery))
  const measure = async (run: RunOnSession) => {
    const { dialect } = await readServerKind(run)
    if (dialect === 'mysql') await run(noPushdownStatement)
    const session = { run, dialect }
    const costs: CollectionCost[] = []
    for (const one of found) {
      const planned = [one.largest, ...one.others].flatMap(listRequests)
      costs.push({ ...one, schema, requests: await measureRequests(planned, session) })
    }
    return { costs, lookups: await measureRequests([planKey(keys)], session) }
  }
  let measured: Awaited<ReturnType<typeof measure>> | undefined
  await forEachHost(async (run) => {
    measured ??= await measure(run)
  })
  if (measured === undefined) throw new Error('No host of the database answered')
  const { costs, lookups } = measured
  return createSection({
    ...costHead,
    intro: `Each kind of request, run with a page of ${pageSize.default} at the workspace with the most rows, with values that it has; lists at a middle and a small workspace too. The server counted the rows, with those that a pushed index condition rejects. A sort that keeps only the page counts only these rows as sorted. More than ${rowsOfPageMax} rows read or sorted, beside those for lookups, is too many; for a workspace by a lookup, that many for each parent row, and twice as many where updatedAt is that of a parent row.`,
    tables: [toSizesTable(costs), toRequestsTable(costs, lookups)],
    notes: costs.flatMap(listNotes),
    findings: [
      ...costs.flatMap(evaluateCost),
      ...costs.flatMap(evaluateUnowned),
      ...lookups.flatMap((lookup) => evaluateKeys(keys.table, lookup)),
    ],
  })
}

function toSizesTable(costs: readonly CollectionCost[]): Table {
  return toTable(
    'workspaces',
    {
      collection: 'Collection',
      workspaceRows: 'Rows of the largest workspace',
      otherRows: 'Of a middle and a small one',
      tableRows: 'Of the table, estimated',
      parents: 'How its parent rows are read',
    },
    costs.map(({ largest, others, requests }) => ({
      collection: largest.collection.name,
      workspaceRows: largest.workspaceRows ?? 'too many to count in time',
      otherRows: others.map(({ workspaceRows }) => workspaceRows).join(', ') || null,
      tableRows: largest.tableRows ?? null,
      parents: describeParents(requests[0]?.path),
    })),
  )
}

function toRequestsTable(costs: readonly CollectionCost[], lookups: readonly MeasuredRequest[]): Table {
  return toTable(
    'requests',
    {
      collection: 'Collection',
      request: 'Request',
      page: 'Page',
      readRows: 'Rows read',
      lookupRows: 'For lookups',
      sortedRows: 'Rows sorted',
      milliseconds: 'ms',
      index: 'Index',
    },
    [
      ...costs.flatMap(({ largest, requests }) =>
        requests.map((request) => toRow(largest.collection.name, request)),
      ),
      ...lookups.map((lookup) => toRow('keys', lookup)),
    ],
  )
}

function toRow(collection: string, request: MeasuredRequest): Readonly<Record<string, Cell>> {
  const { fixed, isDeep, measured, steps } = request
  const cost = measured !== undefined && 'cost' in measured ? measured.cost : undefined
  return {
    collection,
    request: request.request,
    page: fixed === undefined ? null : isDeep ? 'deep' : 'first',
    readRows: null,
    lookupRows: countLookupRows(request) ?? null,
    sortedRows: null,
    milliseconds: null,
    ...(cost === undefined ? {} : { ...cost, milliseconds: Math.round(cost.milliseconds * 10) / 10 }),
    index: steps === null ? 'hidden' : describeIndexes(steps),
  }
}

function describeParents(path: MeasuredRequest['path']): Cell {
  if (typeof path !== 'number') return null
  return path === 0 ? 'all by all their rows' : `${path} by a page of each, others by all their rows`
}

/** Each index once; the derived tables of a statement have none. */
function describeIndexes(steps: readonly PlanStep[]): string {
  const names = steps
    .filter(({ table, access, index }) => !table.startsWith('<') && (access !== 'const' || index !== null))
    .map(({ table, index }) => index ?? `none on ${table}`)
  return names.length === 0 ? 'no row' : [...new Set(names)].join(', ')
}

function listNotes({ largest, requests }: CollectionCost): readonly string[] {
  const { name } = largest.collection
  const unmeasured = requests.filter(({ measured }) => measured === undefined).length
  return [
    ...(isSmall(largest.workspaceRows)
      ? [
          `The largest workspace of ${name} has ${largest.workspaceRows ?? 0} rows. Fewer than ${rowsOfPageMax} do not show in numbers what a larger database will, so the indexes of the table were compared with the requests.`,
        ]
      : []),
    ...(unmeasured > 0
      ? [`${unmeasured} requests of ${name} were not run, because others had reached the time limit.`]
      : []),
  ]
}

/** Rows that no key can read. */
function evaluateUnowned({ largest, unowned }: CollectionCost): readonly Finding[] {
  const { table } = largest.collection
  if (unowned === 0 || 'constant' in table.workspace) return []
  const { column, lookup } = table.workspace
  const what =
    lookup === undefined
      ? `have NULL in ${column.name}`
      : `have no workspace: their row of ${lookup.table} is missing, or ${column.name} is NULL there`
  const problem = `${formatCount(unowned)} rows ${what}, so no key can read them`
  const fix =
    'leave them out with where, if they are no records; otherwise ask the product team what they are'
  return [createWarning(table.name, problem, fix)]
}

function evaluateKeys(table: string, lookup: MeasuredRequest): readonly Finding[] {
  const excess = describeExcess(lookup)
  if (excess === undefined && lookup.steps?.some(readsAll) !== true) return []
  const problem = excess ?? 'the lookup of an API key reads the whole table'
  const fix = 'make an index on the column of the hash; a unique one is best'
  return [createError(table, problem, fix)]
}
