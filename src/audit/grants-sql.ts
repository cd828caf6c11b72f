import { quoteText, toQuotedName, toQuotedPlace } from '../database/sql.js'
import { listMappedColumns } from '../mapping/mapped-columns.js'
import { listLookupOptions, needsPrimary } from '../mapping/fill-keys.js'
import { assumedKey } from '../collections/lookup.js'
import type { MappedColumn } from '../collections/field.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { ObjectName } from './mapped-tables.js'
import type { GrantObject } from './parse-grant.js'

/** The columns that show the state of a member, by their table in `performance_schema`. */
export const groupColumns: Readonly<Record<string, readonly string[]>> = {
  replication_group_members: ['MEMBER_ID', 'MEMBER_STATE'],
  replication_applier_status_by_worker: [
    'CHANNEL_NAME',
    'SERVICE_STATE',
    'APPLYING_TRANSACTION',
    'APPLYING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP',
  ],
}

/** The account that the statements make, and the database. */
export interface Grantee {
  readonly user: string
  readonly host: string
  /** The product's database; undefined where the statements are run with it as the current one. */
  readonly database: string | undefined
  readonly requireTls: boolean
  /** Whether it may read the replication lag. */
  readonly replicas: boolean
  /** What a person can do so that the primary keys are read, where they are not known. */
  readonly keyAdvice?: string
}

/**
 * The statements that make a user with SELECT on the mapped columns only. They name each column, because a grant on a
 * table includes every column that is added later. They can be run again, and revoke nothing.
 *
 * @param behindViews what the mapped views read, where the database shows it.
 * @returns SQL for an administrator of MySQL or MariaDB, each statement ending its line.
 */
export function renderGrants(
  mapping: Mapping,
  grantee: Grantee,
  behindViews?: readonly ObjectName[],
): string {
  const account = toAccount(grantee)
  const { keyAdvice = 'set DATABASE_URL: vitrine grants then reads it' } = grantee
  const tables = groupByTable(listMappedColumns(mapping))
  // The file does not name the primary key of these, and no database has shown it.
  const assumed = new Set(
    listLookupOptions(mapping)
      .filter(needsPrimary)
      .map(({ from }) => from),
  )
  const toShowView = (table: string): string => renderShowView(toPlace(table, grantee.database), account)
  return [
    '-- A user for Vitrine that can read the columns named here and do nothing else.',
    '-- Run this as an administrator, with a password of your own in the next line. An account that exists keeps its own.',
    `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY 'CHANGE THIS PASSWORD'${grantee.requireTls ? ' REQUIRE SSL' : ''};`,
    ...(grantee.requireTls ? [renderRequireTls(account)] : []),
    ...[...tables].flatMap(([table, columns]) => [
      '',
      ...renderTable(table, columns, {
        account,
        database: grantee.database,
        isAssumed: assumed.has(table),
        keyAdvice,
      }),
    ]),
    '',
    '-- These let the audit see what a view shows and what a generated column is computed from. They allow no row to be read.',
    ...[...tables.keys()].map(toShowView),
    ...(behindViews === undefined
      ? renderPossiblyBehindViews(listNeverReadTables(mapping, [...tables.keys()]).map(toShowView))
      : behindViews.map((object) => renderShowView(toQuotedPlace(object.database, object.name), account))),
    ...(grantee.replicas ? ['', ...renderReplicas(account)] : []),
    '',
    '-- Grants of another account with this name, or with none, apply to this user too where the host matches. The audit',
    '-- finds most of them, but not CREATE ROUTINE, ALTER ROUTINE, LOCK TABLES, CREATE TEMPORARY TABLES, nor what applies',
    '-- from other hosts only. This lists such accounts; SHOW GRANTS FOR each must list no more than the statements above:',
    `-- ${renderSameName(grantee.user)}`,
    '',
  ].join('\n')
}

/** As comments, because the mapping does not show whether these exist and whether a view reads them. */
function renderPossiblyBehindViews(statements: readonly string[]): readonly string[] {
  return [
    '-- Where a mapped view reads other tables, the audit needs to see their definitions too: with --compare, vitrine grants',
    `-- finds them in the database.${statements.length === 0 ? '' : ' These may be among them:'}`,
    ...statements.map((statement) => `-- ${toComment(statement)}`),
  ]
}

/** The statement that lets an account see the definition of a table or view. */
export function renderShowView(place: string, account: string): string {
  return `GRANT SHOW VIEW ON ${place} TO ${account};`
}

/** The statement that requires TLS of an account. */
export function renderRequireTls(account: string): string {
  return `ALTER USER ${account} REQUIRE SSL;`
}

/** Tables that a pattern of `neverRead` names in full, and that the mapping does not. */
function listNeverReadTables({ neverRead }: Mapping, mapped: readonly string[]): readonly string[] {
  const tables = neverRead.map((pattern) => pattern.slice(0, pattern.indexOf('.')))
  const known = new Set(mapped.map((table) => table.toLowerCase()))
  return [...new Set(tables)].filter((table) => !table.includes('*') && !known.has(table.toLowerCase()))
}

