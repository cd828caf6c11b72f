import { toDialect } from '../database/dialects.js'
import { isMissingAccount } from '../database/errors.js'
import { toQuotedName } from '../database/sql.js'
import type { Row, RunQuery } from '../database/statement.js'
import {
  accountStatement,
  grantableRolesStatement,
  grantsStatement,
  mandatoryRolesStatement,
  noRoleStatement,
  renderGrantsFor,
  renderGrantsWithRole,
  renderSetRole,
} from './audit-sql.js'
import { parseGrant } from './parse-grant.js'
import type { Grant, GrantObject, Privilege } from './parse-grant.js'

/** The holder of a grant: the account itself, or something that it has because it is that account. */
export type Holder =
  | { readonly kind: 'account' }
  | { readonly kind: 'role'; readonly role: string; readonly revocable: boolean }
  /** MariaDB: what is granted to PUBLIC is granted to every account. */
  | { readonly kind: 'public' }

/** Privileges on one object, with their holder. */
export interface HeldGrant {
  readonly holder: Holder
  readonly object: GrantObject
  readonly privileges: readonly Privilege[]
  /** WITH GRANT OPTION. */
  readonly grantable: boolean
}

/** A role that the account can take. */
export interface HeldRole {
  readonly role: string
  /** WITH ADMIN OPTION. */
  readonly grantable: boolean
  /** Unless the configuration of the server gives the role to every account. */
  readonly revocable: boolean
}

/** The privileges of an account, by itself and by every role that it can take, default or not. */
export interface Privileges {
  /** As statements write it: `vitrine`@`%`, in backticks. */
  readonly account: string
  readonly database: string
  /** Whether table names that differ only in case are different names. */
  readonly casedTables: boolean
  readonly isMariaDb: boolean
  /** Of the server. */
  readonly version: string
  readonly grants: readonly HeldGrant[]
  readonly roles: readonly HeldRole[]
  /** Roles that the account's own roles hold and can grant to others; without their hosts. */
  readonly nestedGrantable: readonly string[]
  /** How many lines of SHOW GRANTS could not be parsed. */
  readonly unparsedLines: number
}

/**
 * Reads what the account of a session holds.
 *
 * @param runQuery runs statements on one session. Its roles are changed, so it must not be used for anything else.
 */
export async function readPrivileges(runQuery: RunQuery): Promise<Privileges> {
  const { account: current, ...server } = await readServer(runQuery)
  const account = toAccount(current)
  await runQuery(noRoleStatement)
  const own = parseLines(await runQuery(grantsStatement))
  const isOwn = (grant: Grant): boolean => 'grantee' in grant && grant.grantee === account
  const roles = await readRoles(runQuery, own.grants.filter(isOwn), server.isMariaDb)
  const fromRoles = await readRoleGrants(runQuery, { ...server, account, roles }, own.grants)
  const ownGrants = own.grants.flatMap((grant) =>
    toHeld(grant, { kind: isOwn(grant) ? 'account' : 'public' }),
  )
  return {
    ...server,
    account,
    grants: [...ownGrants, ...fromRoles.grants],
    roles,
    nestedGrantable: await readNestedGrantable(runQuery, roles),
    unparsedLines: own.unparsedLines + fromRoles.unparsedLines,
  }
}

type Server = Pick<Privileges, 'account' | 'database' | 'casedTables' | 'isMariaDb' | 'version'>

/** The account of the session, as CURRENT_USER() returns it, and its server. */
async function readServer(runQuery: RunQuery): Promise<Server> {
  const [row] = await runQuery(accountStatement)
  const version = String(row?.['version'])
  return {
    account: String(row?.['account']),
    database: String(row?.['database']),
    casedTables: Number(row?.['lowerCase']) === 0,
    isMariaDb: toDialect(version) === 'mariadb',
    version,
  }
}

/** The parsed lines of SHOW GRANTS. */
interface GrantLines<One> {
  readonly grants: readonly One[]
  readonly unparsedLines: number
}

/** The lines that SHOW GRANTS returned. */
export function parseLines(rows: readonly Row[]): GrantLines<Grant> {
  const parsed = rows.map((row) => parseGrant(String(Object.values(row)[0])))
  const grants = parsed.filter((grant) => grant !== undefined)
  return { grants, unparsedLines: parsed.length - grants.length }
}

/** An account as SHOW GRANTS writes it; CURRENT_USER() returns it without quotes. */
function toAccount(current: string): string {
  const at = current.lastIndexOf('@')
  return `${toQuotedName(current.slice(0, at))}@${toQuotedName(current.slice(at + 1))}`
}

/** The roles of these lines. MySQL: the configuration of the server can give roles to every account. */
async function readRoles(
  runQuery: RunQuery,
  grants: readonly Grant[],
  isMariaDb: boolean,
): Promise<readonly HeldRole[]> {
  const held = grants.flatMap((grant) =>
    grant.kind === 'roles' ? grant.roles.map((role) => ({ role, grantable: grant.grantable })) : [],
  )
  const [row] = isMariaDb || held.length === 0 ? [] : await runQuery(mandatoryRolesStatement)
  const mandatory = typeof row?.['roles'] === 'string' ? row['roles'].split(',').map(toRoleKey) : []
  return held.map((one) => ({ ...one, revocable: !mandatory.includes(toRoleKey(one.role)) }))
}

