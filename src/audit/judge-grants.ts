import type { Mapping } from '../mapping/mapping-schema.js'
import { hasNeverRead, isNeverRead } from '../mapping/never-read.js'
import type { Finding } from './finding.js'
import { covers, listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { Privilege } from './grant.js'
import type { HeldGrant, Privileges } from './privileges.js'
import { isReplicaPrivilege } from './replica-privileges.js'
import { renderRevoke, renderRevokeRole, toPrivilegeText } from './revoke-sql.js'

type MappedTables = ReadonlyMap<string, ReadonlySet<string>>

/** A finding for each privilege beyond SELECT on the mapped columns, by whatever way the account has it. */
export function judgeGrants(mapping: Mapping, privileges: Privileges): readonly Finding[] {
  const tables = listMappedColumnsByTable(mapping, privileges.casedTables)
  return [
    ...mergeGrants(privileges.grants).flatMap((grant) => judgeGrant(mapping, privileges, { grant, tables })),
    ...privileges.roles.flatMap((role) => (role.grantable ? [judgeRole(role.role, privileges)] : [])),
    ...privileges.nestedGrantable.map((role) => judgeRole(role, privileges)),
    ...(privileges.unread === 0 ? [] : [toUnreadFinding(privileges)]),
  ]
}

interface Judged {
  readonly grant: HeldGrant
  readonly tables: MappedTables
}

function judgeGrant(mapping: Mapping, privileges: Privileges, judged: Judged): readonly Finding[] {
  const { grant } = judged
  const excess = grant.privileges.flatMap((privilege) => takeExcess(privilege, privileges, judged))
  if (excess.length === 0 && !grant.grantable) return []
  const taken = grant.grantable ? [...excess, { name: 'GRANT OPTION', columns: [] }] : excess
  const secret = taken.some((privilege) => reachesNeverRead(privilege, mapping, { grant, privileges }))
  return [
    {
      severity: isScratch(grant, privileges) ? 'warning' : 'error',
      object: grant.object.text,
      privilege: taken.map(toPrivilegeText).join(', '),
      problem: [
        describeHolder(grant, privileges),
        secret ? 'and reaches columns that neverRead forbids' : 'beyond SELECT on the mapped columns',
      ].join(' '),
      fix: isAdministrator(privileges)
        ? ownAccountAdvice
        : renderRevoke(taken, grant, { privileges, wanted: listWanted(judged, privileges) }),
    },
  ]
}

const ownAccountAdvice =
  "make an account of Vitrine's own with the statements that `vitrine grants` prints, and name it in DATABASE_URL"

/** Nobody should take from an administrator what makes it one. */
function isAdministrator({ grants }: Privileges): boolean {
  return grants.some(
    ({ holder, object, privileges }) =>
      holder.kind === 'account' &&
      object.text === '*.*' &&
      privileges.some(({ name }) => name === 'ALL PRIVILEGES' || name === 'CREATE USER'),
  )
}

/** What of a privilege the mapping does not ask for. */
function takeExcess(
  privilege: Privilege,
  privileges: Privileges,
  { grant, tables }: Judged,
): readonly Privilege[] {
  if (privilege.name === 'USAGE') return []
  // It tells no row of any table; the audit needs it to see what a view shows.
  if (privilege.name === 'SHOW VIEW' && grant.object.name !== '*') return []
  if (isReplicaPrivilege(privilege.name, grant.object)) return []
  if (!isHere(grant, privileges)) return [privilege]
  const columns = tables.get(toTableKey(grant.object.name, privileges.casedTables))
  if (columns === undefined || privilege.name !== 'SELECT' || privilege.columns.length === 0)
    return [privilege]
  const unmapped = privilege.columns.filter((column) => !columns.has(column.toLowerCase()))
  return unmapped.length === 0 ? [] : [{ name: 'SELECT', columns: unmapped }]
}

/** Whether a grant is on a table of the database that is served. */
function isHere({ object }: HeldGrant, { database, casedTables }: Privileges): boolean {
  return (
    object.sort === '' &&
    object.name !== '*' &&
    toTableKey(object.database, casedTables) === toTableKey(database, casedTables)
  )
}

/** The columns that must stay readable when a grant on their whole table is taken away. */
function listWanted({ grant, tables }: Judged, privileges: Privileges): readonly string[] {
  if (!isHere(grant, privileges)) return []
  return [...(tables.get(toTableKey(grant.object.name, privileges.casedTables)) ?? [])]
}

function reachesNeverRead(
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

/** MariaDB opens databases named `test` to everybody when it is installed; they are nobody's data. */
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

/** A role that a role of the account holds goes with the one that brings it. */
function judgeRole(role: string, privileges: Privileges): Finding {
  const { account, roles } = privileges
  const own = roles.filter((held) => held.role === role).map((held) => held.role)
  const ways = own.length > 0 ? own : roles.map((held) => held.role)
  return {
    severity: 'error',
    object: role,
    privilege: 'ADMIN OPTION',
    problem: `${account} may give this role to others`,
    fix: isAdministrator(privileges)
      ? ownAccountAdvice
      : ways.map((way) => renderRevokeRole(way, account)).join(' '),
  }
}

/**
 * The grants on one object as one, since they are taken away as one: MySQL no longer takes back a dynamic privilege
 * once the GRANT OPTION beside it is gone.
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

/** Nothing of the lines is told: MariaDB's hold the hash of a password. */
function toUnreadFinding({ account, unread }: Privileges): Finding {
  return {
    severity: 'error',
    object: account,
    privilege: 'SHOW GRANTS',
    problem: `${unread} of the lines of SHOW GRANTS could not be understood, so nothing is proved`,
    fix: 'make a user with the statements of vitrine grants, and report which server this is',
  }
}
