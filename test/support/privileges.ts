import { parseGrant } from '../../src/audit/parse-grant.js'
import type { HeldGrant, Holder, Privileges } from '../../src/audit/privileges.js'

/** The account that the audit tests evaluate. */
export const account = '`vitrine`@`%`'

/** A privilege as SHOW GRANTS writes it, without the grantee: `SELECT ON `shop`.*`. */
export function buildGrant(text: string, holder: Holder = { kind: 'account' }): HeldGrant {
  const option = ' WITH GRANT OPTION'
  const plain = text.replace(option, '')
  const grant = parseGrant(`GRANT ${plain} TO ${account}${plain === text ? '' : option}`)
  if (grant?.kind !== 'privileges') throw new Error(`Not a grant: ${text}`)
  return {
    holder,
    object: grant.object,
    privileges: grant.privileges,
    grantable: grant.grantable,
  }
}

/** What an account with these grants may do in the database `shop`. */
export function buildPrivileges(
  grants: readonly (HeldGrant | string)[],
  rest: Partial<Privileges> = {},
): Privileges {
  return {
    account,
    database: 'shop',
    casedTables: true,
    isMariaDb: false,
    version: '9.7.0',
    grants: grants.map((grant) => (typeof grant === 'string' ? buildGrant(grant) : grant)),
    roles: [],
    nestedGrantable: [],
    unparsedLines: 0,
    ...rest,
  }
}
