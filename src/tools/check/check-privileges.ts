import type { Account } from '../../audit/account.js'
import { renderSameName, toUserName } from '../../audit/grants-sql.js'
import type { Finding } from '../../finding.js'
import { createSection, toTable } from '../report/report.js'
import type { Section } from '../report/report.js'

/** What the account holds, as SHOW GRANTS lists it, and what the audit found. */
export function checkPrivileges(account: Account | undefined, findings: readonly Finding[]): Section {
  const rows = (account?.held ?? []).map(({ grantee, role, privilege, object, column = null }) => ({
    holder: role === undefined ? grantee : `role ${role}`,
    privilege,
    object,
    column,
  }))
  return createSection({
    id: 'privileges',
    title: 'Privileges',
    intro:
      'What the database user may do, by itself and by every role that it can take. The mapping needs SELECT on the mapped columns and nothing else.',
    tables: [
      toTable('grants', { holder: 'Held by', privilege: 'Privilege', object: 'On', column: 'Column' }, rows),
    ],
    notes: account === undefined ? [] : [describeSameName(account.account)],
    findings,
  })
}

function describeSameName(account: string): string {
  return `Grants of another account with the same name, or with none, apply to ${account} too where the host matches. The check cannot see CREATE ROUTINE, ALTER ROUTINE, LOCK TABLES and CREATE TEMPORARY TABLES of such an account, nor what applies from other hosts only. An administrator can list these accounts with this query, and their privileges with SHOW GRANTS FOR each: ${renderSameName(toUserName(account))}`
}
