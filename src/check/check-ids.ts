import type { RunQuery } from '../database/statement.js'
import type { ResolvedResource } from '../resources/resource.js'
import { renderRepeatedIds } from './groups-sql.js'
import { createError, toTable } from '../report/report.js'
import type { Finding, Table } from '../report/report.js'
import { createFailure, describeFailure } from './failure.js'

/** How many ids of a collection several of its records have, or why they could not be counted. */
export interface RepeatedIds {
  readonly collection: ResolvedResource
  readonly count: number | string
}

/** Counts the ids behind views, of all workspaces: an index makes every other id unique. */
export async function countRepeatedIds(
  collections: readonly ResolvedResource[],
  runQuery: RunQuery,
): Promise<readonly RepeatedIds[]> {
  const counted: RepeatedIds[] = []
  for (const collection of collections.filter(({ table }) => table.isView))
    counted.push({ collection, count: await countOrFail(collection, runQuery) })
  return counted
}

async function countOrFail({ table }: ResolvedResource, runQuery: RunQuery): Promise<number | string> {
  try {
    const [row] = await runQuery(renderRepeatedIds(table))
    return Number(row?.['keys'])
  } catch (error) {
    return describeFailure(error)
  }
}

/** The numbers; without a row where no collection is a view. */
export function toIdsTable(ids: readonly RepeatedIds[]): Table {
  return toTable(
    'ids',
    { collection: 'Collection', view: 'View', repeated: 'Ids of several records' },
    ids.map(({ collection, count }) => ({
      collection: collection.name,
      view: collection.table.name,
      repeated: typeof count === 'number' ? count : null,
    })),
  )
}

/** An error where an id is not unique: lists show each of its records, and the route of a single record none. */
export function evaluateIds({ collection: { table }, count }: RepeatedIds): readonly Finding[] {
  const object = `${table.name}.${table.id.column.name}`
  if (typeof count === 'string')
    return [createFailure(object, `the ids of several records could not be counted: ${count}`)]
  if (count === 0) return []
  const problem = `${count} of the ids have several records: lists show each of them, and GET by the id none`
  return [createError(object, problem, 'change the view so that it shows each id once, or map another id')]
}
