import { toQuotedName, toQuotedPlace } from '../database/sql.js'
import type { Schema } from '../database/schema.js'
import type { ConfigIssue } from '../errors.js'
import { listMappedColumns } from '../mapping/mapped-columns.js'
import { isLookup } from '../collections/section-options.js'
import { nameOf } from '../collections/options.js'
import { collectionNames } from '../collections/collection.js'
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

interface Advisers {
  /** Undefined where no host returned its grants. */
  readonly privileges: Privileges | undefined
  readonly misspelled: readonly Misspelled[]
}

/** The issues between the mapping and the live schema. A table without any readable column is one finding. */
export function toSchemaFindings(
  issues: readonly ConfigIssue[],
  mapping: Mapping,
  { schema, ...advisers }: Advisers & { readonly schema: Schema },
): readonly Finding[] {
  const tables = new Set(
    issues.flatMap(({ missing }) =>
      missing === undefined || schema.has(missing.table) ? [] : [missing.table],
    ),
  )
  return [
    ...[...tables].map((table) => toTableFinding(table, mapping, advisers)),
    ...issues
      .filter(({ missing }) => missing === undefined || !tables.has(missing.table))
      .map((issue) => toColumnFinding(issue, advisers)),
  ]
}

function toTableFinding(table: string, mapping: Mapping, advisers: Advisers): Finding {
  const names = listMappedColumns(mapping).flatMap((one) => (one.table === table ? [one.column] : []))
  const columns = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
  const problem = `the table does not exist, or the database user can read none of its ${columns.length} mapped columns`
  const fix =
    suggestName(advisers, table) ??
    renderGrant(table, columns, advisers) ??
    `grant the columns of ${table}, or correct the mapping`
  return createError(table, problem, fix)
}

function toColumnFinding({ path, found, allowed, missing }: ConfigIssue, advisers: Advisers): Finding {
  const problem = `found ${found}; allowed: ${allowed}`
  if (missing === undefined)
    return createError(path, problem, 'correct the mapping, or map a column of such a type')
  const { table, column } = missing
  const fix =
    suggestName(advisers, table, column) ??
    renderGrant(table, [column], advisers) ??
    'correct the mapping, or grant the column'
  return createError(path, problem, fix)
}

/** The name to write instead of one that is probably misspelled. */
function suggestName({ misspelled }: Advisers, table: string, column?: string): string | undefined {
  const meant = misspelled.find((one) => table === one.table && column === one.column)
  const name = column ?? table
  return meant && `did you mean ${meant.nearest}? Write it for ${name} in the mapping file, or grant ${name}`
}

function renderGrant(
  table: string,
  columns: readonly string[],
  { privileges }: Advisers,
): string | undefined {
  if (privileges === undefined) return undefined
  const names = columns.map(toQuotedName).join(', ')
  const what = columns.length === 1 ? 'column' : 'table'
  return `GRANT SELECT (${names}) ON ${toQuotedPlace(privileges.database, table)} TO ${privileges.account}; or correct the mapping, if there is no such ${what}`
}