/** The statement that lets an account read the replication lag. Each server ignores what is between the comment marks of the other. */
export function renderReplicas(account: string): readonly string[] {
  return [
    '-- This lets Vitrine read the replication lag: REPLICATION CLIENT on MySQL, SLAVE MONITOR on MariaDB.',
    '-- Where these privileges cannot be granted, name a heartbeat in the mapping file instead.',
    '-- On a replica of MariaDB it also allows SHOW RELAYLOG EVENTS. With binlog_format STATEMENT or MIXED, these events are',
    '-- whole statements, with values of every table. Use binlog_format ROW there, or leave the privilege out.',
    // MySQL runs what follows `!80000`, and MariaDB what follows `M!`.
    `GRANT /*!80000 REPLICATION CLIENT */ /*M! SLAVE MONITOR */ ON *.* TO ${account};`,
    '-- These let it read the state of a member of Group Replication (InnoDB Cluster); MariaDB has no such tables.',
    ...renderGroupGrants(account),
  ]
}

const replicaPrivileges = ['REPLICATION CLIENT', 'SLAVE MONITOR', 'REPLICA MONITOR']

/** The statements that let an account read the state of a member of Group Replication. MariaDB grants nothing by them. */
function renderGroupGrants(account: string): readonly string[] {
  return Object.entries(groupColumns).map(
    ([table, columns]) =>
      `GRANT /*!80000 SELECT (${columns.join(', ')}) */ /*M! USAGE */ ON /*!80000 performance_schema.${table} */ /*M! *.* */ TO ${account};`,
  )
}

/** The columns of an object that show the state of a member of Group Replication, in lower case; none of any other. */
export function listGroupColumns({ database, name }: GrantObject): readonly string[] {
  const columns =
    database.toLowerCase() === 'performance_schema' ? groupColumns[name.toLowerCase()] : undefined
  return (columns ?? []).map((column) => column.toLowerCase())
}

/**
 * Whether a privilege is the one that reading the replication lag requires. It includes the state of replication and the
 * names of binary logs; on MariaDB, the events in the relay log of a replica too.
 */
export function isReplicaPrivilege(name: string, object: GrantObject): boolean {
  return replicaPrivileges.includes(name) && object.text === '*.*'
}

/**
 * For an administrator: the query that lists the accounts whose grants on schemas can apply to a user of this name, from
 * any host. The servers add such grants where the host matches, and list them in no SHOW GRANTS of the user.
 */
export function renderSameName(user: string): string {
  return `SELECT user, host FROM mysql.user WHERE user IN (${quoteText(user)}, '');`
}

/** The name of an account as statements write it, such as `vitrine`@`%` in backticks. */
export function toUserName(account: string): string {
  return account.slice(1, account.lastIndexOf('`@`')).replaceAll('``', '`')
}

interface TableGrant {
  readonly account: string
  readonly database: string | undefined
  readonly isAssumed: boolean
  readonly keyAdvice: string
}

function renderTable(
  table: string,
  columns: ReadonlyMap<string, readonly string[]>,
  { account, database, isAssumed, keyAdvice }: TableGrant,
): readonly string[] {
  const reasons = [...columns].map(([column, paths]) => `--   ${toComment(column)}: ${paths.join(', ')}`)
  const names = [...columns.keys()].map(toQuotedName).join(', ')
  const grant = `GRANT SELECT (${names}) ON ${toPlace(table, database)} TO ${account};`
  const assumption = `--   ${assumedKey} is taken to be its primary key. If that has other columns, write them in the GRANT instead, or ${toComment(keyAdvice)}.`
  return [`-- ${toComment(table)}:`, ...reasons, ...(isAssumed ? [assumption] : []), grant]
}

function toPlace(table: string, database: string | undefined): string {
  return database === undefined ? toQuotedName(table) : toQuotedPlace(database, table)
}

/** Tables, their columns, and the paths of the mapping that name each column. */
export function groupByTable(
  mapped: readonly MappedColumn[],
): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const tables = new Map<string, Map<string, string[]>>()
  for (const { table, column, path } of mapped) {
    const columns = tables.get(table) ?? new Map<string, string[]>()
    tables.set(table, columns)
    const known = [...columns.keys()].find((name) => name.toLowerCase() === column.toLowerCase()) ?? column
    columns.set(known, [...(columns.get(known) ?? []), path])
  }
  return tables
}

/** The account as statements write it. */
export function toAccount({ user, host }: Pick<Grantee, 'user' | 'host'>): string {
  return `${quotePart(user)}@${quotePart(host)}`
}

/** A part of an account. It cannot be hexadecimal, but it can be in backticks, where a backslash escapes nothing. */
function quotePart(part: string): string {
  const text = quoteText(part)
  return text.startsWith("'") ? text : toQuotedName(part)
}

/** A line break in a name would end the comment. */
function toComment(name: string): string {
  return name.replace(/[\r\n]/g, ' ')
}
