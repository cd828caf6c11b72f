import { quoteText, toQuotedName, toQuotedPlace } from '../database/sql.js'
import { listMappedColumns } from '../mapping/mapped-columns.js'
import { assumedKey } from '../collections/column-resolver.js'
import type { MappedColumn } from '../collections/column-resolver.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { ObjectName } from './mapped-tables.js'

/** The account that the statements make, and the database. */
export interface Grantee {
  readonly user: string
  readonly host: string
  /** The product's database; undefined where the statements are run with it as the current one. */
  readonly database: string | undefined
  readonly requireTls: boolean
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
  const mapped = listMappedColumns(mapping)
  const tables = groupByTable(mapped)
  // The file does not name the primary key of these, and no database has shown it.
  const assumed = new Set(mapped.flatMap(({ table, isAssumed }) => (isAssumed ? [table] : [])))
  const toPlace = (table: string): string =>
    grantee.database === undefined ? toQuotedName(table) : toQuotedPlace(grantee.database, table)
  return [
    '-- A user for Vitrine that can read the columns named here and do nothing else.',
    '-- Run this as an administrator, with a password of your own in the next line. An account that exists keeps its own.',
    `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY 'CHANGE THIS PASSWORD'${grantee.requireTls ? ' REQUIRE SSL' : ''};`,
    ...(grantee.requireTls ? [renderRequireTls(account)] : []),
    ...[...tables].flatMap(([table, columns]) => [
      '',
      `-- ${toComment(table)}:`,
      ...[...columns].map(([column, paths]) => `--   ${toComment(column)}: ${paths.join(', ')}`),
      ...(assumed.has(table) ? [assumption] : []),
      `GRANT SELECT (${[...columns.keys()].map(toQuotedName).join(', ')}) ON ${toPlace(table)} TO ${account};`,
    ]),
    '',
    '-- These let the audit see what a view shows and what a generated column is computed from. They allow no row to be read.',
    ...[...tables.keys()].map((table) => renderShowView(toPlace(table), account)),
    ...(behindViews?.map(({ database, name }) => renderShowView(toQuotedPlace(database, name), account)) ?? [
      '-- Where a mapped view reads other tables, the audit needs to see their definitions too: with --compare, vitrine grants',
      '-- finds them in the database.',
    ]),
    '',
    '-- Grants of another account with this name, or with none, apply to this user too where the host matches. The audit',
    '-- finds most of them, but not CREATE ROUTINE, ALTER ROUTINE, LOCK TABLES, CREATE TEMPORARY TABLES, nor what applies',
    '-- from other hosts only. This lists such accounts; SHOW GRANTS FOR each must list no more than the statements above:',
    `-- ${renderSameName(grantee.user)}`,
    '',
  ].join('\n')
}

/** The statement that lets an account see the definition of a table or view. */
function renderShowView(place: string, account: string): string {
  return `GRANT SHOW VIEW ON ${place} TO ${account};`
}

/** The statement that requires TLS of an account. */
export function renderRequireTls(account: string): string {
  return `ALTER USER ${account} REQUIRE SSL;`
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

const assumption = `--   ${assumedKey} is taken to be its primary key. With a user in DATABASE_URL who sees the tables, vitrine grants reads it.`

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
