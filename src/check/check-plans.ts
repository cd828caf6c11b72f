import type { Finding } from '../audit/finding.js'
import type { ResolvedResource } from '../resources/collection.js'
import { chooseIndex } from '../query/choose-index.js'
import type { ResolvedTable } from '../mapping/source.js'
import type { ListShape } from '../query/list-plan.js'
import { renderIndex, renderLinkIndex } from './advise-index.js'
import type { PlanFacts } from './explain-plans.js'
import { toTable } from './report.js'
import type { CheckSection } from './report.js'

/** How the server answers each request that there can be, and the index that one of them lacks. */
export function checkPlans(plans: readonly PlanFacts[]): CheckSection {
  return {
    id: 'plans',
    title: 'Query plans',
    intro:
      'Every combination of filters, on a first page and behind a cursor, as the server itself would run it. A page that sorts reads a whole workspace first.',
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
    findings: unique([
      ...plans.flatMap(judgeSteps),
      ...plans.flatMap(judgeFilters),
      ...plans.flatMap(judgeUnseen),
    ]),
  }
}

/** The server shows no plan of a view to who may not read the tables behind it, and that is no proof of a good one. */
function judgeUnseen({ collection, shape, steps }: PlanFacts): readonly Finding[] {
  if (steps !== null || collection === undefined || shape === undefined) return []
  return [
    {
      severity: 'warning',
      object: collection.table.name,
      privilege: null,
      problem: `the plans of ${collection.name} cannot be seen by this user`,
      fix: adviseFor(collection, { ...shape, event: false, statuses: 0 }, collection.table.name),
    },
  ]
}

/** A step that reads a whole table, or sorts, costs more with every row that is added. */
function judgeSteps({ collection, request, shape, steps }: PlanFacts): readonly Finding[] {
  return (steps ?? [])
    .filter(({ access, sorts }) => sorts || access === 'ALL' || access === 'index')
    .map(({ table, sorts }) => ({
      severity: 'error',
      object: table,
      privilege: null,
      problem: `${request} ${sorts ? 'reads all that match and sorts them' : 'reads the whole table'} for every page`,
      fix: adviseFor(collection, shape, table),
    }))
}

function adviseFor(
  collection: ResolvedResource | undefined,
  shape: PlanFacts['shape'],
  table: string,
): string {
  if (collection === undefined) return 'make an index on the column of the hash; a unique one is best'
  const { table: source } = collection
  if (shape === undefined) return `make an index on ${source.name} that begins with ${source.id.column.name}`
  // The statements call the link table so; any other strange name is of a table behind a view.
  if (table === 'link') return renderLinkIndex(source)
  return source.indexes.length === 0
    ? `make this index on the table behind it, with that table's names: ${renderIndex(source, shape)}`
    : renderIndex(source, shape)
}

/**
 * A single filter that no index serves: the page is still read in order, but rows that do not match are read and
 * dropped, so a rare value costs a long way.
 */
function judgeFilters({ collection, cursor, shape, request }: PlanFacts): readonly Finding[] {
  if (collection === undefined || shape === undefined || cursor || shape.since) return []
  const { table: source } = collection
  const index = chooseIndex(source, shape)
  if (index === undefined || !hasSingleFilter(shape, source)) return []
  if (index.name !== chooseIndex(source, { ...shape, event: false, statuses: 0 })?.name) return []
  return [
    {
      severity: 'warning',
      object: source.name,
      privilege: null,
      problem: `${request} goes through ${index.name} and drops what does not match: a rare value costs a long way`,
      fix: renderIndex(source, shape),
    },
  ]
}

/** One column that an index could hold to one value; events behind a link are looked up row by row. */
function hasSingleFilter({ event, statuses }: ListShape, { eventId }: ResolvedTable): boolean {
  return event ? statuses === 0 && 'column' in eventId : statuses === 1
}

/** The same index fixes many combinations, and is named once, by the first of them. */
function unique(findings: readonly Finding[]): readonly Finding[] {
  const byMend = new Map<string, Finding>()
  for (const finding of findings) {
    const key = JSON.stringify([finding.object, finding.fix])
    if (!byMend.has(key)) byMend.set(key, finding)
  }
  return [...byMend.values()]
}
