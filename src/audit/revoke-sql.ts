import { toQuotedName } from '../database/quote.js'
import type { Privilege } from './grant.js'
import type { HeldGrant, Privileges } from './privileges.js'

interface RevokeContext {
  readonly privileges: Privileges
  /** Columns to grant anew where SELECT on their whole table goes. */
  readonly wanted: readonly string[]
}

/** The statement, or the statements on one line, after which the account no longer has these privileges. */
export function renderRevoke(
  taken: readonly Privilege[],
  grant: HeldGrant,
  { privileges, wanted }: RevokeContext,
): string {
  const { holder, object } = grant
  const { account } = privileges
  if (holder.kind === 'role') {
    if (holder.revocable) return renderRevokeRole(holder.role, account)
    return `take ${holder.role} out of the server's mandatory_roles (SET PERSIST mandatory_roles = '…')`
  }
  const from = holder.kind === 'public' ? 'PUBLIC' : account
  if (object.sort === 'ACCOUNT') return `REVOKE PROXY ON ${object.text} FROM ${from};`
  // MariaDB knows packages in this mode alone.
  const mode = object.sort.startsWith('PACKAGE') ? "SET SESSION sql_mode = 'ORACLE'; " : ''
  const revoke = (privileges: readonly Privilege[]): string[] =>
    privileges.length === 0
      ? []
      : [`${mode}REVOKE ${privileges.map(toPrivilegeText).join(', ')} ON ${object.text} FROM ${from};`]
  const isWhole = taken.some(({ name, columns }) => name === 'SELECT' && columns.length === 0)
  return [
    ...revoke(taken.filter(({ name }) => name !== 'GRANT OPTION')),
    // ALL PRIVILEGES takes nothing beside it in one statement.
    ...revoke(taken.filter(({ name }) => name === 'GRANT OPTION')),
    ...(isWhole && wanted.length > 0 && holder.kind === 'account'
      ? [`GRANT ${toPrivilegeText({ name: 'SELECT', columns: wanted })} ON ${object.text} TO ${from};`]
      : []),
  ].join(' ')
}

/** A privilege as statements write it. */
export function toPrivilegeText({ name, columns }: Privilege): string {
  return columns.length === 0 ? name : `${name} (${columns.map(toQuotedName).join(', ')})`
}

/** The statement that takes a role from the account. */
export function renderRevokeRole(role: string, account: string): string {
  return `REVOKE ${role} FROM ${account};`
}
