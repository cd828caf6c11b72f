import { quoteText, toQuotedName, toQuotedPlace } from '../database/sql.js'
import type { RunQuery } from '../database/statement.js'
import { listMappedColumns, listMappedTables } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { readOtherAccount, readServer } from './account.js'
import type { Account, OtherAccount } from './account.js'
import { isOfServer, readDefinitions } from './definitions.js'
import type { DefinedObject } from './definitions.js'
import { isScratch, listExcess, toPrivilegeText } from './evaluate-account.js'
import type { Named } from './evaluate-account.js'
import type { Held } from './grant-lines.js'
import { groupByTable, renderRequireTls } from './grants-sql.js'
import type { Grantee } from './grants-sql.js'
import { ask } from './visible.js'
import { toObjectKey } from './mapped-tables.js'
import type { ObjectName } from './mapped-tables.js'

/** What the server shows of an account, and of the tables and views that the mapping names. */
export interface Comparison {
  readonly account: OtherAccount
  /** Whether the account can connect without TLS, which is read only where TLS must be required. */
  readonly allowsPlain: boolean
  /** The mapping's tables and views, and what the views read. */
  readonly objects: readonly DefinedObject[]
}

/**
 * Reads what the statements of `vitrine grants` are compared with.
 *
 * @param runQuery runs statements of a user who may see the grants of the account and the definitions of views.
 */
export async function readComparison(
  runQuery: RunQuery,
  mapping: Mapping,
  { user, host, requireTls }: Pick<Grantee, 'user' | 'host' | 'requireTls'>,
): Promise<Comparison> {
  const account = await readOtherAccount(runQuery, `${toQuotedName(user)}@${toQuotedName(host)}`)
  const tlsSql = `select ssl_type as tls from mysql.user where user = ${quoteText(user)} and host = ${quoteText(host)}`
  const tls = requireTls && account.exists ? await ask(runQuery, tlsSql) : []
  return {
    account,
    allowsPlain: tls.some((row) => row['tls'] === ''),
    objects: await readDefinitions(runQuery, account, listMappedTables(mapping)),
  }
}

/** Reads the mapping's tables and views, and what the views read. */
export async function readMappedObjects(
  runQuery: RunQuery,
  mapping: Mapping,
): Promise<readonly DefinedObject[]> {
  return readDefinitions(runQuery, await readServer(runQuery), listMappedTables(mapping))
}

/** What mapped views read, directly or through other views, and on which a grant can be made. */
export function listBehindViews(objects: readonly DefinedObject[]): readonly ObjectName[] {
  return objects.filter((one) => !one.mapped && !isOfServer(one))
}

/**
 * The statements that leave an account with SELECT on the mapped columns, SHOW VIEW where the audit needs it, and nothing
 * else: REVOKE for what is too much, GRANT for what is missing.
 *
 * @returns none where nothing differs.
 */
export function listDifference(mapping: Mapping, comparison: Comparison): readonly string[] {
  const { account, allowsPlain } = comparison
  const toKey = (table: ObjectName, { privilege, column = '' }: Named): string =>
    [toObjectKey(table, account.casedTables), privilege, column.toLowerCase()].join(' ')
  const needed = listNeeded(mapping, comparison)
  const keys = new Set(needed.flatMap(({ table, all }) => all.map((one) => toKey(table, one))))
  const known = new Set<string>()
  const excess = listExcess(account, (one, table) => {
    const key = table === undefined ? '' : toKey(table, one)
    known.add(key)
    return keys.has(key)
  })
  const whole = new Set(excess.filter(({ held }) => held.some(isWholeSelect)).map(({ object }) => object))
  return [
    ...excess
      .filter((one) => !isScratch(one, account))
      .flatMap(({ object, held, grantee }) => renderRevokes(held, object, grantee)),
    ...account.roles.map((role) => renderRevokeRole(role, account)),
    ...needed.flatMap(({ table, all }) => {
      const place = toQuotedPlace(table.database, table.name)
      const missing = all.filter((one) => whole.has(place) || !known.has(toKey(table, one)))
      const grant = `GRANT ${toPrivilegeText(missing)} ON ${place} TO ${account.account};`
      return missing.length === 0 ? [] : [grant]
    }),
    ...(allowsPlain ? [renderRequireTls(account.account)] : []),
  ]
}

/** For each table what is needed: SELECT on the mapped columns, and SHOW VIEW on their tables and on what mapped views read. */
function listNeeded(
  mapping: Mapping,
  comparison: Comparison,
): readonly { readonly table: ObjectName; readonly all: readonly Named[] }[] {
  const { database } = comparison.account
  const showView = { privilege: 'SHOW VIEW', column: undefined }
  const mapped = [...groupByTable(listMappedColumns(mapping))].map(([name, columns]) => ({
    table: { database, name },
    all: [...[...columns.keys()].map((column) => ({ privilege: 'SELECT', column })), showView],
  }))
  return [...mapped, ...listBehindViews(comparison.objects).map((table) => ({ table, all: [showView] }))]
}

/** Whether a privilege includes SELECT on a whole table. To revoke it also revokes SELECT on each of its columns. */
function isWholeSelect({ privilege, column }: Named): boolean {
  return (privilege === 'SELECT' || privilege === 'ALL PRIVILEGES') && column === undefined
}

/** The lines of SHOW GRANTS on one object as statements that revoke them. */
function renderRevokes(held: readonly Held[], object: string, from: string): readonly string[] {
  // MariaDB has packages only in this mode.
  const mode = object.startsWith('PACKAGE') ? "SET SESSION sql_mode = 'ORACLE'; " : ''
  const isOption = ({ privilege }: Named): boolean => privilege === 'GRANT OPTION'
  const isProxy = held.some(({ privilege }) => privilege === 'PROXY')
  // ALL PRIVILEGES must be alone in its statement, and MySQL cannot revoke a dynamic privilege after the GRANT OPTION
  // beside it is revoked.
  return [held.filter((one) => !isOption(one)), isProxy ? [] : held.filter(isOption)]
    .filter((part) => part.length > 0)
    .map((part) => `${mode}REVOKE ${toPrivilegeText(part)} ON ${object} FROM ${from};`)
}

/** The statement that revokes a role. MySQL can give one to every account too. */
function renderRevokeRole(role: string, { account, isMariaDb }: Account): string {
  const other = isMariaDb ? '' : ' /* a role of mandatory_roles is taken out of that variable instead */'
  return `REVOKE ${role} FROM ${account}${other};`
}
