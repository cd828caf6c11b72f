import { isAccessDenied, isTimeLimit } from '../database/errors.js'
import { toDialect } from '../database/dialects.js'
import type { Row, Statement } from '../database/statement.js'
import { renderKeyLookup } from '../keys/key-sql.js'
import type { ResolvedKeyTable } from '../mapping/key-table.js'
import type { IndexedShape } from '../query/choose-index.js'
import { planPage } from '../query/page.js'
import type { PagePlan } from '../query/page.js'
import { chooseAccessPath, renderChoice } from '../query/parents.js'
import { planRecord, renderRecord } from '../query/record.js'
import { findLookedUpWorkspace } from '../resources/resolved-table.js'
import { listProjectedColumns } from '../resources/resolved-table.js'
import type { FoundColumn, ResolvedTable } from '../resources/resolved-table.js'
import { pageSize } from '../query/list-query.js'
import type { ListQuery } from '../query/list-query.js'
import { countRowsMax, rowsOfPageMax } from './excess.js'
import type { BoundedRequest } from './excess.js'
import { measureTask } from './session-status.js'
import type { RunOnSession } from './session-status.js'
import type { Workload } from './workload.js'

/** One kind of request, as the service runs it. */
export interface MeasuredRequest extends BoundedRequest {
  /** The filters of a list. */
  readonly filters: readonly FilterName[]
  /** What a list compares with one value; undefined for a single record or a key. */
  readonly fixed: IndexedShape | undefined
  /** How a page finds its rows; undefined for a single record or a key. */
  readonly path: PagePlan['path'] | undefined
  /** Null where the server denies the plan, as it can for a view. */
  readonly steps: readonly PlanStep[] | null
}

/** One table of a plan. */
export interface PlanStep {
  readonly table: string
  readonly access: string
  readonly index: string | null
  readonly sorts: boolean
}

/** Requests of a collection that may reach the time limit; the others are not sent then. */
const timeLimitsMax = 3

/** Runs every kind of request of a collection: each combination of filters, deep pages, and a single record. */
export async function measureCollection(
  workload: Workload,
  run: RunOnSession,
): Promise<readonly MeasuredRequest[]> {
  const { table } = workload.resource
  const measure = createMeter(run, table.name, await readExplain(run))
  const results: MeasuredRequest[] = []
  for (const isDeep of [false, true]) {
    for (const filters of listCombinations(table)) {
      // The position of a cursor replaces `updatedSince`.
      if (isDeep && filters.includes('updatedSince')) continue
      const request = filters.length === 0 ? 'list' : `list by ${filters.join(', ')}`
      const query = toQuery(filters, isDeep, workload)
      results.push(await measure({ request, isDeep, filters }, () => planRequest(workload, query, run)))
    }
  }
  const choice =
    findLookedUpWorkspace(table) === undefined ? undefined : renderChoice(table, workload.workspace)
  if (choice !== undefined)
    results.push(
      await measure(
        { request: 'parent rows, every 5 minutes', isDeep: false, filters: [] },
        planOne(choice, { rowsMax: Infinity }),
      ),
    )
  const plan = planItem(workload)
  if (plan === undefined) return results
  return [...results, await measure({ request: 'one record', isDeep: false, filters: [] }, plan)]
}

/** Runs a list, and one by time, of a workspace that is not the largest: a page of it can read the rows of others. */
export async function measurePaging(
  workload: Workload,
  size: string,
  run: RunOnSession,
): Promise<readonly MeasuredRequest[]> {
  const measure = createMeter(run, workload.resource.table.name, await readExplain(run))
  const results: MeasuredRequest[] = []
  for (const filters of [[], ['updatedSince']] as const) {
    const request = `${['list', ...filters].join(' by ')} of a ${size} workspace`
    const query = toQuery(filters, false, workload)
    results.push(await measure({ request, isDeep: false, filters }, () => planRequest(workload, query, run)))
  }
  return results
}

/** Looks for an API key that does not exist. */
export async function measureKeyLookup(keys: ResolvedKeyTable, run: RunOnSession): Promise<MeasuredRequest> {
  const hash = keys.hash.kind === 'binary' ? Buffer.alloc(keys.hash.length) : '0'
  const statement = renderKeyLookup(keys, hash)
  const measure = createMeter(run, keys.table, await readExplain(run))
  return measure({ request: 'an API key', isDeep: false, filters: [] }, planOne(statement))
}

interface PlannedRequest extends Pick<MeasuredRequest, 'fixed' | 'rowsMax' | 'path'> {
  readonly statement: Statement
  /** The same without its lookups. */
  readonly bare: Statement | undefined
}

interface OneOptions {
  /** The same without its lookups. */
  readonly bare?: Statement | undefined
  readonly rowsMax?: number
}

