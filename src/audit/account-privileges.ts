import { toDialect } from '../database/dialects.js'
import { isMissingAccount } from '../database/errors.js'
import type { RunQuery } from '../database/statement.js'
import { accountStatement, renderGrantsFor } from './audit-sql.js'
import type { Grant } from './parse-grant.js'
import { listRoles, parseLines, toHeld } from './privileges.js'
import type { GrantLines, Privileges } from './privileges.js'

/** What an account other than that of the session holds by itself. */
export interface AccountPrivileges {
  readonly exists: boolean
  /** Without what its roles hold; none where the account does not exist. */
  readonly privileges: Privileges
}

/** Reads what another account holds. @param account as statements write it, in backticks. */
export async function readAccountPrivileges(runQuery: RunQuery, account: string): Promise<AccountPrivileges> {
  const [server] = await runQuery(accountStatement)
  const lines = await readLines(runQuery, account)
  // Hosts are stored in lower case. MariaDB also lists what PUBLIC and roles hold.
  const own = (lines?.grants ?? []).filter(
    (grant) => 'grantee' in grant && grant.grantee.toLowerCase() === account.toLowerCase(),
  )
  return {
    exists: lines !== undefined,
    privileges: {
      account,
      database: String(server?.['database']),
      casedTables: Number(server?.['lowerCase']) === 0,
      isMariaDb: toDialect(server?.['version']) === 'mariadb',
      version: String(server?.['version']),
      grants: own.flatMap((grant) => toHeld(grant, { kind: 'account' })),
      roles: own.flatMap((grant) => ('grantee' in grant ? listRoles(grant, grant.grantee) : [])),
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
