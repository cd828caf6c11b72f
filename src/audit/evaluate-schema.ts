import { renderHint } from '../client/text.js'
import { collectionNames } from '../collections/collection.js'
import { isLookup, nameOf } from '../collections/options.js'
import type { Schema } from '../database/schema.js'
import type { ConfigIssue } from '../errors.js'
import { createError } from '../finding.js'
import type { Finding } from '../finding.js'
import { listMappedColumns } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { groupByTable } from './grants-sql.js'

/** An error where `updatedAt` is the column of `createdAt`, unless the mapping says that records never change. */
export function evaluateChangeTimes(mapping: Mapping): readonly Finding[] {
  return collectionNames.flatMap((name): readonly Finding[] => {
    const { createdAt, updatedAt } = mapping[name]?.fields ?? {}
    if (createdAt === undefined || updatedAt === undefined || isLookup(createdAt)) return []
    // With `first`, the time of creation counts until the first change.
    if (typeof updatedAt === 'object' && ('first' in updatedAt || updatedAt.neverChanges === true)) return []
    const column = nameOf(updatedAt)
    if (nameOf(createdAt).toLowerCase() !== column.toLowerCase()) return []
    const problem = `${column} is createdAt too: a sync would never find that a record has changed`
    const fix = `map the column that every change of a row moves; where rows never change: { column: ${JSON.stringify(column)}, neverChanges: true }`
    return [createError(`${name}.fields.updatedAt`, problem, fix)]
  })
}

/**
 * The issues between the mapping and the live schema. A table without any readable column is one finding.
 *
 * @param unreadable why tables cannot be read, although the schema shows their columns.
 */
export function evaluateSchema(
  issues: readonly ConfigIssue[],
  mapping: Mapping,
  schema: Schema,
  unreadable: ReadonlyMap<string, string>,
): readonly Finding[] {
  const gone = issues.flatMap(({ missing }) =>
    missing === undefined || schema.has(missing.table) ? [] : [missing.table],
  )
  return [
    ...[...new Set(gone)].map((table) => toTableFinding(table, mapping, unreadable.get(table))),
    ...issues
      .filter(({ missing }) => missing === undefined || !gone.includes(missing.table))
      .map((issue) => toColumnFinding(issue, schema)),
    ...(issues.length > 0 ? [] : [...unreadable].map(toUnreadableFinding)),
  ]
}

/** The columns of a view are visible even where it cannot be read. */
function toUnreadableFinding([table, reason]: readonly [string, string]): Finding {
  const fix =
    'grant what vitrine grants prints; a view must have SQL SECURITY DEFINER, and its DEFINER must exist and be able to read its tables'
  return createError(table, `cannot be read: ${reason}`, fix)
}

function toTableFinding(table: string, mapping: Mapping, reason: string | undefined): Finding {
  // MariaDB shows no column of such a view.
  if (reason !== undefined && /definer/i.test(reason)) return toUnreadableFinding([table, reason])
  if (table.includes('.')) return createError(table, ...describeForeignTable(table))
  const columns = groupByTable(listMappedColumns(mapping)).get(table)?.size ?? 0
  const problem = `the table does not exist, or the database user can read none of its ${columns} mapped columns`
  const isOfKeys = table === mapping.apiKeys.table
  const fix = isOfKeys ? 'create it with what vitrine key --table prints; or ' : ''
  return createError(table, problem, `${fix}${correctOrGrant('table')}`)
}

/** What is wrong with a table of another database, and what to do. */
export function describeForeignTable(table: string): [problem: string, fix: string] {
  return [
    'no table of this database: Vitrine reads one database, the one of DATABASE_URL',
    `make a view in it that shows the rows of the collection beside those of ${table}, with SQL SECURITY DEFINER, and map the view as the table of the collection`,
  ]
}

function toColumnFinding({ path, found, allowed, missing }: ConfigIssue, schema: Schema): Finding {
  const names = [...(schema.get(missing?.table ?? '')?.columns.values() ?? [])].map(({ name }) => name)
  const hint = missing === undefined ? '' : renderHint(missing.column, names)
  const correct = 'correct the mapping, or map a column of such a type'
  const fix = missing === undefined ? correct : correctOrGrant('column')
  return createError(path, `found ${found}; allowed: ${allowed}${hint}`, fix)
}

/** A name that is not seen can be wrong or not granted. A GRANT for a wrong one fails, so the name comes first. */
function correctOrGrant(what: string): string {
  return `correct the mapping if there is no such ${what}, otherwise run what vitrine grants --compare prints`
}
