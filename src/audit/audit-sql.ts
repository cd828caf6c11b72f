import { quoteText, toQuotedName, toQuotedPlace } from '../database/sql.js'
import type { Statement } from '../database/statement.js'
import { listMappedColumns } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'

/** The account of the session as the server matched it, and the server. */
export const accountStatement = toStatement(
  'select current_user() as account, database() as `database`, version() as version, @@lower_case_table_names as lowerCase',
)

/** What the account holds with its active roles. */
export const grantsStatement = toStatement('show grants')

/** Deactivates every role. */
export const noRoleStatement = toStatement('set role none')

/** MySQL: activates every role that the account can take. */
export const allRolesStatement = toStatement('set role all')

/** MariaDB: activates one role, and those that it holds; SHOW GRANTS then lists their grants too. */
export function renderSetRole(role: string): Statement {
  return toStatement(`set role ${role}`)
}

/** MySQL: what the account holds with a role and those that the role holds. */
export function renderGrantsWithRole(role: string): Statement {
  return toStatement(`show grants for current_user() using ${role}`)
}

/** What another account holds. It requires SELECT on the schema `mysql`. */
export function renderGrantsFor(account: string): Statement {
  return toStatement(`show grants for ${account}`)
}

/** Whether an account must use TLS: empty where it need not. */
export function renderTlsOf(user: string, host: string): Statement {
  const where = `user = ${quoteText(user)} and host = ${quoteText(host)}`
  return toStatement(`select ssl_type as tls from mysql.user where ${where}`)
}

/** MySQL: roles that the configuration of the server gives to every account. */
export const mandatoryRolesStatement = toStatement('select @@global.mandatory_roles as roles')

/** Roles that can be granted to others, with those that a role of the account holds. */
export const grantableRolesStatement = toStatement(
  "select role_name as `role` from information_schema.applicable_roles where is_grantable = 'YES'",
)

/** Reads nothing: a server that has FORCE INDEX rejects it because the index does not exist. Lists need the hint. */
export const indexHintStatement = toStatement(
  'select 1 as `one` from information_schema.tables force index (`vitrine-none`) where 1 = 0',
)

/** Every column of the database on which the session has a privilege, its privileges, and what it is computed from. */
export const reachableColumnsStatement = toStatement(
  "select table_name as `table`, column_name as `column`, `privileges` as `privileges`, concat_ws(' ', generation_expression, column_default) as `expression` " +
    "from information_schema.columns where table_schema = database() and `privileges` <> '' " +
    'order by table_name, ordinal_position',
)

/** Schemas of the server whose routines and names every account can see. */
const systemSchemas = "('information_schema', 'performance_schema', 'sys')"

/**
 * Tables, routines and schemas that the session can see, which requires some privilege. Every account sees the tables of
 * performance_schema; of these, only tables with a usable column are listed. The limits are for administrators, which
 * see all objects.
 */
export const visibleObjectsStatement = toStatement(
  "(select table_schema as `database`, table_name as `name`, 'table' as `type` from information_schema.tables where table_schema not in ('information_schema', 'performance_schema') limit 1000) " +
    "union all (select distinct table_schema, table_name, 'table' from information_schema.columns where table_schema = 'performance_schema' and `privileges` <> '' limit 1000) " +
    `union all (select routine_schema, routine_name, lower(routine_type) from information_schema.routines where routine_schema not in ${systemSchemas} limit 1000) ` +
    `union all (select schema_name, '*', 'schema' from information_schema.schemata where schema_name not in ${systemSchemas} and schema_name <> database() limit 1000)`,
)

/**
 * Columns with a histogram: an account that can see the table can read its values, without SELECT on the column. Only
 * MySQL has such a table; MariaDB keeps its histograms in `mysql.column_stats`, which requires SELECT on it.
 */
export const histogramsStatement = toStatement(
  'select schema_name as `database`, table_name as `table`, column_name as `column` from information_schema.column_statistics',
)

/** A statement that reads nothing, and that the server denies without a privilege on the whole schema. */
export interface SchemaProbe {
  readonly statement: Statement
  /** Empty for the current database. */
  readonly schema: string
  /** The privilege that the account has where the statement is not denied; undefined where it can be one of several. */
  readonly privilege: string | undefined
}

/**
 * The server checks privileges before it checks whether the object exists. CREATE ROUTINE, ALTER ROUTINE, LOCK TABLES
 * and CREATE TEMPORARY TABLES cannot be tested in this way.
 */
export const schemaProbes: readonly SchemaProbe[] = [
  { statement: toStatement('show create table `vitrine-none`'), schema: '', privilege: undefined },
  { statement: toStatement('show events'), schema: '', privilege: 'EVENT' },
  { statement: toStatement('call `vitrine-none`()'), schema: '', privilege: 'EXECUTE' },
  ...['performance_schema', 'sys', 'mysql'].map((schema): SchemaProbe => ({
    statement: toStatement(`show create table ${schema}.\`vitrine-none\``),
    schema,
    privilege: undefined,
  })),
]

/** The definition of a table or view. SHOW VIEW allows it, and allows no row to be read. */
export function renderShowCreate(database: string, name: string): Statement {
  return toStatement(`show create table ${toQuotedPlace(database, name)}`)
}

/**
 * Selects every mapped column of a table, and no row. It requires SELECT on each of the columns and, for a view, what
 * the view requires.
 */
export function renderTableProbe(mapping: Mapping, table: string): Statement {
  const columns = listMappedColumns(mapping).filter((mapped) => mapped.table === table)
  const names = [...new Set(columns.map(({ column }) => toQuotedName(column)))]
  return toStatement(`select ${names.join(', ')} from ${toQuotedName(table)} where 1 = 0`)
}

function toStatement(sql: string): Statement {
  return { sql, values: [] }
}