/** A role without its quotes, and without the host that means any. */
function toRoleKey(role: string): string {
  return role.trim().replace(/[`'"]/g, '').replace(/@%$/, '')
}

/** The privileges of a line, with their holder; none for a line of roles. */
function toHeld(grant: Grant, holder: Holder): readonly HeldGrant[] {
  if (grant.kind !== 'privileges') return []
  const { object, privileges, grantable } = grant
  return [{ holder, object, privileges, grantable }]
}

/**
 * What the roles of the account grant. MariaDB lists the lines of a role, and those of the roles that it holds, while the
 * role is active. MySQL adds the privileges of a role to the account's own lines, so the role grants the difference.
 */
async function readRoleGrants(
  runQuery: RunQuery,
  { account, isMariaDb, roles }: Pick<Privileges, 'account' | 'isMariaDb' | 'roles'>,
  own: readonly Grant[],
): Promise<GrantLines<HeldGrant>> {
  const known = new Set(own.flatMap(listAtoms))
  const grants: HeldGrant[] = []
  let unparsedLines = 0
  for (const { role, revocable } of roles) {
    if (isMariaDb) await runQuery(renderSetRole(role))
    const lines = parseLines(await runQuery(isMariaDb ? grantsStatement : renderGrantsWithRole(role)))
    unparsedLines += lines.unparsedLines
    const holder: Holder = { kind: 'role', role, revocable }
    for (const grant of lines.grants) {
      const isOwn = grant.kind !== 'nothing' && [account, 'PUBLIC'].includes(grant.grantee)
      if (!isMariaDb) grants.push(...toAdded(grant, known, holder))
      else if (!isOwn) grants.push(...toHeld(grant, holder))
    }
  }
  return { grants, unparsedLines }
}

/** The part of a line that the account does not hold by itself. */
function toAdded(grant: Grant, known: ReadonlySet<string>, holder: Holder): readonly HeldGrant[] {
  if (grant.kind !== 'privileges') return []
  const { object } = grant
  const grantable = grant.grantable && !known.has(toAtom(object, 'GRANT OPTION'))
  const isAdded = (name: string, column?: string): boolean =>
    grantable || !known.has(toAtom(object, name, column))
  const privileges = grant.privileges.flatMap(({ name, columns }): readonly Privilege[] => {
    if (columns.length === 0) return isAdded(name) ? [{ name, columns }] : []
    const added = columns.filter((column) => isAdded(name, column))
    return added.length === 0 ? [] : [{ name, columns: added }]
  })
  return privileges.length === 0 ? [] : [{ holder, object, privileges, grantable }]
}

function listAtoms(grant: Grant): readonly string[] {
  if (grant.kind !== 'privileges') return []
  const { object, privileges, grantable } = grant
  return [
    ...(grantable ? [toAtom(object, 'GRANT OPTION')] : []),
    ...privileges.flatMap(({ name, columns }) =>
      columns.length === 0 ? [toAtom(object, name)] : columns.map((column) => toAtom(object, name, column)),
    ),
  ]
}

/** One privilege on one object, or on one column of it, as a key. */
function toAtom(object: GrantObject, name: string, column?: string): string {
  return JSON.stringify([object.text, name, column ?? null])
}

/** Of the roles that can be granted to others, those that the account does not hold by itself. */
async function readNestedGrantable(
  runQuery: RunQuery,
  roles: readonly HeldRole[],
): Promise<readonly string[]> {
  if (roles.length === 0) return []
  const own = roles.map(({ role }) => role.replace(/@`[^`]*`$/, ''))
  const names = (await runQuery(grantableRolesStatement)).map((row) => toQuotedName(String(row['role'])))
  return [...new Set(names)].filter((name) => !own.includes(name))
}

/** What an account other than that of the session holds by itself. */
export interface AccountPrivileges {
  readonly exists: boolean
  /** Without what its roles hold; none where the account does not exist. */
  readonly privileges: Privileges
}

/** Reads what another account holds. @param account as statements write it, in backticks. */
export async function readAccountPrivileges(runQuery: RunQuery, account: string): Promise<AccountPrivileges> {
  const server = await readServer(runQuery)
  const lines = await readLines(runQuery, account)
  // Hosts are stored in lower case. MariaDB also lists what PUBLIC and roles hold.
  const own = (lines?.grants ?? []).filter(
    (grant) => 'grantee' in grant && grant.grantee.toLowerCase() === account.toLowerCase(),
  )
  return {
    exists: lines !== undefined,
    privileges: {
      ...server,
      account,
      grants: own.flatMap((grant) => toHeld(grant, { kind: 'account' })),
      roles: await readRoles(runQuery, own, server.isMariaDb),
      nestedGrantable: [],
      unparsedLines: lines?.unparsedLines ?? 0,
    },
  }
}

/** Undefined where there is no such account. */
async function readLines(runQuery: RunQuery, account: string): Promise<GrantLines<Grant> | undefined> {
  try {
    return parseLines(await runQuery(renderGrantsFor(account)))
  } catch (error) {
    if (isMissingAccount(error)) return undefined
    throw error
  }
}
