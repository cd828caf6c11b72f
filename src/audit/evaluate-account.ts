import { toQuotedName } from '../database/sql.js'
import { createError } from '../finding.js'
import type { Finding } from '../finding.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Account } from './account.js'
import { toTable } from './grant-lines.js'
import type { Held } from './grant-lines.js'
import { isSameTable, listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { ObjectName } from './mapped-tables.js'

/** A finding for each object on which the lines of SHOW GRANTS have more than `vitrine grants` prints. */
export function evaluateAccount(mapping: Mapping, account: Account): readonly Finding[] {
  const ownAccount =
    'make an account for Vitrine with the statements that `vitrine grants` prints, and use it in DATABASE_URL'
  if (isAdministrator(account))
    return [createError(account.account, 'administers the server', ownAccount, 'ALL PRIVILEGES')]
  const mapped = listMappedColumnsByTable(mapping, account.casedTables)
  const listColumns = (table: ObjectName | undefined): ReadonlySet<string> | undefined =>
    table !== undefined && isSameTable(table, { ...table, database: account.database }, account.casedTables)
      ? mapped.get(toTableKey(table.name, account.casedTables))
      : undefined
  const excess = listExcess(account, ({ privilege, column }, table) => {
    // The audit needs SHOW VIEW to see the definition of a view. It allows no row to be read.
    if (privilege === 'SHOW VIEW') return table !== undefined
    return (
      privilege === 'SELECT' && column !== undefined && listColumns(table)?.has(column.toLowerCase()) === true
    )
  })
  return [
    ...excess.map((one) => toExcessFinding(one, account, [...(listColumns(toTable(one.object)) ?? [])])),
    ...account.grantableRoles.map((role) => toGrantableRoleFinding(role, account)),
    ...(account.unread === 0 ? [] : [toUnreadFinding(account)]),
  ]
}

/** Whether the account can administer the server. The fix for it is another account: its privileges must stay. */
export function isAdministrator({ held }: Account): boolean {
  const names = ['ALL PRIVILEGES', 'CREATE USER']
  return held.some((one) => one.role === undefined && one.object === '*.*' && names.includes(one.privilege))
}

/** What one holder gives on one object beyond what is needed: one fix revokes it. */
export interface Excess extends Pick<Held, 'grantee' | 'role' | 'object'> {
  readonly held: readonly Held[]
}

/** What the account holds that is not needed, by holder and object. */
export function listExcess(
  { held }: Account,
  isNeeded: (one: Held, table: ObjectName | undefined) => boolean,
): readonly Excess[] {
  const groups = new Map<string, Excess>()
  for (const one of held) {
    const { grantee, role, object, privilege } = one
    if (privilege === 'USAGE' || isNeeded(one, toTable(object))) continue
    const key = JSON.stringify([grantee, role, object])
    groups.set(key, { grantee, role, object, held: [...(groups.get(key)?.held ?? []), one] })
  }
  return [...groups.values()]
}

/** @param columns the mapped ones of the object; none where it is no mapped table */
function toExcessFinding(excess: Excess, account: Account, columns: readonly string[]): Finding {
  const { object, held, grantee, role } = excess
  const holders =
    grantee === 'PUBLIC' ? 'granted to PUBLIC, so to every account,' : `held by ${account.account}`
  const holder = role === undefined ? holders : `held through the role ${role}`
  const problem = `${holder} beyond SELECT on the mapped columns`
  const finding = createError(object, problem, renderFix(excess, account, columns), toPrivilegeText(held))
  return isScratch(excess, account) ? { ...finding, severity: 'warning' } : finding
}

/** The installation of MariaDB grants databases named `test` to every account; they hold no data of the product. */
function isScratch({ grantee, object, held }: Excess, { database }: Account): boolean {
  const isTest = object === '`test`.*' || object === '`test\\_%`.*'
  const isOption = held.some(({ privilege }) => privilege === 'GRANT OPTION')
  return grantee === 'PUBLIC' && isTest && !isOption && !/^test(_|$)/i.test(database)
}

/** A role can be one that a role of the account holds, so all of its own are revoked. */
function toGrantableRoleFinding(role: string, account: Account): Finding {
  const fix = account.roles.map((one) => renderRevokeRole(one, account)).join(' ')
  return createError(role, `${account.account} can grant this role to others`, fix, 'ADMIN OPTION')
}

/** The lines are not shown: those of MariaDB contain the hash of a password. */
function toUnreadFinding({ account, unread }: Account): Finding {
  const problem = `${unread} of the lines of SHOW GRANTS could not be read, so the audit proves nothing`
  const fix = 'make a user with the statements of vitrine grants, and report the version of the server'
  return createError(account, problem, fix, 'SHOW GRANTS')
}

/** The statements on one line that revoke what is too much. */
function renderFix(
  { grantee, role, object, held }: Excess,
  account: Account,
  columns: readonly string[],
): string {
  if (role !== undefined) return renderRevokeRole(role, account)
  // Without the grant on the whole table, the mapped columns need a grant of their own.
  const isRegranted = grantee !== 'PUBLIC' && columns.length > 0 && held.some(isWholeSelect)
  const select = toPrivilegeText(columns.map((column) => ({ privilege: 'SELECT', column })))
  const regrant = isRegranted ? [`GRANT ${select} ON ${object} TO ${grantee};`] : []
  return [...renderRevokes(held, object, grantee), ...regrant].join(' ')
}

/** A privilege, on a column or on a whole object. */
export type Named = Pick<Held, 'privilege' | 'column'>

/** Whether a privilege includes SELECT on a whole table. To revoke it also revokes SELECT on each of its columns. */
export function isWholeSelect({ privilege, column }: Named): boolean {
  return (privilege === 'SELECT' || privilege === 'ALL PRIVILEGES') && column === undefined
}

/** The lines of SHOW GRANTS on one object as statements that revoke them. */
export function renderRevokes(held: readonly Named[], object: string, from: string): readonly string[] {
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
export function renderRevokeRole(role: string, { account, isMariaDb }: Account): string {
  const other = isMariaDb ? '' : ' /* a role of mandatory_roles is taken out of that variable instead */'
  return `REVOKE ${role} FROM ${account}${other};`
}

/** Privileges on one object as statements write them. */
export function toPrivilegeText(held: readonly Named[]): string {
  const texts = held.map(({ privilege, column: first }) => {
    if (first === undefined) return privilege
    const columns = held.flatMap((one) =>
      one.privilege === privilege && one.column !== undefined ? [toQuotedName(one.column)] : [],
    )
    return `${privilege} (${columns.join(', ')})`
  })
  return [...new Set(texts)].join(', ')
}
