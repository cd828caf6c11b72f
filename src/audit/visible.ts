import { isAccessDenied, isMissingObject } from '../database/errors.js'
import type { Row, RunQuery } from '../database/statement.js'

/** A privilege, in capitals, on a column that the account has. The expression is of a generated column, or of a default. */
type VisibleColumn = Readonly<Record<'table' | 'column' | 'privilege' | 'expression', string>>

/** A table, routine or schema that the account can see. */
export interface VisibleObject {
  readonly database: string
  /** `*` for a schema. */
  readonly name: string
  /** `table`, `procedure`, `function` or `schema`; or the privilege that a probe has shown, empty for one of several. */
  readonly type: string
}

/** What the server allows the account to do and see, whatever SHOW GRANTS lists. */
export interface Visible {
  readonly columns: readonly VisibleColumn[]
  readonly objects: readonly VisibleObject[]
  /** Whole schemas, by statements that were not denied. */
  readonly schemas: readonly { readonly schema: string; readonly privilege: string | undefined }[]
  /** Columns whose values the server shows as a histogram. */
  readonly histograms: readonly Readonly<Record<'database' | 'table' | 'column', string>>[]
}

/** Runs a statement of the audit, none of which has values. */
export function ask(runQuery: RunQuery, sql: string): Promise<readonly Row[]> {
  return runQuery({ sql, values: [] })
}

/**
 * Reads what a session can see and do with the role that is set. Grants of another account with the same name, or with none,
 * apply to the session and are in no SHOW GRANTS; their effect is visible here.
 */
export async function readVisible(runQuery: RunQuery, database: string): Promise<Visible> {
  return {
    columns: (await ask(runQuery, columnsSql)).flatMap(toColumns),
    objects: (await ask(runQuery, objectsSql)).map((row) => toTexts(row, ['database', 'name', 'type'])),
    schemas: await readSchemas(runQuery, database),
    histograms: await readHistograms(runQuery),
  }
}

/** Every column of the database on which the session has a privilege, its privileges, and what it is computed from. */
const columnsSql =
  "select table_name as `table`, column_name as `column`, `privileges` as `privileges`, concat_ws(' ', generation_expression, column_default) as `expression` " +
  "from information_schema.columns where table_schema = database() and `privileges` <> '' " +
  'order by table_name, ordinal_position'

/** Schemas of the server whose routines and names every account can see. */
const systemSchemas = "('information_schema', 'performance_schema', 'sys')"

/**
 * Tables, routines and schemas that the session can see, which requires some privilege. Every account sees the tables of
 * performance_schema; of these, only tables with a usable column are listed. The limits are for administrators, which
 * see all objects.
 */
const objectsSql = [
  "(select table_schema as `database`, table_name as `name`, 'table' as `type` from information_schema.tables where table_schema not in ('information_schema', 'performance_schema') limit 1000)",
  "(select distinct table_schema, table_name, 'table' from information_schema.columns where table_schema = 'performance_schema' and `privileges` <> '' limit 1000)",
  `(select routine_schema, routine_name, lower(routine_type) from information_schema.routines where routine_schema not in ${systemSchemas} limit 1000)`,
  `(select schema_name, '*', 'schema' from information_schema.schemata where schema_name not in ${systemSchemas} and schema_name <> database() limit 1000)`,
].join(' union all ')

/**
 * Columns with a histogram: an account that can see the table can read its values, without SELECT on the column. Only
 * MySQL has such a table; MariaDB keeps its histograms in `mysql.column_stats`, which requires SELECT on it.
 */
const histogramsSql =
  'select schema_name as `database`, table_name as `table`, column_name as `column` from information_schema.column_statistics'

/**
 * Statements that read nothing, and that the server denies without a privilege on the whole schema, by default the current
 * one. Where it is not said, the privilege can be one of several. CREATE ROUTINE, ALTER ROUTINE, LOCK TABLES and CREATE
 * TEMPORARY TABLES cannot be tested in this way.
 */
const schemaProbes: readonly (readonly [sql: string, privilege?: string | undefined, schema?: string])[] = [
  ['show create table `vitrine-none`'],
  ['show events', 'EVENT'],
  ['call `vitrine-none`()', 'EXECUTE'],
  ['show create table performance_schema.`vitrine-none`', undefined, 'performance_schema'],
  ['show create table sys.`vitrine-none`', undefined, 'sys'],
  ['show create table mysql.`vitrine-none`', undefined, 'mysql'],
]

/** The server checks privileges before it checks whether the object exists, and these do not exist. */
async function readSchemas(runQuery: RunQuery, database: string): Promise<Visible['schemas']> {
  const held: Visible['schemas'][number][] = []
  for (const [sql, privilege, schema = database] of schemaProbes) {
    try {
      await ask(runQuery, sql)
    } catch (error) {
      if (isAccessDenied(error)) continue
      if (!isMissingObject(error)) throw error
    }
    held.push({ schema, privilege })
  }
  return held
}

async function readHistograms(runQuery: RunQuery): Promise<Visible['histograms']> {
  const rows = await ask(runQuery, histogramsSql).catch((error: unknown) => {
    if (!isMissingObject(error)) throw error
    return []
  })
  return rows.map((row) => toTexts(row, ['database', 'table', 'column']))
}

function toColumns(row: Row): readonly VisibleColumn[] {
  const { privileges, ...column } = toTexts(row, ['table', 'column', 'expression', 'privileges'])
  const all = privileges.toUpperCase().split(',')
  return all.map((privilege) => ({ ...column, privilege }))
}

function toTexts<Name extends string>(row: Row, names: readonly Name[]): Record<Name, string> {
  const texts = names.map((name) => [name, typeof row[name] === 'string' ? row[name] : ''] as const)
  return Object.fromEntries(texts) as Record<Name, string>
}
