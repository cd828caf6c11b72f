import type { Finding } from '../audit/finding.js'
import { isAccessDenied } from '../database/errors.js'
import { toQuotedName } from '../database/quote.js'
import type { Database } from '../database/database.js'
import type { ResolvedKeyTable } from '../mapping/key-table.js'
import { pageSize } from '../query/list-query.js'
import { parentsMax } from '../query/references.js'
import type { ResolvedResource } from '../resources/resource.js'
import { evaluateCost } from './evaluate-cost.js'
import { describeExcess, isSmall } from './excess.js'
import type { CollectionCost } from './excess.js'
import { measureCollection, measureKeyLookup, rowsOfPageMax } from './measure-requests.js'
import type { MeasuredRequest, PlanStep } from './measure-requests.js'
import { toTable } from './report.js'
import type { Cell, CheckSection } from './report.js'
import type { RunOnSession } from './session-status.js'
import { parseViewDefinition } from './view-definition.js'
import { readWorkload } from './workload.js'

/** The measurements of all requests. */
export interface MeasuredCost {
  readonly collections: readonly CollectionCost[]
  readonly keys: KeyCost
}

interface KeyCost {
  readonly table: string
  readonly lookup: MeasuredRequest
}

/** Runs each kind of request at the largest workspace, on one session of one host. */
export async function measureCost(
  keys: ResolvedKeyTable,
  resources: readonly ResolvedResource[],
  { runQuery, forEachHost }: Pick<Database, 'runQuery' | 'forEachHost'>,
): Promise<MeasuredCost> {
  const workloads: Awaited<ReturnType<typeof readWorkload>>[] = []
  for (const resource of resources) workloads.push(await readWorkload(resource, runQuery))
  let cost: MeasuredCost | undefined
  await forEachHost(async (run) => {
    if (cost !== undefined) return
    const collections: CollectionCost[] = []
    for (const workload of workloads) {
      const { name, indexes } = workload.resource.table
      const definition = indexes.length === 0 ? await readDefinition(name, run) : undefined
      const requests = await measureCollection(workload, run)
      collections.push({ workload, requests, isView: indexes.length === 0, definition })
    }
    cost = { collections, keys: { table: keys.table, lookup: await measureKeyLookup(keys, run) } }
  })
  if (cost === undefined) throw new Error('No host of the database answered')
  return cost
}

async function readDefinition(view: string, run: RunOnSession): Promise<CollectionCost['definition']> {
  try {
    const [row] = await run({ sql: `show create table ${toQuotedName(view)}`, values: [] })
    const text = row?.['Create View']
    return typeof text === 'string' ? parseViewDefinition(text) : undefined
  } catch (error) {
    if (isAccessDenied(error)) return undefined
    throw error
  }
}

/** What each kind of request costs the database, and the indexes that are missing. */
export function checkCost({ collections, keys }: MeasuredCost): CheckSection {
  const measured = [
    ...collections.flatMap(({ workload, requests }) =>
      requests.map((request) => toRow(workload.resource.name, request)),
    ),
    toRow('keys', keys.lookup),
  ]
  return {
    id: 'cost',
    title: 'Cost of requests',
    intro: `Each kind of request, run with a page of ${pageSize.default} at the workspace with the most rows, with values that it has. The server counted the rows. A sort that keeps only the page counts only these rows as sorted. More than ${rowsOfPageMax} rows read or sorted is too many; for a workspace by a lookup, that many for each parent row.`,
    tables: [
      toTable(
        'workspaces',
        {
          collection: 'Collection',
          workspaceRows: 'Rows of the largest workspace',
          tableRows: 'Of the table, estimated',
          parents: 'Parent rows of the workspace',
        },
        collections.map(({ workload, requests }) => ({
          collection: workload.resource.name,
          workspaceRows: workload.workspaceRows ?? 'too many to count in time',
          tableRows: workload.tableRows ?? null,
          parents: describeParents(requests[0]?.parents),
        })),
      ),
      toTable(
        'requests',
        {
          collection: 'Collection',
          request: 'Request',
          page: 'Page',
          readRows: 'Rows read',
          sortedRows: 'Rows sorted',
          milliseconds: 'ms',
          index: 'Index',
        },
        measured,
      ),
    ],
    notes: collections.flatMap(listNotes),
    findings: [...collections.flatMap(evaluateCost), ...evaluateKeys(keys)],
  }
}

function toRow(collection: string, request: MeasuredRequest): Readonly<Record<string, Cell>> {
  const { shape, isDeep, measured, steps } = request
  const cost = measured !== undefined && 'cost' in measured ? measured.cost : undefined
  return {
    collection,
    request: request.request,
    page: shape === undefined ? null : isDeep ? 'deep' : 'first',
    readRows: null,
    sortedRows: null,
    milliseconds: null,
    ...(cost === undefined ? {} : { ...cost, milliseconds: Math.round(cost.milliseconds * 10) / 10 }),
    index: steps === null ? 'hidden' : describeIndexes(steps),
  }
}

function describeParents(parents: MeasuredRequest['parents']): Cell {
  return parents === 'many' ? `more than ${parentsMax}` : (parents ?? null)
}

/** Each index once; the derived tables of a statement have none. */
function describeIndexes(steps: readonly PlanStep[]): string {
  const names = steps
    .filter(({ table, access, index }) => !table.startsWith('<') && (access !== 'const' || index !== null))
    .map(({ table, index }) => index ?? `none on ${table}`)
  return names.length === 0 ? 'no row' : [...new Set(names)].join(', ')
}

function listNotes({ workload, requests }: CollectionCost): readonly string[] {
  const { name } = workload.resource
  const unmeasured = requests.filter(({ measured }) => measured === undefined).length
  return [
    ...(isSmall(workload)
      ? [
          `The largest workspace of ${name} has ${workload.workspaceRows ?? 0} rows. Fewer than ${rowsOfPageMax} do not show in numbers what a larger database will, so the indexes of the table were compared with the requests.`,
        ]
      : []),
    ...(unmeasured > 0
      ? [`${unmeasured} requests of ${name} were not run, because others had reached the time limit.`]
      : []),
  ]
}

function evaluateKeys({ table, lookup }: KeyCost): readonly Finding[] {
  const readsAll = (lookup.steps ?? []).some(({ access }) => access === 'ALL' || access === 'index')
  const excess = describeExcess(lookup)
  if (!readsAll && excess === undefined) return []
  return [
    {
      severity: 'error',
      object: table,
      privilege: null,
      problem: excess ?? 'the lookup of an API key reads the whole table',
      fix: 'make an index on the column of the hash; a unique one is best',
    },
  ]
}
