import { toQuotedName, toQuotedPlace } from '../database/quote.js'
import type { Schema } from '../database/read-schema.js'
import type { ConfigIssue } from '../errors.js'
import { listMappedColumns } from '../mapping/mapped-columns.js'
import type { MappedColumn } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Finding } from './finding.js'
import type { Privileges } from './privileges.js'

/** Public fields that may be null, so that an empty cell is no fault of the row. */
const nullableFields = ['registrations.fields.checkedInAt', 'invoices.fields.dueDate']

/** A warning for each column that may be empty where the public field never is: such rows cannot be shown. */
export function judgeNullability(mapping: Mapping, schema: Schema): readonly Finding[] {
  return listMappedColumns(mapping).flatMap(({ table, column, path }): readonly Finding[] => {
    const found = schema.get(table)?.columns.get(column.toLowerCase())
    const isField = path.includes('.fields.') && !nullableFields.includes(path)
    if (found?.nullable !== true || !isField) return []
    return [
      {
        severity: 'warning',
        object: `${table}.${found.name}`,
        privilege: null,
        problem: `may be NULL, and ${path.replace('.fields.', '.')} may not: such a row cannot be shown`,
        fix: `make the column NOT NULL (it is ${found.type}), if the product always fills it`,
      },
    ]
  })
}

interface SchemaContext {
  readonly schema: Schema
  /** Undefined where no host answered with its grants. */
  readonly privileges: Privileges | undefined
}

/** Issues between the mapping and the live schema. A table without any readable column is one finding. */
export function toSchemaFindings(
  faults: readonly ConfigIssue[],
  mapping: Mapping,
  context: SchemaContext,
): readonly Finding[] {
  const mapped = listMappedColumns(mapping)
  const found = faults.map((fault) => ({ fault, missing: findMissing(fault, mapped, context.schema) }))
  const isWhole = (missing: MappedColumn | undefined): missing is MappedColumn =>
    missing !== undefined && !context.schema.has(missing.table)
  const tables = new Set(found.flatMap(({ missing }) => (isWhole(missing) ? [missing.table] : [])))
  return [
    ...[...tables].map((table) => toTableFinding(table, mapped, context)),
    ...found
      .filter(({ missing }) => !isWhole(missing))
      .map(({ fault, missing }) => toColumnFinding(fault, missing, context)),
  ]
}

/** The column that a fault does not find. Several columns may share a path, so its text is compared too. */
function findMissing(
  { path, found }: ConfigIssue,
  mapped: readonly MappedColumn[],
  schema: Schema,
): MappedColumn | undefined {
  return mapped.find(
    ({ table, column, path: own }) =>
      own === path &&
      found.startsWith(`${table}.${column},`) &&
      schema.get(table)?.columns.has(column.toLowerCase()) !== true,
  )
}

function toTableFinding(
  table: string,
  mapped: readonly MappedColumn[],
  { privileges }: SchemaContext,
): Finding {
  const columns = new Map(
    mapped.flatMap((one) => (one.table === table ? [[one.column.toLowerCase(), one.column]] : [])),
  )
  return {
    severity: 'error',
    object: table,
    privilege: null,
    problem: `the table does not exist, or the database user can read none of its ${columns.size} mapped columns`,
    fix:
      renderGrant(table, [...columns.values()], privileges) ??
      `grant the columns of ${table}, or correct the mapping`,
  }
}

function toColumnFinding(
  { path, found, allowed }: ConfigIssue,
  missing: MappedColumn | undefined,
  { privileges }: SchemaContext,
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
