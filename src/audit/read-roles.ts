import type { RunQuery } from '../database/statement.js'
import type { Grant, GrantObject, Privilege } from './grant.js'
import type { HeldGrant, HeldRole, Holder } from './privileges.js'
import {
  grantsStatement,
  mandatoryRolesStatement,
  renderGrantsWithRole,
  renderTakeRole,
} from './privileges-sql.js'
import { readLines } from './show-grants.js'

/** The session, and what is known of the account by itself. */
export interface RolesInput {
  readonly ask: RunQuery
  readonly own: readonly Grant[]
  readonly roles: readonly HeldRole[]
  readonly account: string
}

/** What the roles bring. */
export interface FromRoles {
  readonly grants: readonly HeldGrant[]
  /** Lines that are not understood. */
  readonly unread: number
}

/** MySQL adds a role's privileges to the account's own lines, so what the role brings is the difference. */
export async function readRolesOfMySql({ ask, own, roles }: RolesInput): Promise<FromRoles> {
  const mandatory = await readMandatoryRoles(ask)
  const known = listAtoms(own)
  const grants: HeldGrant[] = []
  let unread = 0
  for (const { role } of roles) {
    const lines = readLines(await ask(renderGrantsWithRole(role)))
    unread += lines.unread
    const holder: Holder = { kind: 'role', role, revocable: !mandatory.includes(toRoleKey(role)) }
    grants.push(...lines.grants.flatMap((grant) => toAdded(grant, known, holder)))
  }
  return { grants, unread }
}

/** MariaDB shows a role's own lines, and those of the roles that it holds, while it is at work. */
export async function readRolesOfMariaDb({ ask, roles, account }: RolesInput): Promise<FromRoles> {
  const grants: HeldGrant[] = []
  let unread = 0
  for (const { role } of roles) {
    await ask(renderTakeRole(role))
    const lines = readLines(await ask(grantsStatement))
    unread += lines.unread
    const holder: Holder = { kind: 'role', role, revocable: true }
    const others = lines.grants.filter(
      (grant) => grant.kind !== 'nothing' && grant.grantee !== account && grant.grantee !== 'PUBLIC',
    )
    grants.push(...others.flatMap((grant) => toHeldBy(grant, holder)))
  }
  return { grants, unread }
}

async function readMandatoryRoles(ask: RunQuery): Promise<readonly string[]> {
  const [row] = await ask(mandatoryRolesStatement)
  const roles = row?.['roles']
  return (typeof roles === 'string' ? roles : '').split(',').map((role) => toRoleKey(role.trim()))
}

/** A role without its quotes, and without the host that stands for any. */
function toRoleKey(role: string): string {
  return role.replace(/[`'"]/g, '').replace(/@%$/, '')
}

/** Grants as somebody holds them. */
export function toHeldBy(grant: Grant, holder: Holder): readonly HeldGrant[] {
  if (grant.kind !== 'privileges') return []
  const { object, privileges, grantable } = grant
  return [{ holder, object, privileges, grantable }]
}

function toAdded(grant: Grant, known: ReadonlySet<string>, holder: Holder): readonly HeldGrant[] {
  if (grant.kind !== 'privileges') return []
  const { object, grantable } = grant
  const mayGrantNow = grantable && !known.has(toAtom(object, 'GRANT OPTION', null))
  const privileges = grant.privileges.flatMap(({ name, columns }): readonly Privilege[] => {
    if (columns.length === 0) {
      const isKnown = known.has(toAtom(object, name, null)) && !mayGrantNow
      return isKnown ? [] : [{ name, columns }]
    }
    const added = mayGrantNow ? columns : columns.filter((column) => !known.has(toAtom(object, name, column)))
    return added.length === 0 ? [] : [{ name, columns: added }]
  })
  return privileges.length === 0 ? [] : [{ holder, object, privileges, grantable: mayGrantNow }]
}

function listAtoms(grants: readonly Grant[]): ReadonlySet<string> {
  return new Set(
    grants.flatMap((grant) => {
      if (grant.kind !== 'privileges') return []
      const { object, privileges, grantable } = grant
      return [
        ...(grantable ? [toAtom(object, 'GRANT OPTION', null)] : []),
        ...privileges.flatMap(({ name, columns }) =>
          (columns.length === 0 ? [null] : columns).map((column) => toAtom(object, name, column)),
        ),
      ]
    }),
  )
}

function toAtom(object: GrantObject, name: string, column: string | null): string {
  return JSON.stringify([object.text, name, column])
}
