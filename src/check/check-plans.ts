import type { Finding } from '../audit/finding.js'
import { toQuotedName } from '../database/quote.js'
import type { ResolvedTable } from '../resources/resolved-table.js'
import { chooseIndex, listFixedColumns } from '../query/choose-index.js'
import type { IndexedShape } from '../query/choose-index.js'
import type { ListShape } from '../query/list-plan.js'
import type { ResolvedResource } from '../resources/resource.js'
import type { QueryPlan } from './explain-plans.js'
import { toTable } from './report.js'
import type { CheckSection } from './report.js'

/** The query plan of each possible request, and the indexes that are missing. */
export function checkPlans(plans: readonly QueryPlan[]): CheckSection {
  return {
    id: 'plans',
    title: 'Query plans',
    intro:
      'The plans of the server for every combination of filters, on a first page and after a cursor. A page that sorts reads a whole workspace first.',
    tables: [
      toTable(
        'plans',
        {
          collection: 'Collection',
          request: 'Request',
          cursor: 'Cursor',
          table: 'Table',
          access: 'Access',
          index: 'Index',
          rows: 'Rows, estimated',
          sorts: 'Sorts',
        },
        plans.flatMap(({ collection, request, cursor, steps }) =>
          (steps ?? []).map((step) => ({ collection: collection?.name ?? 'keys', request, cursor, ...step })),
        ),
      ),
    ],
    notes: [],
    findings: uniqueByFix([
      ...plans.flatMap(evaluateSteps),
      ...plans.flatMap(evaluateFilter),
      ...plans.flatMap(evaluateHidden),
    ]),
  }
}

/** The same index fixes many requests, and has one finding, for the first of them. */
function uniqueByFix(findings: readonly Finding[]): readonly Finding[] {
  const byFix = new Map<string, Finding>()
  for (const finding of findings) {
    const key = JSON.stringify([finding.object, finding.fix])
    if (!byFix.has(key)) byFix.set(key, finding)
  }
  return [...byFix.values()]
}

/** A step that reads a whole table or sorts is slower with every row that is added. */
function evaluateSteps({ collection, request, shape, steps }: QueryPlan): readonly Finding[] {
  return (steps ?? [])
    .filter(({ access, sorts }) => sorts || access === 'ALL' || access === 'index')
    .map(({ table, sorts }) => ({
      severity: 'error',
      object: table,
      privilege: null,
      problem: `${request} ${sorts ? 'reads and sorts all rows that match' : 'reads the whole table'} for every page`,
      fix: adviseIndex(collection, shape, table),
    }))
}

/**
 * A single filter without an index of its own: the page is read in order, but rows that do not match are read and left
 * out, so a rare value is slow.
 */
function evaluateFilter({ collection, cursor, shape, request }: QueryPlan): readonly Finding[] {
  if (collection === undefined || shape === undefined || cursor || shape.since) return []
  const { table } = collection
  const index = chooseIndex(table, shape)
  if (index === undefined || !hasSingleFilter(shape, table)) return []
  if (index.name !== chooseIndex(table, { event: false })?.name) return []
  return [
    {
      severity: 'warning',
      object: table.name,
      privilege: null,
      problem: `${request} reads all rows of ${index.name} and leaves out those that do not match: a rare value is slow`,
      fix: renderIndex(table, shape),
    },
  ]
}

/** One column that an index could limit to one value; events in a link table are looked up for each row. */
function hasSingleFilter(shape: ListShape, table: ResolvedTable): boolean {
  const columns = listFixedColumns(table, shape).length - listFixedColumns(table, { event: false }).length
  return columns === 1 && !(shape.event && shape.status !== undefined)
}

/** The server shows the plan of a view only to users that can read the tables behind it. */
function evaluateHidden({ collection, shape, steps }: QueryPlan): readonly Finding[] {
  if (steps !== null || collection === undefined || shape === undefined) return []
  return [
    {
      severity: 'warning',
      object: collection.table.name,
      privilege: null,
      problem: `the plans of ${collection.name} cannot be seen by this user`,
      fix: adviseIndex(collection, { event: false }, collection.table.name),
    },
  ]
}

function adviseIndex(
  collection: ResolvedResource | undefined,
  shape: IndexedShape | undefined,
  stepTable: string,
): string {
  if (collection === undefined) return 'make an index on the column of the hash; a unique one is best'
  const { table } = collection
  if (shape === undefined) return `make an index on ${table.name} that begins with ${table.id.column.name}`
  // The alias of the link table in the statements. Any other name that is not mapped is of a table behind a view.
  if (stepTable === 'link') return renderLinkIndex(table)
  return table.indexes.length === 0
    ? `make this index on the table behind it, with that table's names: ${renderIndex(table, shape)}`
    : renderIndex(table, shape)
}

/** The statement that makes an index in which all rows of such a list are together, in order. */
function renderIndex(table: ResolvedTable, shape: IndexedShape): string {
  const fixed = listFixedColumns(table, shape).filter(
    ({ name }) => !table.archived.some(({ column }) => column.name === name),
  )
  const name = [
    'ix_vitrine',
    ...(shape.event ? ['event'] : []),
    ...(shape.status === undefined ? [] : ['status']),
    'sync',
  ]
  const columns = [...fixed, table.updatedAt.column, table.id.column].map((column) => column.name)
  return renderCreateIndex(table.name, name.join('_'), [...new Set(columns)])
}

/** The index that finds the events of an invoice. */
function renderLinkIndex(table: ResolvedTable): string {
  if (table.eventId === undefined || !('table' in table.eventId)) return renderIndex(table, { event: true })
  const { table: link, invoice, event } = table.eventId
  return renderCreateIndex(link, 'ix_vitrine_link', [invoice.column.name, event.column.name])
}

function renderCreateIndex(table: string, name: string, columns: readonly string[]): string {
  return `CREATE INDEX ${toQuotedName(name)} ON ${toQuotedName(table)} (${columns.map(toQuotedName).join(', ')});`
}
