import { toQuotedName } from '../database/sql.js'
import { toDialect } from '../database/dialects.js'
import type { Row, RunQuery } from '../database/statement.js'
import {
  accountStatement,
  grantableRolesStatement,
  grantsStatement,
  mandatoryRolesStatement,
  noRoleStatement,
  renderGrantsWithRole,
  renderSetRole,
} from './audit-sql.js'
import { parseGrant } from './parse-grant.js'
import type { Grant, GrantObject, Privilege } from './parse-grant.js'

/** The holder of a grant: the account itself, or something that it has because it is that account. */
export type Holder =
  | { readonly kind: 'account' }
  /** `revocable` unless the configuration of the server gives the role to every account. */
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
  const [server] = await runQuery(accountStatement)
  const version = String(server?.['version'])
  const isMariaDb = toDialect(version) === 'mariadb'
  const account = toAccount(String(server?.['account']))
  await runQuery(noRoleStatement)
  const own = parseLines(await runQuery(grantsStatement))
  const roles = own.grants.flatMap((grant) => listRoles(grant, account))
  const input = { runQuery, own: own.grants, roles, account }
  const fromRoles = isMariaDb ? await readMariaDbRoles(input) : await readMySqlRoles(input)
  const ownGrants = own.grants.flatMap((grant) =>
    toHeld(grant, { kind: 'grantee' in grant && grant.grantee === account ? 'account' : 'public' }),
  )
  return {
    account,
    database: String(server?.['database']),
    casedTables: Number(server?.['lowerCase']) === 0,
    isMariaDb,
    version,
    grants: [...ownGrants, ...fromRoles.grants],
    roles,
    nestedGrantable: await readNestedGrantable(runQuery, roles),
    unparsedLines: own.unparsedLines + fromRoles.unparsedLines,
  }
}

/** The parsed lines of SHOW GRANTS. */
export interface GrantLines<One> {
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

/** The roles of a line, if it is one of this account. */
export function listRoles(grant: Grant, account: string): readonly HeldRole[] {
  if (grant.kind !== 'roles' || grant.grantee !== account) return []
  return grant.roles.map((role) => ({ role, grantable: grant.grantable }))
}

/** The privileges of a line, with their holder; none for a line of roles. */
export function toHeld(grant: Grant, holder: Holder): readonly HeldGrant[] {
  if (grant.kind !== 'privileges') return []
  const { object, privileges, grantable } = grant
  return [{ holder, object, privileges, grantable }]
}

interface RolesInput {
  readonly runQuery: RunQuery
  /** What the account holds with no role. */
  readonly own: readonly Grant[]
  readonly roles: readonly HeldRole[]
  readonly account: string
}

/** MariaDB lists the lines of a role, and those of the roles that it holds, while the role is active. */
async function readMariaDbRoles({ runQuery, roles, account }: RolesInput): Promise<GrantLines<HeldGrant>> {
  const grants: HeldGrant[] = []
  let unparsedLines = 0
  for (const { role } of roles) {
    await runQuery(renderSetRole(role))
    const lines = parseLines(await runQuery(grantsStatement))
    unparsedLines += lines.unparsedLines
    for (const grant of lines.grants) {
      const isOwn = grant.kind !== 'nothing' && [account, 'PUBLIC'].includes(grant.grantee)
      if (!isOwn) grants.push(...toHeld(grant, { kind: 'role', role, revocable: true }))
    }
  }
  return { grants, unparsedLines }
}

/** MySQL adds the privileges of a role to the account's own lines, so the role grants the difference. */
async function readMySqlRoles({ runQuery, own, roles }: RolesInput): Promise<GrantLines<HeldGrant>> {
  if (roles.length === 0) return { grants: [], unparsedLines: 0 }
  const mandatory = await readMandatoryRoles(runQuery)
  const known = new Set(own.flatMap(listAtoms))
  const grants: HeldGrant[] = []
  let unparsedLines = 0
  for (const { role } of roles) {
    const lines = parseLines(await runQuery(renderGrantsWithRole(role)))
    unparsedLines += lines.unparsedLines
    const holder: Holder = { kind: 'role', role, revocable: !mandatory.includes(toRoleKey(role)) }
    grants.push(...lines.grants.flatMap((grant) => toAdded(grant, known, holder)))
  }
  return { grants, unparsedLines }
}

/** MySQL: the roles that the configuration of the server gives to every account, by `toRoleKey`. */
export async function readMandatoryRoles(runQuery: RunQuery): Promise<readonly string[]> {
  const [row] = await runQuery(mandatoryRolesStatement)
  return typeof row?.['roles'] === 'string' ? row['roles'].split(',').map(toRoleKey) : []
}

/** A role without its quotes, and without the host that means any. */
export function toRoleKey(role: string): string {
  return role.trim().replace(/[`'"]/g, '').replace(/@%$/, '')
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
