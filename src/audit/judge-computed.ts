import { toQuotedPlace } from '../database/quote.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Finding } from './finding.js'
import { listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { Privileges } from './privileges.js'
import type { ObjectFacts } from './read-objects.js'
import type { ColumnSources } from './table-definition.js'
import { traceColumn } from './trace-column.js'
import type { Trace } from './trace-column.js'

/** A finding for each mapped column that may be computed from a column which `neverRead` forbids, in any number of steps. */
export function judgeComputed(
  mapping: Mapping,
  privileges: Privileges,
  objects: readonly ObjectFacts[],
): readonly Finding[] {
  if (mapping.neverRead.length === 0) return []
  const toKey = (name: string): string => toTableKey(name, privileges.casedTables)
  const mapped = listMappedColumnsByTable(mapping, privileges.casedTables)
  return [...mapped].flatMap(([key, names]) => {
    const columns = privileges.reach.columns.filter(({ table }) => toKey(table) === key)
    const name = columns[0]?.table ?? key
    const seen = objects.find(
      (object) => object.database === privileges.database && toKey(object.name) === key,
    )?.definition
    const sources = seen?.kind === 'table' ? seen.columns : toSources(columns)
    return columns.flatMap(({ column }) => {
      const trace = names.has(column.toLowerCase())
        ? traceColumn(mapping.neverRead, { name, columns: sources }, column)
        : undefined
      return trace === undefined ? [] : [toFinding(`${name}.${column}`, trace, toShowView(name, privileges))]
    })
  })
}

/** What the server says of the columns that the user may read; the others are not there. */
function toSources(columns: Privileges['reach']['columns']): ColumnSources {
  return new Map(
    columns.map(({ column, expression }) => [
      column.toLowerCase(),
      [...expression.matchAll(/`((?:[^`]|``)*)`/gu)].map(([, name = '']) => name.replaceAll('``', '`')),
    ]),
  )
}

function toShowView(table: string, { database, account }: Privileges): string {
  return `GRANT SHOW VIEW ON ${toQuotedPlace(database, table)} TO ${account};`
}

function toFinding(object: string, { kind, column }: Trace, showView: string): Finding {
  return {
    severity: 'error',
    object,
    privilege: 'SELECT',
    problem:
      kind === 'forbidden'
        ? `computed from ${column}, which neverRead forbids`
        : `computed from ${column}, which cannot be seen: it may be computed from what neverRead forbids`,
    fix: kind === 'forbidden' ? 'map another column, or leave that one out of the expression' : showView,
  }
}