/** A statement that is no list; by default for one row, by an index. */
function planOne(
  statement: Statement,
  { bare, rowsMax = rowsOfPageMax }: OneOptions = {},
): () => Promise<PlannedRequest> {
  return () => Promise.resolve({ statement, bare, fixed: undefined, rowsMax, path: undefined })
}

/** The request for one record; undefined where no stored id can be shown as that of the workload. */
function planItem({ resource: { table }, workspace, id }: Workload): ReturnType<typeof planOne> | undefined {
  const item = planRecord(table, workspace, id)
  const bare = withoutLookups(table)
  return item && planOne(renderRecord(item), { bare: bare && renderRecord({ ...item, table: bare }) })
}

/** The table with neither fields nor conditions from other tables; undefined where it has none of these. */
function withoutLookups(table: ResolvedTable): ResolvedTable | undefined {
  const isOwn = ({ lookup }: FoundColumn): boolean => lookup === undefined
  const { where, archived } = table
  const projection = table.projection.filter((one) => listProjectedColumns([one]).every(isOwn))
  if (projection.length === table.projection.length && [...where, ...archived].every(isOwn)) return undefined
  return {
    ...table,
    projection,
    where: where.filter(isOwn),
    archived: archived.filter(isOwn),
  }
}

/** The statement of a list, as the service sends it while it knows the access path. */
async function planRequest(
  { resource: { table }, workspace }: Workload,
  query: ListQuery,
  run: RunOnSession,
): Promise<PlannedRequest> {
  const input = { table, workspaceId: workspace, filters: query.filters, runQuery: run, context: {} }
  const chosen = await chooseAccessPath(input)
  const plan = planPage(table, workspace, query, chosen)
  const bare = withoutLookups(table)
  return {
    ...plan,
    bare: bare && planPage(bare, workspace, query, chosen).statement,
    rowsMax: countRowsMax(plan.path),
  }
}

type Meter = (
  about: Pick<MeasuredRequest, 'request' | 'isDeep' | 'filters'>,
  plan: () => Promise<PlannedRequest>,
) => Promise<MeasuredRequest>

function createMeter(run: RunOnSession, table: string, explain: string): Meter {
  let timeLimits = 0
  return async (about, plan) => {
    const { statement, bare, ...planned } = await plan()
    const steps = await explainSteps(
      run,
      { sql: `${explain} ${statement.sql}`, values: statement.values },
      table,
    )
    const request = { ...about, ...planned, steps }
    if (timeLimits >= timeLimitsMax) return { ...request, measured: undefined, bare: undefined }
    const measured = await measureTask(run, async () => run((await plan()).statement))
    if ('failure' in measured && measured.isTimeLimit) timeLimits += 1
    return { ...request, measured, bare: bare && (await measureTask(run, () => run(bare))) }
  }
}

const filterNames = ['updatedSince', 'eventId', 'status'] as const
type FilterName = (typeof filterNames)[number]

/** Where records have no event, the filter by event reads nothing. */
function listCombinations({ eventId }: ResolvedTable): readonly (readonly FilterName[])[] {
  const names = filterNames.filter((name) => name !== 'eventId' || eventId !== undefined)
  return Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_name, at) => (bits & (1 << at)) !== 0),
  )
}

function toQuery(
  names: readonly FilterName[],
  isDeep: boolean,
  { filters, since, position }: Workload,
): ListQuery {
  const wanted = {
    updatedSince: names.includes('updatedSince') ? since : undefined,
    eventId: names.includes('eventId') ? filters.eventId : undefined,
    status: names.includes('status') ? filters.status : undefined,
  }
  return {
    limit: pageSize.default,
    filters: wanted,
    crawl: isDeep ? { filters: wanted, startedAt: since, position } : undefined,
  }
}

/** MariaDB has no name for its table of steps, and MySQL can be configured to print a tree. */
async function readExplain(run: RunOnSession): Promise<string> {
  const [server] = await run({ sql: 'select version() as version', values: [] })
  return toDialect(server?.['version']) === 'mariadb' ? 'explain' : 'explain format=traditional'
}

/** MariaDB reads the rows of some views while it makes the plan, which can take too long as well. */
async function explainSteps(
  run: RunOnSession,
  statement: Statement,
  table: string,
): Promise<MeasuredRequest['steps']> {
  try {
    return (await run(statement)).map((row) => toStep(row, table))
  } catch (error) {
    if (isAccessDenied(error) || isTimeLimit(error)) return null
    throw error
  }
}

/** A lookup by a unique key that finds no row ends while the server makes the plan, which then names no table. */
function toStep(row: Row, table: string): PlanStep {
  const text = (name: string): string => {
    const cell = row[name]
    return typeof cell === 'string' ? cell : ''
  }
  return {
    table: text('table') || table,
    access: text('type') || 'const',
    index: text('key') || null,
    sorts: /filesort|temporary/i.test(text('Extra')),
  }
}
