import type { ResolvedResource } from '../resources/collection.js'
import { isAccessDenied } from '../database/driver-errors.js'
import { toDialect } from '../database/session-sql.js'
import type { Row, RunQuery, Statement } from '../database/statement.js'
import { bindTemplate } from '../database/template.js'
import { compileKeyLookup } from '../keys/key-sql.js'
import type { ResolvedMapping } from '../mapping/bound.js'
import type { IdentifierColumn } from '../mapping/source.js'
import type { ListQuery } from '../query/conditions.js'
import { planItem, renderItem } from '../query/item-sql.js'
import { planList } from '../query/list-plan.js'
import type { ListShape } from '../query/list-plan.js'
import { renderList } from '../query/list-sql.js'
import { readIdentifier } from '../values/identifier.js'
import { parseDatabaseTime } from '../values/instant.js'
import type { Sample } from './sample-rows.js'

/** How the server would run one statement of the API. */
export interface PlanFacts {
  readonly collection: ResolvedResource | undefined
  /** What is asked, such as `list by updatedSince, eventId`. */
  readonly request: string
  readonly cursor: boolean
  /** Undefined for a single record or a key. */
  readonly shape: ListShape | undefined
  /** Null where the server would not tell, as it may with a view. */
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

/** A session to explain on, and how its server is asked for a table of steps. */
export interface Explainer {
  readonly ask: RunQuery
  readonly form: 'explain' | 'explain format=traditional'
}

/** MariaDB has no name for its table of steps, and MySQL may be set to draw a tree. */
export async function createExplainer(ask: RunQuery): Promise<Explainer> {
  const [server] = await ask({ sql: 'select version() as version', values: [] })
  const isMariaDb = toDialect(server?.['version']) === 'mariadb'
  return { ask, form: isMariaDb ? 'explain' : 'explain format=traditional' }
}

/** The plan of every list there can be: each combination of filters, on a first page and behind a cursor. */
export async function explainLists(
  { collection, rows }: Sample,
  explainer: Explainer,
): Promise<readonly PlanFacts[]> {
  const example = toExample(collection, rows)
  const facts: PlanFacts[] = []
  for (const cursor of [false, true]) {
    for (const filters of listCombinations()) {
      const plan = planList(collection.table, example.workspace, toQuery(filters, cursor, example))
      facts.push({
        collection,
        request: filters.length === 0 ? 'list' : `list by ${filters.join(', ')}`,
        cursor,
        shape: plan.shape,
        steps: await explain(renderList(plan), collection.table.name, explainer),
      })
    }
  }
  return facts
}

/** The plan of a single record. */
export async function explainItem({ collection, rows }: Sample, explainer: Explainer): Promise<PlanFacts> {
  const example = toExample(collection, rows)
  const plan = planItem(collection.table, example.workspace, example.id)
  const steps = plan === undefined ? null : await explain(renderItem(plan), collection.table.name, explainer)
  return { collection, request: 'one record', cursor: false, shape: undefined, steps }
}

/** The plan of the lookup that every uncached key costs. */
export async function explainKeyLookup(
  keys: ResolvedMapping['apiKeys'],
  explainer: Explainer,
): Promise<PlanFacts> {
  const hash = keys.hash.kind === 'binary' ? Buffer.alloc(keys.hash.length) : '0'
  const lookup = bindTemplate(
    compileKeyLookup(keys),
    new Map<string, string | Buffer>([
      ['hash', hash],
      ['limit', '1'],
    ]),
  )
  const steps = await explain(lookup, keys.table, explainer)
  return { collection: undefined, request: 'an API key', cursor: false, shape: undefined, steps }
}

const filterNames = ['updatedSince', 'eventId', 'status'] as const
type FilterName = (typeof filterNames)[number]

function listCombinations(): readonly (readonly FilterName[])[] {
  return Array.from({ length: 8 }, (_, bits) => filterNames.filter((_name, at) => (bits & (1 << at)) !== 0))
}

/** Values of a real row, so that the server estimates what it will meet. */
interface Example {
  readonly workspace: string
  readonly id: string
  readonly event: string
  readonly status: string
  readonly updatedAt: string
  readonly offsetMinutes: number
}

function toExample({ table: source, statuses }: ResolvedResource, rows: readonly Row[]): Example {
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
    workspace: read('workspace', source.workspace),
    id: read('id', source.id),
    event:
      'event' in source.eventId ? examples[source.eventId.event.identifier] : read('event', source.eventId),
    status: statuses?.[0] ?? read('status', source.status),
    updatedAt: typeof updatedAt === 'string' ? updatedAt : '2020-01-01 00:00:00',
    offsetMinutes: source.updatedAt.offsetMinutes,
  }
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
  { ask, form }: Explainer,
): Promise<PlanFacts['steps']> {
  try {
    const rows = await ask({ sql: `${form} ${statement.sql}`, values: statement.values })
    return rows.map((row) => toStep(row, table))
  } catch (error) {
    if (isAccessDenied(error)) return null
    throw error
  }
}

/** A look-up by a unique key that finds nothing is settled while the plan is made, and then names no table. */
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
