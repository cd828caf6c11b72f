import { toQuotedName, toQuotedPlace } from '../database/quote.js'
import type { Statement } from '../database/statement.js'

/** Who the session is, as the server matched it, and where. */
export const accountStatement: Statement = {
  sql: 'select current_user() as account, database() as `database`, version() as version, @@lower_case_table_names as lowerCase',
  values: [],
}

/** What the account holds by itself, with no role at work. */
export const grantsStatement: Statement = { sql: 'show grants', values: [] }

/** Sets every role aside. */
export const noRoleStatement: Statement = { sql: 'set role none', values: [] }

/** MySQL: puts every role that the account may take to work at once. */
export const allRolesStatement: Statement = { sql: 'set role all', values: [] }

/** MariaDB: puts one role, and those that it holds, to work; SHOW GRANTS then lists theirs too. */
export function renderTakeRole(role: string): Statement {
  return { sql: `set role ${role}`, values: [] }
}

/** MySQL: what the account holds with a role, and those that the role holds, at work. */
export function renderGrantsWithRole(role: string): Statement {
  return { sql: `show grants for current_user() using ${role}`, values: [] }
}

/** MySQL: roles that every account has, by the server's configuration. */
export const mandatoryRolesStatement: Statement = {
  sql: 'select @@global.mandatory_roles as roles',
  values: [],
}

/** Roles that may be granted on, those that a role of the account holds included. */
export const grantableRolesStatement: Statement = {
  sql: "select role_name as `role` from information_schema.applicable_roles where is_grantable = 'YES'",
  values: [],
}

/** Every column of the database that the session may do something with, and what; and how it is generated. */
export const reachableColumnsStatement: Statement = {
  sql:
    'select table_name as `table`, column_name as `column`, `privileges` as `privileges`, generation_expression as `expression` ' +
    "from information_schema.columns where table_schema = database() and `privileges` <> '' " +
    'order by table_name, ordinal_position',
  values: [],
}

/** Schemas of the server whose routines and names are open to everybody. */
const systemSchemas = "('information_schema', 'performance_schema', 'sys')"

/**
 * Tables, routines and schemas that the session can see, which it can only with some privilege; of those that
 * everybody sees in performance_schema, the tables with a column that it may use. An administrator sees all there are,
 * hence the limit.
 */
export const visibleStatement: Statement = {
  sql:
    "(select table_schema as `database`, table_name as `name`, 'table' as `sort` from information_schema.tables where table_schema not in ('information_schema', 'performance_schema') limit 1000) " +
    "union all (select distinct table_schema, table_name, 'table' from information_schema.columns where table_schema = 'performance_schema' and `privileges` <> '' limit 1000) " +
    `union all (select routine_schema, routine_name, lower(routine_type) from information_schema.routines where routine_schema not in ${systemSchemas} limit 1000) ` +
    `union all (select schema_name, '*', 'schema' from information_schema.schemata where schema_name not in ${systemSchemas} and schema_name <> database() limit 1000)`,
  values: [],
}

/** A statement that reads nothing, and that the server denies to who lacks a privilege on the whole schema. */
export interface SchemaProbe {
  readonly statement: Statement
  /** Empty for the current database. */
  readonly schema: string
  /** What is held where the statement is not denied; undefined where it may be one of several. */
  readonly privilege: string | undefined
}

/**
 * Privileges are checked before it is known whether such an object exists. CREATE ROUTINE, ALTER ROUTINE, LOCK TABLES
 * and CREATE TEMPORARY TABLES cannot be tried in this way.
 */
export const schemaProbes: readonly SchemaProbe[] = [
  { statement: { sql: 'show create table `vitrine-none`', values: [] }, schema: '', privilege: undefined },
  { statement: { sql: 'show events', values: [] }, schema: '', privilege: 'EVENT' },
  { statement: { sql: 'call `vitrine-none`()', values: [] }, schema: '', privilege: 'EXECUTE' },
  ...['performance_schema', 'sys', 'mysql'].map((schema): SchemaProbe => ({
    statement: { sql: `show create table ${schema}.\`vitrine-none\``, values: [] },
    schema,
    privilege: undefined,
  })),
]

/** The tables and views of the database that the session can see, by some privilege or other. */
export const objectsStatement: Statement = {
  sql: 'select table_name as `name`, table_type as `type` from information_schema.tables where table_schema = database() order by table_name',
  values: [],
}

/** The definition of a table or view; SHOW VIEW lets it be seen, and no row of it. */
export function renderDefinition(database: string, name: string): Statement {
  return { sql: `show create table ${toQuotedPlace(database, name)}`, values: [] }
}

/** Reads no row, but needs the right to read each of the columns, and behind a view what the view needs. */
export function renderColumnsProbe(table: string, columns: readonly string[]): Statement {
  return {
    sql: `select ${columns.map(toQuotedName).join(', ')} from ${toQuotedName(table)} where 1 = 0`,
    values: [],
  }
}
