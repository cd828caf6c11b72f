import { toQuotedName } from '../database/sql.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { hasNeverRead, isNeverRead } from '../mapping/mapped-columns.js'
import { createError } from '../tools/report/report.js'
import type { Finding } from './finding.js'
import { isReplicaPrivilege, listGroupColumns } from './grants-sql.js'
import { covers, listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { GrantObject, Privilege } from './parse-grant.js'
import type { HeldGrant, Privileges } from './privileges.js'

/** A finding for each privilege beyond SELECT on the mapped columns, however the account holds it. */
export function evaluateGrants(mapping: Mapping, privileges: Privileges): readonly Finding[] {
  const grantableRoles = privileges.roles.flatMap(({ role, grantable }) => (grantable ? [role] : []))
  return [
    ...listExcess(mapping, privileges).map((excess) => toExcessFinding(excess, mapping, privileges)),
    ...[...grantableRoles, ...privileges.nestedGrantable].map((role) =>
      toGrantableRoleFinding(role, privileges),
    ),
    ...(privileges.unparsedLines === 0 ? [] : [toUnparsedFinding(privileges)]),
  ]
}

/**
 * The grants on one object as one, because one fix revokes them: MySQL cannot revoke a dynamic privilege after the
 * GRANT OPTION beside it is revoked.
 */
function mergeGrants(grants: readonly HeldGrant[]): readonly HeldGrant[] {
  const merged = new Map<string, HeldGrant>()
  for (const grant of grants) {
    const key = JSON.stringify([grant.holder, grant.object.text])
    const known = merged.get(key)
    merged.set(key, {
      ...grant,
      privileges: [...(known?.privileges ?? []), ...grant.privileges],
      grantable: grant.grantable || known?.grantable === true,
    })
  }
  return [...merged.values()]
}

/** The privileges on one object beyond SELECT on the mapped columns. */
export interface Excess {
  readonly grant: HeldGrant
  readonly privileges: readonly Privilege[]
  /** The mapped columns of the object in lower case; none where it is no mapped table. */
  readonly columns: readonly string[]
}

/** What the account holds beyond SELECT on the mapped columns, by holder and object. */
export function listExcess(mapping: Mapping, privileges: Privileges): readonly Excess[] {
  const tables = listMappedColumnsByTable(mapping, privileges.casedTables)
  return mergeGrants(privileges.grants).flatMap((grant): readonly Excess[] => {
    const mapped = isHere(grant, privileges)
      ? tables.get(toTableKey(grant.object.name, privileges.casedTables))
      : undefined
    const excess = grant.privileges.flatMap((privilege) => toExcess(privilege, grant, mapped))
    if (grant.grantable) excess.push({ name: 'GRANT OPTION', columns: [] })
    return excess.length === 0 ? [] : [{ grant, privileges: excess, columns: [...(mapped ?? [])] }]
  })
}

function toExcessFinding(
  { grant, privileges: excess, columns }: Excess,
  mapping: Mapping,
  privileges: Privileges,
): Finding {
  const isForbidden = excess.some((privilege) => includesNeverRead(privilege, mapping, { grant, privileges }))
  return {
    severity: isScratch(grant, privileges) ? 'warning' : 'error',
    object: grant.object.text,
    privilege: excess.map(toPrivilegeText).join(', '),
    problem: [
      describeHolder(grant, privileges),
      isForbidden ? 'and reaches columns that neverRead forbids' : 'beyond SELECT on the mapped columns',
    ].join(' '),
    fix: isAdministrator(privileges)
      ? ownAccountAdvice
      : renderFix(excess, grant, { account: privileges.account, columns }),
  }
}

/** The part of a privilege that the mapping does not need. @param mapped the columns, where the table is mapped. */
function toExcess(
  privilege: Privilege,
  { object }: HeldGrant,
  mapped: ReadonlySet<string> | undefined,
): readonly Privilege[] {
  const { name, columns } = privilege
  if (name === 'USAGE' || isReplicaPrivilege(name, object)) return []
  // The audit needs it to see the definition of a view. It allows no row to be read.
  if (name === 'SHOW VIEW' && object.name !== '*') return []
  const allowed = mapped ?? new Set(listGroupColumns(object))
  if (name !== 'SELECT' || columns.length === 0) return [privilege]
  const unmapped = columns.filter((column) => !allowed.has(column.toLowerCase()))
  return unmapped.length === 0 ? [] : [{ name, columns: unmapped }]
}

/** Whether a grant is on a table of the database of the service. */
function isHere({ object }: HeldGrant, { database, casedTables }: Privileges): boolean {
  const isSameDatabase = toTableKey(object.database, casedTables) === toTableKey(database, casedTables)
  return object.type === '' && object.name !== '*' && isSameDatabase
}

function includesNeverRead(
  { name, columns }: Privilege,
  { neverRead }: Mapping,
  { grant, privileges }: { grant: HeldGrant; privileges: Privileges },
): boolean {
  const { object } = grant
  if (name !== 'SELECT' && name !== 'ALL PRIVILEGES') return false
  if (object.name === '*') return covers(object.database, privileges.database) && neverRead.length > 0
  if (!isHere(grant, privileges)) return false
  if (columns.length === 0) return hasNeverRead(neverRead, object.name)
  return columns.some((column) => isNeverRead(neverRead, object.name, column))
}

/** The installation of MariaDB grants databases named `test` to every account; they hold no data of the product. */
function isScratch({ holder, object, grantable }: HeldGrant, { database }: Privileges): boolean {
  const isTest = object.database === 'test' || object.database === 'test\\_%'
  return holder.kind === 'public' && isTest && !grantable && !/^test(_|$)/i.test(database)
}

function describeHolder({ holder }: HeldGrant, { account }: Privileges): string {
  if (holder.kind === 'public') return 'granted to PUBLIC, so to every account,'
  if (holder.kind === 'account') return `held by ${account}`
  const given = holder.revocable ? '' : ', which the server gives to every account'
  return `held through the role ${holder.role}${given}`
}

const ownAccountAdvice =
  'make an account for Vitrine with the statements that `vitrine grants` prints, and use it in DATABASE_URL'

/** Whether the account can administer the server. The fix for it is another account: its privileges must stay. */
export function isAdministrator({ grants }: Privileges): boolean {
  return grants.some(
    ({ holder, object, privileges }) =>
      holder.kind === 'account' &&
      object.text === '*.*' &&
      privileges.some(({ name }) => name === 'ALL PRIVILEGES' || name === 'CREATE USER'),
  )
}

/** To take away a role that a role of the account holds, the account's own roles are revoked. */
function toGrantableRoleFinding(role: string, privileges: Privileges): Finding {
  const { account, roles } = privileges
  const own = roles.map((held) => held.role)
  const fix = isAdministrator(privileges)
    ? ownAccountAdvice
    : (own.includes(role) ? [role] : own).map((one) => renderRevokeRole(one, account)).join(' ')
  return { ...createError(role, `${account} can grant this role to others`, fix), privilege: 'ADMIN OPTION' }
}

/** The lines are not shown: those of MariaDB contain the hash of a password. */
function toUnparsedFinding({ account, unparsedLines }: Privileges): Finding {
  const problem = `${unparsedLines} of the lines of SHOW GRANTS could not be parsed, so the audit proves nothing`
  const fix = 'make a user with the statements of vitrine grants, and report the version of the server'
  return { ...createError(account, problem, fix), privilege: 'SHOW GRANTS' }
}

/** The statements on one line that revoke these privileges. @param columns to grant again. */
function renderFix(
  excess: readonly Privilege[],
  { holder, object }: HeldGrant,
  { account, columns }: { account: string; columns: readonly string[] },
): string {
  if (holder.kind === 'role') {
    if (holder.revocable) return renderRevokeRole(holder.role, account)
    return `take ${holder.role} out of the server's mandatory_roles (SET PERSIST mandatory_roles = '…')`
  }
  const from = holder.kind === 'public' ? 'PUBLIC' : account
  // Without the grant on the whole table, the mapped columns need a grant of their own.
  const isRegranted = excess.some(isWholeSelect) && columns.length > 0 && holder.kind === 'account'
  const select = toPrivilegeText({ name: 'SELECT', columns })
  return [
    ...renderRevokes(excess, object, from),
    ...(isRegranted ? [`GRANT ${select} ON ${object.text} TO ${from};`] : []),
  ].join(' ')
}

/** Whether a privilege includes SELECT on a whole table. To revoke it also revokes SELECT on each of its columns. */
export function isWholeSelect({ name, columns }: Privilege): boolean {
  return (name === 'SELECT' || name === 'ALL PRIVILEGES') && columns.length === 0
}

/** The statements that revoke privileges on one object from an account. */
export function renderRevokes(
  excess: readonly Privilege[],
  object: GrantObject,
  from: string,
): readonly string[] {
  if (object.type === 'ACCOUNT') return [`REVOKE PROXY ON ${object.text} FROM ${from};`]
  // MariaDB has packages only in this mode.
  const mode = object.type.startsWith('PACKAGE') ? "SET SESSION sql_mode = 'ORACLE'; " : ''
  // ALL PRIVILEGES must be alone in its statement, so GRANT OPTION has a statement of its own.
  const parts = [true, false].map((isFirst) =>
    excess.filter(({ name }) => (name !== 'GRANT OPTION') === isFirst),
  )
  return parts
    .filter((part) => part.length > 0)
    .map((part) => `${mode}REVOKE ${part.map(toPrivilegeText).join(', ')} ON ${object.text} FROM ${from};`)
}

/** The statement that revokes a role from an account. */
export function renderRevokeRole(role: string, account: string): string {
  return `REVOKE ${role} FROM ${account};`
}

/** A privilege as statements write it. */
export function toPrivilegeText({ name, columns }: Privilege): string {
  return columns.length === 0 ? name : `${name} (${columns.map(toQuotedName).join(', ')})`
}
