import type { ResolvedResource } from '../resources/resource.js'
import { isAccessDenied } from '../database/errors.js'
import { toDialect } from '../database/dialects.js'
import type { Row, RunQuery, Statement } from '../database/statement.js'
import { bindTemplate } from '../database/fragments-sql.js'
import { compileKeyLookup } from '../keys/key-sql.js'
import type { ResolvedKeyTable } from '../mapping/key-table.js'
import type { IdentifierColumn } from '../resources/resolved-table.js'
import type { ListQuery } from '../query/list-query.js'
import { planItem, renderItem } from '../query/item-sql.js'
import { planList } from '../query/list-plan.js'
import type { ListShape } from '../query/list-plan.js'
import { renderList } from '../query/list-sql.js'
import { readIdentifier } from '../values/identifier.js'
import { parseDatabaseTime } from '../values/instant.js'
import type { Sample } from './check-sample.js'

/** The query plan of one statement of the API. */
export interface QueryPlan {
  readonly collection: ResolvedResource | undefined
  /** Such as `list by updatedSince, eventId`. */
  readonly request: string
  readonly cursor: boolean
  /** Undefined for a single record or a key. */
  readonly shape: ListShape | undefined
  /** Null where the server denies the plan, as it can for a view. */
  readonly steps: readonly PlanStep[] | null
}

/** One table of a plan. */
export interface PlanStep {
  readonly table: string
  readonly access: string
  readonly index: string | null
  readonly rows: number
  readonly sorts: boolean
}

/** The plans of all statements, with values of the sampled rows. */
export async function explainPlans(
  keys: ResolvedKeyTable,
  samples: readonly Sample[],
  runQuery: RunQuery,
): Promise<readonly QueryPlan[]> {
  const [server] = await runQuery({ sql: 'select version() as version', values: [] })
  // MariaDB has no name for its table of steps, and MySQL can be configured to print a tree.
  const isMariaDb = toDialect(server?.['version']) === 'mariadb'
  const explainer: Explainer = { runQuery, keyword: isMariaDb ? 'explain' : 'explain format=traditional' }
  const plans: QueryPlan[] = []
  for (const sample of samples)
    plans.push(...(await explainLists(sample, explainer)), await explainItem(sample, explainer))
  return [...plans, await explainKeyLookup(keys, explainer)]
}

interface Explainer {
  readonly runQuery: RunQuery
  readonly keyword: 'explain' | 'explain format=traditional'
}

/** Each combination of filters, on a first page and after a cursor. */
async function explainLists(
  { collection, rows }: Sample,
  explainer: Explainer,
): Promise<readonly QueryPlan[]> {
  const example = toExample(collection, rows)
  const plans: QueryPlan[] = []
  for (const cursor of [false, true]) {
    for (const filters of listCombinations()) {
      const plan = planList(collection.table, example.workspace, toQuery(filters, cursor, example))
      plans.push({
        collection,
        request: filters.length === 0 ? 'list' : `list by ${filters.join(', ')}`,
        cursor,
        shape: plan.shape,
        steps: await explain(renderList(plan), collection.table.name, explainer),
      })
    }
  }
  return plans
}

async function explainItem({ collection, rows }: Sample, explainer: Explainer): Promise<QueryPlan> {
  const example = toExample(collection, rows)
  const plan = planItem(collection.table, example.workspace, example.id)
  const steps = plan === undefined ? null : await explain(renderItem(plan), collection.table.name, explainer)
  return { collection, request: 'one record', cursor: false, shape: undefined, steps }
}

async function explainKeyLookup(keys: ResolvedKeyTable, explainer: Explainer): Promise<QueryPlan> {
  const hash = keys.hash.kind === 'binary' ? Buffer.alloc(keys.hash.length) : '0'
  const lookup = bindTemplate(compileKeyLookup(keys), new Map([['hash', hash]]))
  const steps = await explain(lookup, keys.table, explainer)
  return { collection: undefined, request: 'an API key', cursor: false, shape: undefined, steps }
}

const filterNames = ['updatedSince', 'eventId', 'status'] as const
type FilterName = (typeof filterNames)[number]

function listCombinations(): readonly (readonly FilterName[])[] {
  return Array.from({ length: 8 }, (_, bits) => filterNames.filter((_name, at) => (bits & (1 << at)) !== 0))
}

/** Values of a real row, so that the estimates of the server are realistic. */
interface Example {
  readonly workspace: string
  readonly id: string
  readonly event: string
  readonly status: string
  readonly updatedAt: string
  readonly offsetMinutes: number
}

function toExample({ table, statuses }: ResolvedResource, rows: readonly Row[]): Example {
  const row = rows[Math.floor(rows.length / 2)]
  const read = (name: string, column: IdentifierColumn): string => {
    try {
      return readIdentifier(row?.[name], column.identifier)
    } catch {
      return examples[column.identifier]
    }
  }
  const updatedAt = row?.['updatedAt']
  return {
    workspace: 'constant' in table.workspace ? table.workspace.constant : read('workspace', table.workspace),
    id: read('id', table.id),
    event: readEvent(table, read),
    status:
      statuses?.[0] ?? ('cases' in table.status ? table.status.otherwise : read('status', table.status)),
    updatedAt: typeof updatedAt === 'string' ? updatedAt : '2020-01-01 00:00:00',
    offsetMinutes: table.updatedAt.offsetMinutes,
  }
}

function readEvent(
  { eventId }: ResolvedResource['table'],
  read: (name: string, column: IdentifierColumn) => string,
): string {
  if (eventId === undefined) return examples.text
  return 'event' in eventId ? examples[eventId.event.identifier] : read('event', eventId)
}

const examples: Readonly<Record<IdentifierColumn['identifier'], string>> = {
  text: 'x',
  ascii: 'x',
  signed: '1',
  unsigned: '1',
  uuid: '00000000-0000-0000-0000-000000000000',
  'uuid-swapped': '00000000-0000-0000-0000-000000000000',
}

function toQuery(filters: readonly FilterName[], cursor: boolean, example: Example): ListQuery {
  const instant = parseDatabaseTime(example.updatedAt, example.offsetMinutes) ?? { seconds: 0, micros: 0 }
  const wanted = {
    updatedSince: filters.includes('updatedSince') ? instant : undefined,
    eventId: filters.includes('eventId') ? example.event : undefined,
    status: filters.includes('status') ? example.status : undefined,
  }
  return {
    limit: 100,
    filters: wanted,
    crawl: cursor
      ? { filters: wanted, startedAt: instant, position: { updatedAt: example.updatedAt, id: example.id } }
      : undefined,
  }
}

async function explain(
  statement: Statement,
  table: string,
  { runQuery, keyword }: Explainer,
): Promise<QueryPlan['steps']> {
  try {
    const rows = await runQuery({ sql: `${keyword} ${statement.sql}`, values: statement.values })
    return rows.map((row) => toStep(row, table))
  } catch (error) {
    if (isAccessDenied(error)) return null
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
    rows: Number(row['rows'] ?? 0),
    sorts: /filesort|temporary/i.test(text('Extra')),
  }
}
