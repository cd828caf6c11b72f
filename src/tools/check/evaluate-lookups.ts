import { renderCreateIndex } from '../planned-index.js'
import type { Schema } from '../../database/schema.js'
import { pageSize } from '../../collections/list-query.js'
import { listLookups } from '../../collections/lookup.js'
import { createError, createWarning } from '../report/report.js'
import type { Finding } from '../report/report.js'
import type { BoundCollection } from '../../collections/collection.js'
import { listRecordColumns } from '../../collections/resolved-table.js'
import type { Lookup } from '../../collections/resolved-table.js'
import { adviseLookupIndex, hasIndex } from './advise-index.js'
import { countLookupRows, describeExcess, describeFailure, formatCount } from './measured-request.js'
import type { MeasuredRequest } from './measured-request.js'

/** More rows than this for each lookup of a record show that the index of its key leaves out too few. */
const rowsOfLookupMax = 10

/**
 * A lookup with `where` reads all rows of its key, of which it takes one: an index that has the tested columns too leaves
 * out the others. Where the table has that index, the rows are in the table of costs only; a request that does not end is an error.
 */
export function evaluateLookups(
  { name, table }: BoundCollection,
  schema: Schema,
  request: MeasuredRequest,
): readonly Finding[] {
  // Without its lookups it costs too much already, or it has none.
  if (request.bare === undefined || describeExcess(request) !== undefined) return []
  const lookups = listLookups(listRecordColumns(table))
  const failed = describeFailure(request)
  const perRecord = countPerRecord(request)
  if (failed === undefined && perRecord <= rowsOfLookupMax * lookups.length) return []
  const [create, problem] =
    failed === undefined
      ? [
          createWarning,
          `lookups of ${name} read ${formatCount(perRecord)} rows for each record, most of which do not count`,
        ]
      : [createError, `${failed}, and ends without its lookups`]
  const missing = lookups
    .flatMap((lookup) => adviseLookupIndex(lookup) ?? [])
    .filter((index) => !hasIndex(schema.get(index.table), index))
  if (missing.length > 0)
    return missing.map((index) => create(index.table, problem, renderCreateIndex(index)))
  return failed === undefined ? [] : [create(table.name, problem, adviseLess(lookups))]
}

function countPerRecord(request: MeasuredRequest): number {
  const records = request.fixed === undefined ? 1 : pageSize.default + 1
  return Math.round((countLookupRows(request) ?? 0) / records)
}

function adviseLess(lookups: readonly Lookup[]): string {
  const names = [...new Set(lookups.map(({ table }) => table))].join(', ')
  return `no index helps: map less of ${names}, or let DATABASE_QUERY_TIMEOUT_MS allow it`
}
