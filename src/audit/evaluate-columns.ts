import { toQuotedName, toQuotedPlace } from '../database/quote.js'
import type { Schema } from '../database/schema.js'
import type { ConfigIssue } from '../errors.js'
import { listMappedColumns } from '../mapping/mapped-columns.js'
import type { MappedColumn } from '../resources/resource.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Finding } from './finding.js'
import type { Privileges } from './privileges.js'

/** A warning for each column that can be NULL where the public field cannot: such rows are invalid. */
export function evaluateNullability(mapping: Mapping, schema: Schema): readonly Finding[] {
  return listMappedColumns(mapping).flatMap(({ table, column, path, isRequired }): readonly Finding[] => {
    const found = schema.get(table)?.columns.get(column.toLowerCase())
    if (found?.nullable !== true || isRequired !== true) return []
    return [
      {
        severity: 'warning',
        object: `${table}.${found.name}`,
        privilege: null,
        problem: `can be NULL, and ${path.replace('.fields.', '.')} cannot: such a row cannot be shown`,
        fix: `make the column NOT NULL (it is ${found.type}), if the product always fills it`,
      },
    ]
  })
}

interface SchemaContext {
  readonly schema: Schema
  /** Undefined where no host returned its grants. */
  readonly privileges: Privileges | undefined
}

/** The issues between the mapping and the live schema. A table without any readable column is one finding. */
export function toSchemaFindings(
  issues: readonly ConfigIssue[],
  mapping: Mapping,
  { schema, privileges }: SchemaContext,
): readonly Finding[] {
  const mapped = listMappedColumns(mapping)
  const found = issues.map((issue) => ({ issue, missing: findMissing(issue, mapped, schema) }))
  const tables = new Set(
    found.flatMap(({ missing }) =>
      missing === undefined || schema.has(missing.table) ? [] : [missing.table],
    ),
  )
  return [
    ...[...tables].map((table) => toTableFinding(table, mapped, privileges)),
    ...found
      .filter(({ missing }) => missing === undefined || !tables.has(missing.table))
      .map(({ issue, missing }) => toColumnFinding(issue, missing, privileges)),
  ]
}

/** The column that an issue is about, if it is missing. Columns can share a path, so its text is compared too. */
function findMissing(
  { path, found }: ConfigIssue,
  mapped: readonly MappedColumn[],
  schema: Schema,
): MappedColumn | undefined {
  return mapped.find(
    (one) =>
      one.path === path &&
      found.startsWith(`${one.table}.${one.column},`) &&
      schema.get(one.table)?.columns.has(one.column.toLowerCase()) !== true,
  )
}

function toTableFinding(
  table: string,
  mapped: readonly MappedColumn[],
  privileges: Privileges | undefined,
): Finding {
  const names = mapped.flatMap((one) => (one.table === table ? [one.column] : []))
  const columns = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
  return {
    severity: 'error',
    object: table,
    privilege: null,
    problem: `the table does not exist, or the database user can read none of its ${columns.length} mapped columns`,
    fix: renderGrant(table, columns, privileges) ?? `grant the columns of ${table}, or correct the mapping`,
  }
}

function toColumnFinding(
  { path, found, allowed }: ConfigIssue,
  missing: MappedColumn | undefined,
  privileges: Privileges | undefined,
): Finding {
  return {
    severity: 'error',
    object: path,
    privilege: null,
    problem: `found ${found}; allowed: ${allowed}`,
    fix:
      missing === undefined
        ? 'correct the mapping, or map a column of such a type'
        : (renderGrant(missing.table, [missing.column], privileges) ??
          'correct the mapping, or grant the column'),
  }
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
