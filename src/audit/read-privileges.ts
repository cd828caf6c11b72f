import { toQuotedName } from '../database/quote.js'
import { toDialect } from '../database/session-sql.js'
import type { RunQuery } from '../database/statement.js'
import type { Grant } from './grant.js'
import type { HeldGrant, HeldRole, Privileges } from './privileges.js'
import {
  accountStatement,
  grantableRolesStatement,
  grantsStatement,
  noRoleStatement,
} from './privileges-sql.js'
import { readReach } from './read-reach.js'
import { readRolesOfMariaDb, readRolesOfMySql, toHeldBy } from './read-roles.js'
import { readLines } from './show-grants.js'

/**
 * What the account of a session may do, by itself and by every role that it could take, default or not.
 *
 * @param ask runs statements on one session, which changes its roles and must not be used for anything else.
 */
export async function readPrivileges(ask: RunQuery): Promise<Privileges> {
  const [facts] = await ask(accountStatement)
  const isMariaDb = toDialect(facts?.['version']) === 'mariadb'
  const account = toAccount(String(facts?.['account']))
  const database = String(facts?.['database'])
  await ask(noRoleStatement)
  const own = readLines(await ask(grantsStatement))
  const roles = own.grants.flatMap((grant) => toRoles(grant, account))
  const read = { ask, own: own.grants, roles, account }
  const fromRoles = isMariaDb ? await readRolesOfMariaDb(read) : await readRolesOfMySql(read)
  return {
    account,
    database,
    casedTables: Number(facts?.['lowerCase']) === 0,
    grants: [...own.grants.flatMap((grant) => toHeld(grant, account)), ...fromRoles.grants],
    roles,
    nestedGrantable: await readNestedGrantable(ask, roles),
    reach: await readReach(ask, { database, roles, isMariaDb }),
    unread: own.unread + fromRoles.unread,
  }
}

/** An account as statements and SHOW GRANTS write it; the server's own word for it has no quotes. */
function toAccount(current: string): string {
  const at = current.lastIndexOf('@')
  return `${toQuotedName(current.slice(0, at))}@${toQuotedName(current.slice(at + 1))}`
}

function toRoles(grant: Grant, account: string): readonly HeldRole[] {
  if (grant.kind !== 'roles' || grant.grantee !== account) return []
  return grant.roles.map((role) => ({ role, grantable: grant.grantable }))
}

function toHeld(grant: Grant, account: string): readonly HeldGrant[] {
  if (grant.kind !== 'privileges') return []
  return toHeldBy(grant, grant.grantee === account ? { kind: 'account' } : { kind: 'public' })
}

/** Of the roles that may be granted on, those that the account does not hold by itself. */
async function readNestedGrantable(ask: RunQuery, roles: readonly HeldRole[]): Promise<readonly string[]> {
  if (roles.length === 0) return []
  const own = roles.map(({ role }) => role.replace(/@`[^`]*`$/, ''))
  const names = (await ask(grantableRolesStatement)).map((row) => toQuotedName(String(row['role'])))
  return [...new Set(names)].filter((name) => !own.includes(name))
}
