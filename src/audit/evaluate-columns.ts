import { toQuotedName, toQuotedPlace } from '../database/sql.js'
import type { Schema } from '../database/schema.js'
import type { ConfigIssue } from '../errors.js'
import { listMappedColumns } from '../mapping/mapped-columns.js'
import { isLookup } from '../collections/section-options.js'
import { nameOf } from '../collections/options.js'
import { collectionNames } from '../collections/collection.js'
import type { MappedColumn } from '../collections/field.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { createError } from '../tools/report/report.js'
import type { Finding } from './finding.js'
import type { Misspelled } from './misspelled.js'
import type { Privileges } from './privileges.js'

/** An error where `updatedAt` is the column of `createdAt`, unless the mapping says that records never change. */
export function evaluateChangeTimes(mapping: Mapping): readonly Finding[] {
  return collectionNames.flatMap((name): readonly Finding[] => {
    const section = mapping[name]
    if (section === undefined) return []
    const { createdAt, updatedAt } = section.fields
    const neverChanges = typeof updatedAt === 'object' && updatedAt.neverChanges === true
    const place = toPlace(section.table, updatedAt)
    if (neverChanges || toPlace(section.table, createdAt).toLowerCase() !== place.toLowerCase()) return []
    const option = typeof updatedAt === 'object' ? updatedAt : { column: updatedAt }
    const names = Object.entries(option).map(
      ([key, value]) => `${key}: ${key === 'epoch' ? value : JSON.stringify(value)}`,
    )
    const options = [...names, 'neverChanges: true'].join(', ')
    const problem = `${place} is createdAt too: a sync would never find that a record has changed`
    const fix = `map the column that every change of a row moves; where rows never change: updatedAt: { ${options} }`
    return [createError(`${name}.fields.updatedAt`, problem, fix)]
  })
}

function toPlace(table: string, option: Parameters<typeof nameOf>[0]): string {
  return `${isLookup(option) ? option.from : table}.${nameOf(option)}`
}

interface SchemaContext {
  readonly schema: Schema
  /** Undefined where no host returned its grants. */
  readonly privileges: Privileges | undefined
  readonly misspelled: readonly Misspelled[]
}

/** The issues between the mapping and the live schema. A table without any readable column is one finding. */
export function toSchemaFindings(
  issues: readonly ConfigIssue[],
  mapping: Mapping,
  { schema, privileges, misspelled }: SchemaContext,
): readonly Finding[] {
  const mapped = listMappedColumns(mapping)
  const found = issues.map((issue) => ({ issue, missing: findMissing(issue, mapped, schema) }))
  const tables = new Set(
    found.flatMap(({ missing }) =>
      missing === undefined || schema.has(missing.table) ? [] : [missing.table],
    ),
  )
  return [
    ...[...tables].map((table) => suggest(toTableFinding(table, mapped, privileges), { table }, misspelled)),
    ...found
      .filter(({ missing }) => missing === undefined || !tables.has(missing.table))
      .map(({ issue, missing }) => suggest(toColumnFinding(issue, missing, privileges), missing, misspelled)),
  ]
}

/** A finding of a name that is probably misspelled, with the name to write instead. */
function suggest(
  finding: Finding,
  missing: { readonly table: string; readonly column?: string } | undefined,
  misspelled: readonly Misspelled[],
): Finding {
  const meant = misspelled.find(
    ({ table, column }) => missing !== undefined && table === missing.table && column === missing.column,
  )
  if (meant === undefined) return finding
  const { table, column = table, nearest } = meant
  return {
    ...finding,
    fix: `did you mean ${nearest}? Write it for ${column} in the mapping file, or grant ${column}`,
  }
}

/**
 * The column that an issue is about, if it is missing. Columns can share a path, so its text is compared too. The issue
 * of a lookup can be about its table, or about its key without the name of a column.
 */
function findMissing(
  { path, found }: ConfigIssue,
  mapped: readonly MappedColumn[],
  schema: Schema,
): MappedColumn | undefined {
  return mapped.find(({ table, column, path: mappedPath }) => {
    if (schema.get(table)?.columns.has(column.toLowerCase()) === true) return false
    if (path.endsWith('.from')) return found.startsWith(`${table},`) && !schema.has(table)
    return path === mappedPath && (path.endsWith('.key') || found.startsWith(`${table}.${column},`))
  })
}

function toTableFinding(
  table: string,
  mapped: readonly MappedColumn[],
  privileges: Privileges | undefined,
): Finding {
  const names = mapped.flatMap((one) => (one.table === table ? [one.column] : []))
  const columns = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
  const problem = `the table does not exist, or the database user can read none of its ${columns.length} mapped columns`
  const fix =
    renderGrant(table, columns, privileges) ?? `grant the columns of ${table}, or correct the mapping`
  return createError(table, problem, fix)
}

function toColumnFinding(
  { path, found, allowed }: ConfigIssue,
  missing: MappedColumn | undefined,
  privileges: Privileges | undefined,
): Finding {
  const problem = `found ${found}; allowed: ${allowed}`
  const fix =
    missing === undefined
      ? 'correct the mapping, or map a column of such a type'
      : (renderGrant(missing.table, [missing.column], privileges) ??
        'correct the mapping, or grant the column')
  return createError(path, problem, fix)
}

function renderGrant(
  table: string,
  columns: readonly string[],
  privileges: Privileges | undefined,
): string | undefined {
  if (privileges === undefined) return undefined
  const names = columns.map(toQuotedName).join(', ')
  const what = columns.length === 1 ? 'column' : 'table'
  return `GRANT SELECT (${names}) ON ${toQuotedPlace(privileges.database, table)} TO ${privileges.account}; or correct the mapping, if there is no such ${what}`
}
